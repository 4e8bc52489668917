"""Words for things, as data: what means the same, what is a kind of what, and which words exclude each other.

Household, office, workshop and street words of British and American English. Words are singular and lower case;
`words` brings text into that form. Nothing here is about a single recording.
"""

from __future__ import annotations

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


SYNONYMS: tuple[str, ...] = (
    "mug|cup|teacup|beaker",
    "stack|pile|heap",
    "glass|tumbler|drinking glass|wineglass|wine glass|goblet",
    "tv|television|telly|television set|tv set|flatscreen|flat screen",
    "sofa|couch|settee|loveseat|divan",
    "refrigerator|fridge|freezer|icebox",
    "bin|waste basket|wastebasket|trash can|trashcan|trash bin|garbage can|garbage bin|rubbish bin|wastebin|"
    "waste bin|dustbin|trash|recycling bin|wastepaper basket|paper basket",
    "cupboard|cabinet|kitchen unit",
    "wardrobe|closet|armoire",
    "drawer|chest of drawers|dresser|drawer unit",
    "nightstand|bedside table|night table|bedside cabinet|night stand",
    "worktop|countertop|counter top|work surface|work top|kitchen top|counter|kitchen counter",
    "carpet|rug|mat",
    "picture|painting|photo|photograph|poster|artwork",
    "picture frame|photo frame|photograph frame",
    "lamp|light|lantern|light fixture",
    "chandelier|ceiling lamp|ceiling light|pendant lamp",
    "tap|faucet|mixer tap|water tap",
    "sink|basin|washbasin|wash basin|kitchen sink",
    "stove|cooker|hob|cooktop|gas cooker|gas hob|gas stove|cooking hob",
    "oven|baking oven",
    "microwave|microwave oven",
    "range hood|cooker hood|extractor hood|extractor|exhaust hood|kitchen hood|hood",
    "pan|frying pan|skillet|saucepan|frypan",
    "coffee pot|moka pot|coffee maker|coffeepot|espresso pot|espresso maker|percolator|moka|coffee machine",
    "teapot|tea pot",
    "cloth|rag|dishcloth|towel|tea towel",
    "cutlery|silverware|flatware",
    "utensil|kitchen utensil|cooking utensil",
    "plate|dish|saucer",
    "jug|pitcher|carafe",
    "carton|drink carton|tetra pak",
    "can|tin|tin can",
    "soda|soft drink|pop|cola",
    "cookie|biscuit",
    "crisps|potato chip",
    "macaroni and cheese|macaroni|mac and cheese|pasta",
    "orange juice|oj|juice|fruit juice",
    "candy|sweet|chocolate bar",
    "paperback|paperback book",
    "hardcover|hardback|hardcover book|hardback book",
    "magazine|journal|periodical",
    "booklet|brochure|leaflet|pamphlet|flyer|flier",
    "paper|document|sheet|sheet of paper|page|printout|paperwork",
    "notebook|notepad|writing pad",
    "pen|ballpoint|biro",
    "brush|paintbrush|paint brush",
    "laptop|laptop computer|notebook computer|macbook",
    "computer|pc|desktop computer|desktop pc|pc tower|computer tower|desktop tower|tower pc|desktop|workstation",
    "monitor|computer monitor|computer screen",
    "keyboard|computer keyboard",
    "mouse|computer mouse",
    "tablet|tablet computer|ipad",
    "phone|smartphone|cell phone|cellphone|mobile phone|telephone|iphone|handset",
    "game controller|gamepad|game pad|controller|joystick|joypad|gaming controller",
    "remote|remote control|tv remote|clicker",
    "headphone|headphones|headset|earphone|earphones",
    "speaker|loudspeaker|smart speaker",
    "charger|power adapter|adapter|power supply|adaptor|power adaptor",
    "socket|power socket|outlet|power outlet|wall socket|plug socket|electrical outlet",
    "power strip|extension lead|extension cord|power bar",
    "cable|wire|cord|lead",
    "switch|light switch|wall switch",
    "air conditioner|air conditioning|aircon|ac unit|air conditioning unit",
    "heater|radiator",
    "fan|ventilator",
    "vacuum cleaner|vacuum|hoover",
    "washing machine|washer|laundry machine",
    "bathtub|tub|bath",
    "toilet|lavatory|loo|wc",
    "mirror|looking glass",
    "curtain|drape|blind",
    "pillow|cushion",
    "blanket|quilt|duvet|throw|comforter|bedspread",
    "suitcase|luggage|travel bag|trolley case|baggage",
    "backpack|rucksack|knapsack",
    "bag|handbag|tote|sack|purse",
    "box|crate|case",
    "container|storage container|food container|plastic container|tub",
    "teddy bear|teddy|stuffed bear|plush bear|bear|plush toy",
    "duck|rubber duck|rubber ducky|toy duck",
    "soccer ball|football",
    "exercise ball|gym ball|fitness ball|yoga ball|stability ball|swiss ball",
    "toy block|building block",
    "gym equipment|gym gear|fitness equipment|exercise equipment|sports equipment|sports gear",
    "seat|seating",
    "device|gadget|electronic device|electronic gadget",
    "reading material|reading matter|publication",
    "appliance|kitchen appliance|household appliance|domestic appliance",
    "kitchenware|cookware",
    "screen|display",
    "rubik cube|magic cube|puzzle cube",
    "toy car|model car",
    "barbell|weight|dumbbell|free weight",
    "bench|weight bench",
    "shoe|sneaker|trainer|boot",
    "coat|jacket",
    "hat|cap",
    "plant|houseplant|house plant|potted plant|pot plant",
    "cactus|succulent",
    "flower|floral|flowered|flowery",
    "person|man|woman",
    "bike|bicycle|cycle",
    "car|automobile",
    "motorbike|motorcycle",
    "van|minivan",
    "truck|lorry",
    "door|doorway",
    "stair|staircase|stairs|step",
    "shelf|shelving|shelf unit|shelving unit|shelves",
    "bookcase|bookshelf",
    "stool|bar stool|footstool",
    "armchair|easy chair|lounge chair",
    "wall|partition",
    "tile|tiled",
    "camera|security camera|webcam|surveillance camera|cctv camera",
    "clock|wall clock|alarm clock",
    "ornament|decoration|figurine|statue|sculpture",
    "bulletin board|notice board|pinboard|whiteboard",
    "toolbox|tool box|tool chest",
    "drill|power drill|cordless drill",
    "hammer|mallet",
    "screwdriver|screw driver",
    "wrench|spanner",
    "tape|adhesive tape|duct tape",
    "wooden|wood|timber|oak|pine|walnut",
    "metal|metallic|steel|chrome|aluminium|aluminum|stainless",
    "glossy|shiny|polished",
    "big|large|huge|giant",
    "small|little|tiny|mini",
    "round|circular",
    "printed|print",
)
"""Groups of words and phrases that name the same; the first stands for all."""

