"""Words and phrases with a grammatical role: symbol, then value, then what is written for it, between bars."""

FUNCTION_WORDS: dict[str, dict[str, str]] = {
    # --- around nouns ---
    "DET": {
        "the": "the",
        "a": "a|an|another|some|a kind of|some kind of",
        "any": "any|any other|any kind of",
        "all": "all|all the|all of the|every|each|each of the",
        "no": "no",
        "this": "this|these|that|those",
        "my": "my|our|your|his|her|their|its",
    },
    "MY": {"asker": "my|our|my own|our own", "it": "its|their"},
    "PRONOUN": {
        "it": "it|that|this|that thing|this thing",
        "they": "they|them|those|these|all of them|both of them",
    },
    "ONE": {"one": "one|ones"},
    "OTHER": {"other": "other|others|remaining"},
    "GLIMPSE": {"glimpse": "glimpse|sight|sighting|look|glance|view|observation|encounter|peek"},
    "GENERIC": {
        "thing": "thing|things|object|objects|item|items|something|anything|everything|stuff|something else|"
        "anything else|else|belongings|kind of thing|kinds of things|sort of thing",
    },
    "SUPERLATIVE": {
        "nearest": "nearest|closest",
        "farthest": "farthest|furthest|most distant|remotest",
        "highest": "highest",
        "lowest": "lowest",
        "largest": "largest|biggest|bulkiest",
        "smallest": "smallest|littlest|tiniest",
        "tallest": "tallest",
        "shortest": "shortest",
        "widest": "widest|broadest",
        "narrowest": "narrowest",
        "longest": "longest",
        "unmeasured": "heaviest|lightest|oldest|newest|warmest|coldest|hottest|softest|hardest|fastest|slowest|"
        "cheapest|strongest|brightest|darkest|cleanest|best|worst|safest",
    },
    "COMPARATIVE": {
        "nearest": "closer|nearer|less far|less distant",
        "farthest": "farther|further|farther away|further away|more distant|farther off|further off",
        "highest": "higher|higher up",
        "lowest": "lower|lower down",
        "largest": "bigger|larger",
        "smallest": "smaller",
        "tallest": "taller",
        "shortest": "shorter",
        "widest": "wider|broader",
        "narrowest": "narrower",
        "longest": "longer",
        "unmeasured": "heavier|lighter|older|newer|warmer|colder|hotter|softer|harder|faster|slower|cheaper|"
        "stronger|brighter|darker|cleaner|better|worse|safer",
    },
    "SIDEWORD": {
        "leftmost": "left|left-hand|leftmost",
        "rightmost": "right|right-hand|rightmost",
        "highest": "upper|top|uppermost|topmost",
        "lowest": "lower|bottom|bottommost",
    },
    "STATEADJ": {
        "new": "new|additional",
        "gone": "missing|lost|vanished",
        "hidden": "hidden",
        "moving": "moving|rolling",
        "moved": "moved|displaced",
        "different": "different",
    },
    "FEATURE": {
        "with": "with|having|showing|wearing|carrying|featuring|marked|that has|which has|that have|covered in|"
        "covered with|full of|filled with|printed with|that contains|about|for",
        "like": "that looks like|which looks like|looking like|resembling|shaped like|that resembles|like",
        "titled": "labelled|labeled|titled|entitled|called|named|saying|reading|that say|that says|which says|"
        "that reads|with the words|with the title|marked with",
    },
    "WITHOUT": {
        "without": "without|with no|lacking|that has no|which has no|not having|that is not|which is not|"
        "that are not|which are not|but not",
    },
    "EXCEPT": {
        "except": "except|except for|other than|apart from|excluding|besides|not counting|aside from|leaving out",
    },
    "REL": {"that": "that|which|who"},
    # --- who ---
    "ASKER": {"asker": "i|me|myself|i myself|the robot|this robot|the wearer|the user"},
    "ANYONE": {
        "anyone": "we|us|you|they|one|the team|the robots|the agents|any agent|any robot|the cameras|"
        "anyone|anybody|someone|somebody|everyone|everybody|either of us|any of us|all of us",
    },
    "NOBODY": {"nobody": "nobody|no one|no-one|none of us|no agent|no robot|no camera|none of the agents"},
    "AGENTNOUN": {"agent": "agent|agents|robot|robots|camera|cameras|observer|wearer"},
    "SUPPOSING": {
        "so": "would you say|do you think|is it true|is it correct|is it the case|am i right|"
        "am i right in thinking|"
        "would you agree|can you confirm|could you confirm|do you believe|is it so|is it right|it is true|"
        "can i assume",
    },
    "SAYS": {
        "says": "says|say|said|reports|reported|claims|claimed|told me|tells me|thinks|believes|mentioned|noted|"
        "remembers|knows|recalls",
    },
    "AGREE": {"agree": "agree|concur", "disagree": "disagree|differ|contradict each other"},
    "DISPUTE": {"dispute": "disagreement|dispute|conflict|contradiction|doubt"},
    "ABOUT": {"about": "about|on|over|of|regarding|concerning|as to|on what|about what"},
    # --- auxiliaries and small words ---
    "BE": {"present": "is|are|am|'s|be", "past": "was|were|been"},
    "DO": {"present": "do|does", "past": "did"},
    "HAVE": {"present": "has|have|'s", "past": "had"},
    "MODAL": {"present": "can|could|should|would|will|might|may|must|shall"},
    "HAVETO": {"haveto": "have to|has to|need to|needs to|had to|want to|ought to|got to"},
    "USEDTO": {"usedto": "used to"},
    "NOT": {"not": "not|no longer|never|not any more|not any longer"},
    "AND": {"and": "and|as well as|plus"},
    "OR": {"or": "or|, or|or else"},
    "HERE": {"here": "here|over here|in here|right here|where i am"},
    # --- question words ---
    "WHERE": {"where": "where|where on earth|whereabouts|where exactly|where about|where else|where in the world"},
    "WHEN": {"when": "when|when exactly|in which frame|how early|how late"},
    "WHO": {"who": "who|whom|who else|which of us|which one of us"},
    "WHAT": {"what": "what|what else|what all|whatever"},
    "WHICH": {
        "which": "which|which one|which ones|which of them|which of these|which of those|which of the two|what"
    },
    "WHICHDET": {
        "which": "which|what|which kind of|what kind of|which type of|what type of|what sort of|which other|"
        "what other|which particular|which specific",
    },
    "WHICHOF": {"which": "which of|which one of|what of|which ones of|which among|which out of"},
    "HOWMANY": {"many": "how many|how many different|how many distinct|how many separate|how much"},
    "HOWOFTEN": {"often": "how often|how many times|on how many occasions|how frequently"},
    "HOWFAR": {
        "far": "how far|how far away|how far off|how far apart|how close|how near|how much distance|how much space|"
        "by how much|what distance|which distance|how much room|how great a distance",
    },
    "HOWLONG": {"long": "how long|how much time|what length of time"},
    "HOWSIZE": {
        "height": "how high|how tall",
        "top": "how high up|at what height|at which height|how high above the floor|how far above the floor|"
        "how high off the floor|how far off the floor|how far up|how high above the ground",
        "width": "how wide|how broad",
        "length": "how long",
        "depth": "how deep|how thick",
        "size": "how big|how large",
    },
    "WHICHWAY": {
        "way": "which way|what way|in which direction|in what direction|which direction|what direction|"
        "at what bearing|at which bearing|what bearing|on which side of me|to which side of me",
    },
    "WHICHSIDE": {
        "side": "on which side|at which side|on what side|to which side|which side|what side",
        "left_right": "at which end|at what end|on which end|at which hand|which end|on which hand|"
        "on which hand side",
    },
    # --- nouns that name what is asked for ---
    "TIMENOUN": {"time": "time|moment|point|instant|second|point in time|timestamp|time stamp|stage"},
    "PLACENOUN": {
        "place": "location|position|place|spot|coordinates|last known spot|exact spot|current spot|resting place|"
        "last known whereabouts|exact position|last spot|last location|last position|last place|whereabouts|"
        "coordinates|current location|current position|"
        "last known location|last known position|exact location|last known place|current place",
    },
    "DISTANCE": {
        "distance": "distance|gap|separation|gap in metres|space|spacing|straight-line distance|clearance"
    },
    "DIRECTION": {"way": "direction|bearing|heading"},
    "NUMBEROF": {"many": "number of|count of|total number of|amount of|total of|total count of|quantity of"},
    "SIZENOUN": {
        "height": "height",
        "width": "width|breadth|diameter|short side|shorter side",
        "length": "length|long side|longer side|longest side|longest edge|longest dimension",
        "depth": "depth|thickness",
        "size": "size|dimensions|extent|measurements",
        "volume": "volume",
    },
    "ATTRIBUTE": {
        "colour": "colour|color|colours|colors|shade|hue",
        "material": "material|fabric|materials",
        "pattern": "pattern",
        "shape": "shape",
        "brand": "brand|make",
        "state": "state|condition",
    },
    "TITLE": {"title": "title|name|headline|inscription|label|lettering|writing|text|caption|printing|brand name"},
    # --- places ---
    "PREP": {
        "on": "on|on top of|upon|atop|on the top of|on the surface of|over on|sitting on|resting on|up on|on top|"
        "lying on|at the top of",
        "inside": "inside|inside of|within",
        "in": "in",
        "at": "at|around|round|all around|over at",
        "under": "under|underneath|beneath|at the bottom of",
        "below": "below",
        "above": "above|over",
        "beside": "next to|beside|by|alongside|adjacent to|at the side of|by the side of|right by|to the side of|"
        "on either side of|together with|along with|at the foot of",
        "near": "near|near to|close to|nearby|in the vicinity of|not far from|in the neighbourhood of|close by",
        "front": "in front of|ahead of|to the front of|in the front of|at the front of",
        "behind": "behind|in back of|at the back of|to the back of|to the rear of|at the rear of|hidden behind",
        "between": "between|in between|in the middle of|in the middle between|halfway between|midway between|among",
        "from": "from|off|off of|out of|away from",
        "to": "to|towards|toward|over to|up to|onto|into|on to",
        "through": "through|past|via|across|along|down",
        "against": "against|leaning against",
    },
    "LR": {"left": "left", "right": "right"},
    "BACK": {"behind": "back|rear", "front": "front"},
    "AHEAD": {
        "front": "in front|ahead|straight ahead|up ahead|directly ahead",
        "behind": "behind|in the back|in back",
    },
    "DIRECTLY": {"directly": "directly|immediately|right|just|straight"},
    "AWAY": {"away": "away|distant|apart|off"},
    "LESSTHAN": {
        "within": "within|less than|under|at most|no more than|not more than|inside|closer than|nearer than|"
        "in a radius of|within a radius of|no farther than|no further than|up to|within a distance of",
    },
    "MORETHAN": {
        "beyond": "more than|over|at least|farther than|further than|beyond|no less than|not less than|"
        "farther away than|further away than|no closer than|outside",
    },
    "ROUTE": {"path": "path|route|way|trajectory|track"},
    "VIEWNOUN": {
        "view": "position|current position|current pose|current place|current spot|current viewpoint|"
        "current location|"
        "present position|point of view|viewpoint|perspective|place|spot|angle|vantage point|standpoint|location|"
        "pose|view|side",
    },
    "SEENFROM": {
        "seen": "seen from|viewed from|looking from|observed from|looked at from|watching from|standing at|"
        "standing by|standing next to|looking out from|stand at|stood at|standing near",
    },
    "FACING": {
        "facing": "facing|looking at|looking towards|looking toward|standing in front of|turned towards|turned to|"
        "look at|face|standing facing|in front of|faces|looks at",
    },
    # --- times ---
    "DAYTIME": {
        "day": "yesterday|this morning|this afternoon|this evening|last night|tonight|this week|last week|"
        "the day before|the other day|this month|last month|in the morning|in the afternoon|in the evening|at noon|"
        "at midnight|at night|two days ago|last year|this year",
    },
    "NOW": {
        "now": "these days|nowadays|now|right now|just now|currently|at the moment|at present|at this moment|"
        "by now|"
        "presently|as of now|at this time|this instant|this moment|as things stand|as last seen|"
        "at this point",
    },
    "SOFAR": {
        "sofar": "so far|up till now|up to this point|until this point|up to this moment|in all this time|"
        "up to now|until now|till now|up until now|to date|thus far|as far as anyone knows|"
        "as far as anybody knows|as far as i know|as far as we know|as far as you know|as far as is known|"
        "today|to my knowledge|to our knowledge|to anyone's knowledge|to the best of our knowledge|"
        "until this moment",
    },
    "ALWAYS": {
        "always": "the whole time|all the time|always|all along|throughout|the entire time|at all times|"
        "all this time|continuously|without interruption|the whole while|permanently|without a break",
    },
    "EARLIER": {
        "earlier": "earlier|previously|before|formerly|in the past|beforehand|before that|earlier on|before then|"
        "a while ago|a while back|some time ago|before now|prior to that|once",
    },
    "ORIGINALLY": {
        "originally": "originally|at first|initially|in the beginning|at the start|at the beginning|to begin with|"
        "to start with|at the outset|in the first place|at the very start|at the very beginning|right at the start|"
        "right at the beginning|from the start|"
        "when i started|when we started",
    },
    "RECENTLY": {"recently": "recently|lately|just|a moment ago|moments ago|not long ago|a short while ago"},
    "AGO": {"ago": "ago|earlier|back|before now|before this"},
    "AT": {"at": "at|in|on|during|for|as of|by|around|throughout|over|within|in the course of"},
    "BEFORE": {
        "before": "before|prior to|previous to|until|till|up to|up until|earlier than|by the time|by",
        "just": "just before|shortly before|right before|a moment before|immediately before",
    },
    "AFTER": {
        "after": "after|following|later than|once|just after|right after|shortly after|since|ever since|"
        "starting from|from",
    },
    "WHENCONJ": {"when": "when|while|as|whilst|the moment|the time|at the time|at the time when"},
    "SEENORDER": {
        "first": "first|earlier|sooner|earliest|first of all|at first|initially|originally",
        "last": "last|later|latest|most recently|finally|last of all",
    },
    "OCCUPY": {
        "occupy": "occupy|occupies|occupied|occupying|take up|takes up|took up|taking up|fill|fills|filled|filling"
    },
    "EGO": {
        "side": "in front|ahead|behind|at my back|behind me|before me|in front of me|to one side|to my left|"
        "to my right|"
        "on my left|on my right|to the left|to the right|off to one side|to the side|at my side|ahead of me|left|"
        "right",
    },
    "RELATIVELY": {
        "me": "relative to me|in relation to me|with respect to me|as seen from me|seen from here|from where i am|"
        "from where i stand|from where i am standing|as seen from here|from here|from my position|from my place",
    },
    "UNMEASURED": {
        "unit": "litre|litres|liter|liters|kilo|kilos|kg|kilogram|kilograms|gram|grams|pound|pounds|gallon|gallons|"
        "degrees celsius|euros|dollars|volts|watts|calories|decibels|pixels|percent",
    },
    "FORMER": {"old": "old|former|previous|earlier", "first": "original|first|initial"},
    "SIGHTING": {"base": "have|get|got|bring|has|having", "past": "had|got|brought"},
    "ORDINAL": {
        "1": "first|1st|initial|earliest|opening",
        "2": "second|2nd",
        "3": "third|3rd",
        "4": "fourth|4th",
        "5": "fifth|5th",
        "-1": "last|latest|final|most recent|current|this|present",
        "-2": "previous|prior|last but one|earlier|preceding",
    },
    "VISIT": {
        "visit": "visit|visits|tour|tours|round|rounds|pass|passes|walk|walks|trip|trips|run|runs|lap|laps|time|"
        "time round|time around|time through|time here|inspection|inspections|patrol|patrols|walkthrough|"
        "walkthroughs|session|sessions|recording|circuit|sweep|sweeps|shift|shifts|look around",
    },
    "WALK": {"walk": "recording|walk|video|clip|film|sequence|footage|run|session|whole recording|day|log"},
    "START": {
        "start": "start|beginning|very start|very beginning|outset",
        "end": "end|very end|close|finish",
    },
    "PAST": {"last": "last|past|previous|preceding|final", "first": "first|initial|opening"},
    "INTO": {"into": "into|in to|in|after the start|after the beginning|from the start|since the start"},
    "FRAME": {"frame": "frame|frame number|frame no|image|image number|keyframe|frames"},
    # --- said in passing ---
    "ADVERB": {
        "still": "still|as ever|even now",
        "already": "already",
        "ever": "ever|at any time|at any point|at some point|at all|anywhere|somewhere|anytime",
        "again": "again|once more",
        "together": "altogether|in total|all together|in all|overall|all told|combined|total",
        "apart": "measured from centre to centre|measured centre to centre|measured in a straight line|"
        "centre-to-centre|center-to-center|centre to centre|center to center|from centre to centre|"
        "from center to center|as the crow flies|"
        "in a straight line|apart|from each other|from one another|away from each other|to each other|"
        "to one another",
        "also": "a little|a little bit|a bit|a touch|somewhat|to one side|aside|also|too|as well|even",
        "anymore": "anymore|any more|any longer",
        "alone": "by itself|on its own|by themselves|of its own accord|on their own",
        "adjacent": "side by side|next to each other|beside each other|next to one another|in a row",
        "map": "in my map|in my own map|in my own coordinates|in my frame|in the map|on the map|on my map",
        "yet": "yet",
        "left": "left|remaining",
        "elsewhere": "elsewhere|somewhere else|away|off",
        "nth": "twice|thrice|more than once|only once|repeatedly|several times|many times",
        "then": "then|at that time|at that moment|at that point|back then|in those days|at the time",
        "after": "afterwards|after that|later on|next|since then|thereafter",
    },
    "STATE": {
        "gone": "gone|missing|absent|lost|not there|removed|no longer there|not there any more|not there anymore|"
        "no longer here|gone for good",
        "present": "known|on record|on file|remembered|in here|around here|there|present|in place|in its place|"
        "in their place|around|here",
        "unmoved": "where it was|where they were|in the same place|at the same place|in the same spot|"
        "at the same spot|in the same position|at the same location|where i left it|where it was before|"
        "in its old place|in its original place|where it used to be|in the same place as before|"
        "at the same place as before|in the same spot as before|where it had been|where it was earlier",
        "displaced": "out of place|somewhere else|in a different place|in another place|elsewhere|displaced|"
        "at a different place|in a new place|not where it was|not where they were|not where it used to be|"
        "no longer where it was|not in its place|not where it was before|not in the same place|not in place",
        "visible": "visible|in view|in sight|on view|in my view|in the frame|in the picture|in the image|"
        "in my field of view|in frame|within view|within sight",
        "new": "new|newly there|newly added",
        "hidden": "hidden from view|hidden from sight|out of my view|out of my sight|hidden|occluded|covered|"
        "out of sight|out of view|obscured|concealed",
        "moving": "moving|in motion|rolling",
        "different": "different|changed|altered",
    },
    "QUALITY": {
        "open": "open|opened",
        "closed": "closed|shut",
        "on": "switched on|turned on",
        "off": "switched off|turned off",
        "empty": "empty",
        "full": "full|filled",
        "clean": "clean|tidy",
        "dirty": "dirty|messy|cluttered",
        "locked": "locked",
        "unlocked": "unlocked",
        "broken": "broken",
        "occupied": "occupied",
    },
}