KINDS: Mapping[str, str] = {
    "furniture": "table|chair|sofa|bed|desk|cupboard|wardrobe|drawer|nightstand|shelf|bookcase|stool|armchair|"
    "bench",
    "seat": "chair|sofa|stool|armchair|bench",
    "lamp": "chandelier|desk lamp|floor lamp|table lamp",
    "chair": "armchair|office chair|dining chair",
    "table": "desk|nightstand",
    "container": "box|bowl|jar|bottle|can|carton|basket|bin|tin|bucket|bag|suitcase",
    "tableware": "mug|glass|plate|bowl|jug|teapot|cutlery",
    "crockery": "mug|plate|bowl|teapot|jug",
    "kitchenware": "pan|pot|coffee pot|kettle|utensil|teapot",
    "pot": "coffee pot|teapot|flowerpot",
    "appliance": "refrigerator|stove|oven|microwave|range hood|washing machine|dishwasher|kettle|toaster|"
    "vacuum cleaner",
    "electronics": "tv|computer|laptop|tablet|phone|monitor|keyboard|mouse|speaker|camera|game controller|remote",
    "device": "tv|computer|laptop|tablet|phone|monitor|speaker|camera|game controller|remote",
    "book": "magazine|notebook|album|booklet|paperback|hardcover|novel|textbook|cookbook",
    "screen": "tv|monitor",
    "carton": "box",
    "reading material": "book|magazine|newspaper|booklet",
    "paper": "booklet|newspaper|envelope|letter|note",
    "ball": "soccer ball|exercise ball|basketball|tennis ball|baseball|golf ball|volleyball",
    "toy": "teddy bear|duck|toy block|rubik cube|toy car|doll|puzzle|lego",
    "food": "fruit|vegetable|bread|soup|cheese|macaroni and cheese|popcorn|cookie|cereal|milk|orange juice|snack|"
    "can|food box",
    "fruit": "apple|banana|orange|pear|lemon|grape|peach|strawberry|melon|pineapple|mango|kiwi",
    "drink": "milk|orange juice|water|soda|beer|wine|coffee|tea",
    "beverage": "milk|orange juice|water|soda|beer|wine|coffee|tea",
    "vehicle": "car|truck|bus|van|motorbike|bike|train|boat",
    "flower": "lily|rose|tulip|daisy|orchid|bouquet",
    "animal": "dog|cat|bird|horse|cow|sheep|rabbit",
    "luggage": "backpack|bag|suitcase",
    "tool": "hammer|screwdriver|wrench|drill|saw|pliers",
    "plant": "cactus|flower|tree",
    "block": "toy block",
    "gym equipment": "barbell|bench|exercise ball|treadmill",
    "clothes": "coat|shirt|trousers|hat|sock|dress|shoe",
    "musical instrument": "guitar|piano|violin|drum",
}  # fmt: skip
"""A general word covers its kinds; a kind does not cover the general word: not every table is a desk."""

COLOURS: Mapping[str, str] = {
    "red": "crimson|scarlet|maroon|burgundy|ruby",
    "orange": "tangerine|amber",
    "yellow": "mustard|golden|gold|yellowish",
    "green": "olive|lime|emerald|khaki|mint|greenish",
    "teal": "turquoise|cyan|aqua",
    "blue": "navy|azure|indigo|cobalt|bluish",
    "purple": "violet|lilac|mauve|lavender|plum",
    "pink": "magenta|fuchsia|salmon",
    "brown": "chestnut|bronze|copper|rust|brownish",
    "beige": "tan|cream|ivory|sand|buff",
    "white": "whitish",
    "grey": "gray|charcoal|greyish|grayish|slate",
    "silver": "silvery",
    "black": "ebony|blackish",
}
"""A colour's other names."""

CLOSE_COLOURS: Mapping[str, str] = {
    "teal": "blue|green", "blue": "teal", "green": "teal", "beige": "brown|white|yellow", "brown": "beige",
    "white": "beige", "grey": "silver", "silver": "grey", 
}  # fmt: skip
"""Colours that two people may give the same thing."""

EXCLUSIVE: Mapping[str, str] = {
    "table": "coffee|dining|bedside|side|kitchen|ping-pong|dressing|pool|console",
    "chair": "dining|office|rocking|high|garden|deck|wheel",
    "lamp": "desk|floor|ceiling|wall|table",
    "ball": "soccer|tennis|golf|exercise|basket|beach|bowling|billiard",
    "bottle": "water|wine|milk|oil|spray|beer|ketchup",
    "pot": "coffee|tea|flower|cooking|plant",
    "bag": "hand|shoulder|travel|sleeping|shopping|tea|punching",
}
"""Words of one row exclude each other before that noun: a dining table is no coffee table."""

OPPOSITES = (
    (_words("small little tiny miniature"), _words("large big huge giant enormous")),
    (_words("tall"), _words("low")),
)
"""Adjectives that exclude each other: a small table is no large table."""

WEAK = _words(
    "big small large long short tall low high thin thick wide narrow round square flat heavy old new open closed "
    "dark light bright pale deep clear plain simple colourful colorful glossy nice left right upper lower middle "
    "front back rear top bottom first second third last other another same single double whole certain main "
    "empty full folded standing hanging lying"
)
"""Adjectives that descriptions leave out as often as not; missing, they weigh little."""

GENERIC = _words("thing object item stuff something anything article one piece kind sort type entity")
"""Nouns that say nothing of what it is."""

MEASURES = _words(
    "box can carton bottle bag pack packet jar stack pile set pair bunch piece sheet roll loop tower cup mug glass "
    "bowl plate vase bucket row group loaf slice bar tin tube kind sort type model pot jug case crate basket"
)
"""Nouns before "of" after which the next noun names the thing as well: "a stack of papers"."""

ADJECTIVES = WEAK | _words(
    "wooden metal plastic glass leather steel stainless chrome ceramic paper cardboard stone marble fabric "
    "woollen cotton translucent transparent striped patterned framed printed slatted upholstered stapled folded "
    "electric electronic mounted topped dirty clean wet broken"
)
"""Words before "and" that describe rather than name: "a clear and white holder" is one thing."""

STOPWORDS = _words(
    "a an the this that these those some any its it is are was were be been being has have having my your his her "
    "our their there here very quite rather really which who whose what s t and or "
    "looks look looking seems seem shaped style coloured colored "
    "one two three four five six seven eight nine ten"
)
"""Words that say nothing of what it is."""

BREAKS = _words(
    "with of in on at by from for like near titled called named labelled labeled showing between under over "
    "to into above below behind beside containing holding reading saying marked made that which whose where "
    "inside around about against"
)
"""Words that end the noun phrase naming the thing; what follows describes parts of it or its surroundings."""
