"""The words of the grammar, as data.

`FUNCTION_WORDS` give grammar symbols to words and phrases; `VERBS` are classes of verbs that mean the same to a
memory of places. Nouns are open: any word that is none of these may name a thing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Literal

from recall4d.query import vocabulary
from recall4d.query.morphology import inflections
from recall4d.units import METRES_PER_UNIT, SECONDS_PER_UNIT

VerbClass = Literal[
    "be", "see", "leave", "move", "appear", "vanish", "change", "have", "face", "say", "resemble", "touch", "stand",
    "pass", "know", "need", "part", "hide", "made", "stay",
]  # fmt: skip
Form = Literal["base", "third", "past", "participle", "ing"]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb in one of its forms."""

    kind: VerbClass
    form: Form
    lemma: str


# symbol -> value -> words and phrases, separated by bars
FUNCTION_WORDS: dict[str, dict[str, str]] = {
    "DET": {
        "the": "the", "a": "a|an|another|some|any kind of|a kind of|some kind of", "any": "any|any other",
        "all": "all|all the|all of the|every|each|each of the", "no": "no", "this": "this|these|that|those",
        "my": "my|our|your|his|her|their|its",
    },
    "MY": {"asker": "my|our", "it": "its|their"},
    "THERE": {"there": "there"},
    "HERE": {"here": "here|around here|over here|in here|right here|where i am|where i am now"},
    "PRONOUN": {
        "it": "it|that|this|that thing|this thing", "they": "they|them|those|these|they all|all of them|both of them",
    },
    "ONE": {"one": "one|ones"},
    "OTHER": {"other": "other|others|remaining|second one|rest"},
    "GENERIC": {
        "thing": "thing|things|object|objects|item|items|something|anything|everything|stuff|something else|anything else|what else|else|piece|pieces|belongings|"
        "entity|entities|all kinds of things|sort of thing|kind of thing|kinds of things",
    },
    "NOBODY": {"anyone": "anyone|anybody|someone|somebody|everyone|everybody|either of us|any of us|all of us"},
    "ASKER": {"asker": "i|me|myself|i myself|the camera|the robot|this robot|this camera|the wearer|the user"},
    "ANYONE": {"anyone": "we|us|you|they|people|one|the team|the robots|the agents|any agent|any robot|the cameras"},
    "AGENTNOUN": {"agent": "agent|agents|robot|robots|camera|cameras|person|people|of us|observer|wearer"},
    "BE_PRESENT": {"present": "is|are|am|'s|be"},
    "BE_PAST": {"past": "was|were|been"},
    "DO_PRESENT": {"present": "do|does"},
    "DO_PAST": {"past": "did"},
    "HAVE_AUX": {"present": "has|have|'s", "past": "had"},
    "MODAL": {"present": "can|could|should|would|will|might|may|must|shall"},
    "NOT": {"not": "not|no longer|never|not any more|not any longer"},
    "AND": {"and": "and|and the|as well as|plus|,"},
    "OR": {"or": "or|,|, or|or else"},
    "WHAT": {"what": "what|which things|which objects|which items|what things|what objects|what items|what else|"
             "what all|what kinds of things|what sort of things|what kind of thing|what kind of object|what stuff|"
             "what thing|what object|what item|which thing|which object|which item|whatever"},
    "WHICHDET": {"which": "which|what|which kind of|what kind of|which type of|what type of|what sort of|which other|"
                 "what other|which particular|which specific"},
    "WHICHOF": {"which": "which of|which one of|what of|which ones of|which ones among|which among|which out of"},
    "WHICH": {"which": "which|which one|which ones|which of these|which of those|which of them|which of the two|"
              "which of both|which of the things|what"},
    "WHO": {"who": "who|whom|which agent|which robot|which of us|which camera|which one of us|who else|which person|"
            "what agent|what robot|which agents|which robots|who all|who of us|which of the robots|"
            "which of the agents|which of the two agents|which of the two robots|which of the cameras"},
    "WHERE": {"where": "where|whereabouts|where exactly|in which place|in what place|at which place|at what place|"
              "in which spot|at which spot|in what location|at what location|at which location|in which location|"
              "where about|where abouts|where all|where else|in which position|what place|which place|what spot|"
              "to which place|which spot|which location|where in the world"},
    "WHEN": {"when": "when|at what time|at which time|what time|at what moment|at which moment|at what point|"
             "at which point|when exactly|at what instant|at which instant|in which frame|since when|"
             "at what second|at what point in time|which moment|at which second|how early|how late|"
             "at what time stamp|at which timestamp|at what timestamp"},
    "HOWMANY": {"many": "how many|how many different|how many distinct|how many separate|what number of|"
                "which number of|how many of|how many of the|how many of those|how many of these|how many more|"
                "how much"},
    "NUMBEROF": {"many": "number of|count of|total number of|amount of|total of|total count of|quantity of"},
    "HOWOFTEN": {"often": "how often|how many times|how many separate times|on how many occasions|how frequently"},
    "HOWFAR": {"far": "how far|how far away|how far off|how far apart|how close|how near|how much distance|"
               "how great a distance|how many metres|how many meters|how many centimetres|how many centimeters|"
               "how many feet|how many inches|how much|by how much|by how many centimetres|by how many centimeters|"
               "by how many metres|by how many meters|by how many inches|what distance|which distance|"
               "how much space|how much room|how many metres away|how many meters away|over what distance|how far away from each other|"
               "by what distance|how many steps|about how far"},
    "HOWLONG": {"long": "how long|for how long|how many seconds|how many minutes|how much time|for how many seconds|"
                "for what time|what length of time|how many hours|for how many minutes"},
    "HOWLONGAGO": {"ago": "how long ago|how many seconds ago|how many minutes ago|how much time ago|how long since|"
                   "how long is it since|how long has it been since|how much time has passed since|"
                   "how long has passed since|how many seconds have passed since|how many seconds since|"
                   "how many minutes since|how many minutes have passed since|how many seconds is it since|"
                   "how much time passed since|how many seconds has it been since|how much time since"},
    "HOWSIZE": {
        "height": "how high|how tall", "top": "how high up|at what height|at which height|how high above the floor|"
        "how high off the ground|how high above the ground|how far off the floor|how far above the floor|"
        "how far up|how far above the ground|how far off the ground|how high off the floor",
        "width": "how wide|how broad", "length": "how long", "depth": "how deep|how thick", "size": "how big|how large",
    },
    "SIZENOUN": {
        "height": "height", "width": "width|breadth", "length": "length", "depth": "depth|thickness",
        "size": "size|dimensions|extent|measurements|dimension", "volume": "volume",
    },
    "WHICHWAY": {"way": "which way|in which direction|in what direction|which direction|what direction|what way|"
                 "on which side of me|to which side|on what side of me|at what bearing|what bearing|what heading|"
                 "in which heading|which direction do i turn to face|where do i turn to face|which heading"},
    "WHICHSIDE": {
        "side": "on which side|at which side|on what side|to which side|which side|what side",
        "left_right": "at which end|at what end|on which end|at which hand|which end|on which hand|which hand side|"
        "on which hand side|to which hand",
    },
    "ATTRIBUTE": {
        "colour": "colour|color|colours|colors|shade|hue", "material": "material|fabric|materials",
        "pattern": "pattern", "shape": "shape", "brand": "brand|make", "state": "state|condition",
    },
    "TITLE": {"title": "title|name|headline|inscription|label|lettering|writing|text|caption|printing|brand name"},
    "PLACENOUN": {"place": "location|position|place|spot|whereabouts|coordinates|resting place|location in the map|"
                  "current location|current position|last known location|last known position|exact location|"
                  "last known place"},
    "DISTANCE": {"distance": "distance|gap|separation|space|spacing|straight-line distance|"
                 "straight line distance|clearance"},
    "DIRECTION": {"way": "direction|bearing|heading"},
    "PREP": {
        "on": "on|on top of|upon|atop|on the top of|on the surface of|over on|sitting on|resting on|"
        "up on|on top|across the top of|lying on|in the middle of the top of|at the top of",
        "inside": "inside|inside of|within|in the inside of",
        "in": "in",
        "at": "at|around|round|all around|over at",
        "under": "under|underneath|beneath|down under|at the bottom of",
        "below": "below",
        "above": "above|over",
        "beside": "next to|beside|by|alongside|adjacent to|at the side of|by the side of|right by|to the side of|"
        "on either side of|together with|along with|at the foot of|besides",
        "near": "near|near to|close to|nearby|in the vicinity of|not far from|in the neighbourhood of|close by|"
        "in the area of|in the neighborhood of|in the surroundings of",
        "left": "left of|to the left of|on the left of|on the left side of|on the left hand side of|at the left of|"
        "on the left-hand side of|to the left side of|left from|to the left from|at the left side of|"
        "on the left from|to the left hand side of|to the left-hand side of|at the left end of|in the left of",
        "right": "right of|to the right of|on the right of|on the right side of|on the right hand side of|"
        "at the right of|on the right-hand side of|to the right side of|right from|to the right from|"
        "at the right side of|on the right from|to the right hand side of|to the right-hand side of|"
        "at the right end of|in the right of",
        "front": "in front of|ahead of|to the front of|in the front of|at the front of",
        "behind": "behind|in back of|at the back of|to the back of|to the rear of|at the rear of|on the far side of|"
        "hidden behind|behind of",
        "between": "between|in between|in the middle of|in the middle between|halfway between|midway between|"
        "sandwiched between|amid|among",
        "from": "from|off|off of|out of|from off|away from", "to": "to|towards|toward|over to|up to|onto|into",
        "through": "through|past|via|across|along|down", "of": "of", "about": "about|regarding", "against": "against|leaning against",
    },
    "SIDEOF": {
        "left": "on the left|to the left|at the left|on the left side|on the left-hand side|on the left hand side|"
        "at the left end|on the left end|to the left side|at the left side",
        "right": "on the right|to the right|at the right|on the right side|on the right-hand side|"
        "on the right hand side|at the right end|on the right end|to the right side|at the right side",
        "front": "in front|ahead|straight ahead|up front|up ahead|directly ahead|at the front",
        "behind": "behind|at the back|in the back|in back|at the rear",
    },
    "SIDEPLACE": {
        "left": "left|left side|left hand|left-hand side|left hand side", "front": "front",
        "right": "right|right side|right hand|right-hand side|right hand side", "behind": "back|rear",
    },
    "SIDEWORD": {
        "left": "left|left-hand|leftmost|left hand", "right": "right|right-hand|rightmost|right hand",
        "top": "upper|top|uppermost|topmost", "bottom": "lower|bottom|lowest|bottommost",
    },
    "DIRECTLY": {"directly": "directly|immediately|right|just|straight|exactly|the next thing"},
    "AWAY": {"away": "away|distant|apart|off"},
    "SUPERLATIVE": {
        "nearest": "nearest|closest", "farthest": "farthest|furthest|most distant|remotest",
        "highest": "highest|topmost|uppermost", "lowest": "lowest|bottommost",
        "largest": "largest|biggest|bulkiest", "smallest": "smallest|littlest|tiniest",
        "tallest": "tallest", "shortest": "shortest", "widest": "widest|broadest", "longest": "longest",
        "leftmost": "leftmost|left most|furthest left|furthest to the left", "narrowest": "narrowest",
        "rightmost": "rightmost|right most|furthest right|furthest to the right",
    },
    "COMPARATIVE": {
        "nearest": "closer|nearer|less far|less distant", "farthest": "farther|further|farther away|further away|"
        "more distant|farther off|further off",
        "highest": "higher|higher up", "lowest": "lower|lower down", "largest": "bigger|larger",
        "smallest": "smaller", "tallest": "taller", "shortest": "shorter", "widest": "wider|broader",
        "longest": "longer", "narrowest": "narrower",
    },
    "SEENORDER": {
        "first": "first|earlier|sooner|earliest|before the other|for the first time|the first time|first of all|"
        "at first|initially|originally",
        "last": "last|later|latest|after the other|for the last time|the last time|most recently|most lately|"
        "finally|last of all",
    },
    "ADVERB": {
        "still": "still|yet still|as ever|even now|still there as before", "already": "already|previously|before now",
        "ever": "ever|at any time|at any point|at some point|at all|anywhere|somewhere|anytime|in any place|"
        "at any moment", "again": "again|once more", "together": "altogether|in total|all together|in all|overall|"
        "all told|combined|total", "apart": "apart|from each other|from one another|away from each other|"
        "to each other|to one another", "also": "also|too|as well|even",
        "anymore": "anymore|any more|any longer|no longer",
        "adjacent": "side by side|next to each other|beside each other|next to one another|in a row",
        "map": "in my map|in my own map|in my own coordinates|in my frame|in the map|on the map|in my coordinate frame",
        "alone": "by itself|on its own|by themselves|of its own accord|on their own",
        "yet": "yet", "left": "left|remaining", "elsewhere": "elsewhere|somewhere else|away|off",
    },
    "STATE": {
        "gone": "gone|missing|absent|lost|not there|removed|no longer there|not there any more|"
        "not there anymore|no longer here|gone for good|disappeared|vanished",
        "present": "there|present|in place|in its place|in their place|where it was|where they were|around|"
        "in the same place|at the same place|in the same spot|at its place|here|in position|where i left it|"
        "where it was before|in its old place|in its original place|where it used to be|in the original place",
        "displaced": "out of place|somewhere else|in a different place|in another place|elsewhere|displaced|"
        "at a different place|in a new place|not where it was|not where they were|"
        "not where it used to be|no longer where it was|not in its place|not where it was before|"
        "not in the same place|not in place",
        "visible": "visible|in view|in sight|on view|in my view|in the frame|in the picture|in the image|"
        "in my field of view|in frame|within view|within sight|on camera|on screen",
        "new": "new|newly there|newly added|recent", "hidden": "hidden|occluded|covered|out of sight|out of view|"
        "obscured|concealed", "moving": "moving|in motion|rolling", "different": "different|changed|other|altered",
        "same": "the same|unchanged|identical|as before",
    },
    "FEATURE": {
        "with": "with|having|showing|wearing|carrying|featuring|marked|that has|which has|that have|covered in|"
        "covered with|full of|filled with|printed with|that contains|about|for",
        "like": "that looks like|which looks like|looking like|resembling|shaped like|that resembles|like",
        "titled": "labelled|labeled|titled|entitled|called|named|saying|reading|that say|that says|which says|"
        "that reads|with the words|with the title|marked with",
    },
    "WITHOUT": {"without": "without|with no|lacking|that has no|which has no|not having|free of|that is not|"
                "which is not|that are not|which are not|except|except for|other than|apart from|but not|excluding|"
                "besides|who is not"},
    "REL": {"that": "that|which|who"},
    "FRAME": {"frame": "frame|frame number|frame no|image|image number|keyframe|picture number|frames"},
    "ORDINAL": {
        "1": "first|1st|initial|earliest|opening", "2": "second|2nd", "3": "third|3rd", "4": "fourth|4th",
        "5": "fifth|5th", "-1": "last|latest|final|most recent|latest of all|current|this|present",
        "-2": "previous|prior|last but one|earlier|preceding",
    },
    "VISIT": {"visit": "visit|visits|tour|tours|round|rounds|pass|passes|walk|walks|trip|trips|run|runs|lap|laps|"
              "time|time round|time around|time through|time here|inspection|patrol|patrols|walkthrough|walk-through|"
              "walkthroughs|session|sessions|go|look|look around|look round|recording|circuit|shift|inspection round|"
              "inspections|sweep|sweeps|tour of the house|walk through the house|tour through the house"},
    "WALK": {"walk": "recording|walk|video|clip|film|sequence|footage|run|session|memory|whole recording|day|log"},
    "NOW": {"now": "now|right now|just now|currently|at the moment|at present|at this moment|these days|by now|"
            "presently|as of now|this very moment|at the current time|this instant|this moment|nowadays|today|"
            "for now|at this time|as things stand|as last seen|as we speak|at this point|as seen last"},
    "SOFAR": {"sofar": "so far|up to now|until now|till now|up until now|to date|thus far|in my life|"
              "as far as anyone knows|as far as i know|as far as we know|as far as you know|to my knowledge|"
              "to anyone's knowledge|up to this point|as far as memory goes|as far as anybody knows|"
              "as far as is known|as far as known|to the best of our knowledge|to the best of your knowledge|to our knowledge|until this moment"},
    "ALWAYS": {"always": "the whole time|all the time|always|all along|throughout|the entire time|at all times|"
               "all this time|continuously|without interruption|the whole while|all day|permanently|"
               "uninterruptedly|without a break|during the whole time"},
    "EARLIER": {"earlier": "earlier|previously|before|formerly|in the past|beforehand|before that|earlier on|"
                "in former times|before then|a while ago|a while back|some time ago|before now|prior to that|"
                "once"},
    "ORIGINALLY": {"originally": "originally|at first|initially|in the beginning|at the start|at the beginning|"
                   "to begin with|to start with|at the outset|in the first place|at the very start|"
                   "at the very beginning|from the start|from the beginning|when i started|when we started|"
                   "at the start of the recording|at the beginning of the recording|first of all"},
    "RECENTLY": {"recently": "recently|lately|just|a moment ago|moments ago|a second ago|just before|"
                 "a minute or so ago|not long ago|a short while ago|a little while ago"},
    "AFTERWARDS": {"after": "afterwards|after that|later|later on|then|next|since then|ever since|since|thereafter"},
    "AGO": {"ago": "ago|earlier|back|in the past|before now|before this"},
    "AT": {"at": "at|in|on|during|for|as of|by|around|throughout|over|within|in the course of"},
    "BEFORE": {"before": "before|prior to|previous to|until|till|up to|up until|earlier than|by the time|"
               "just before|shortly before|right before|by"},
    "AFTER": {"after": "after|following|later than|subsequent to|once|just after|right after|shortly after|"
              "since|ever since|starting from|from|beginning with"},
    "WHENCONJ": {"when": "when|while|as|whilst|at the time|the moment|at the moment when|the time|during the time|"
                 "at the time when|the first time|the first time that|on the occasion when|at the moment"},
    "LASTWHEN": {"lastwhen": "when|the last time|the last time that|the time"},
    "START": {"start": "start|beginning|very start|very beginning|outset|onset", "end": "end|very end|close|finish"},
    "PAST": {"last": "last|past|previous|preceding|final", "first": "first|initial|opening"},
    "INTO": {"into": "into|in to|into the recording|in|after the start|after the beginning|from the start|"
             "into the walk|into the video|from the beginning|into the run|since the start"},
    "VIEWNOUN": {"view": "position|point of view|viewpoint|perspective|place|spot|angle|vantage point|standpoint|"
                 "location|pose|view|side|stand point"},
    "SEENFROM": {"seen": "seen from|viewed from|looking from|as seen from|when seen from|observed from|"
                 "as viewed from|when viewed from|looked at from|as looked at from|watching from|standing at|"
                 "if seen from|if i stand at|when i stand at|when standing at|if you stand at|as one sees it from|"
                 "when looking from|from the viewpoint of|from the perspective of|from the point of view of|"
                 "from the position of|from the angle of|from the side of|from the vantage point of|"
                 "from the view of|from the pose of|if i stood at|looking out from|as i see it from|"
                 "in the view of|in the view from|standing by|standing next to"},
    "FACING": {"facing": "facing|looking at|looking towards|looking toward|when facing|if i face|as i face|"
               "as you face|standing in front of|when i face|while facing|if you face|when looking at|if i look at|"
               "as i look at|turned towards|turned to|while looking at|when you face|when i look at|"
               "if one faces|as one faces|when one faces|if i am facing|when i am facing|if i stand facing|"
               "standing facing|if i stand in front of|when i stand in front of|looking straight at|"
               "as i stand in front of|from in front of"},
    "MOST": {"most": "most"},
    "HAVETO": {"haveto": "have to|has to|need to|needs to|had to|want to|ought to|got to"},
    "SAYS": {"says": "says|say|said|reports|reported|claims|claimed|told me|tells me|thinks|believes|mentioned|"
             "noted|remembers|knows|insists|recalls|says that|reported that|claims that|thinks that"},
    "USEDTO": {"usedto": "used to"},
    "LESSTHAN": {"within": "within|less than|under|at most|no more than|not more than|inside|closer than|"
                 "nearer than|in a radius of|within a radius of|no farther than|no further than|up to|"
                 "in a range of|within a distance of|at a distance of less than|not farther than"},
    "MORETHAN": {"beyond": "more than|over|at least|farther than|further than|beyond|no less than|not less than|"
                 "at a distance of more than|farther away than|further away than|no closer than|outside"},
    "STATEADJ": {"new": "new|additional", "gone": "missing|lost|vanished", "hidden": "hidden", "moving": "moving",
                 "moved": "moved|displaced", "different": "different"},
    "QUALITY": {"open": "open|opened", "closed": "closed|shut", "on": "switched on|turned on",
                "off": "switched off|turned off", "empty": "empty", "full": "full", "clean": "clean|tidy",
                "dirty": "dirty|messy", "locked": "locked", "unlocked": "unlocked", "broken": "broken"},
    "INVIEWNOUN": {"view": "view|sight|field of view|frame|picture|image|front of me"},
}  # fmt: skip

# class -> verbs; irregular ones give base/third/past/participle/ing
VERBS: dict[VerbClass, str] = {
    "see": "see/sees/saw/seen/seeing|notice|spot|observe|detect|view|encounter|find/finds/found/found/finding|"
    "record|glimpse|witness|come across/comes across/came across/come across/coming across|"
    "catch sight of/catches sight of/caught sight of/caught sight of/catching sight of|look at|"
    "run into/runs into/ran into/run into/running into|perceive|identify|capture|"
    "come upon/comes upon/came upon/come upon/coming upon|recognise|recognize|register|film|photograph|count|look|search|"
    "lay eyes on/lays eyes on/laid eyes on/laid eyes on/laying eyes on|meet/meets/met/met/meeting|discover|"
    "have in view/has in view/had in view/had in view/having in view|stumble upon|watch|locate|"
    "set eyes on/sets eyes on/set eyes on/set eyes on/setting eyes on|look for|search for|look upon|stumble across|"
    "have sight of/has sight of/had sight of/had sight of/having sight of",
    "leave": "leave/leaves/left/left/leaving|put/puts/put/put/putting|place|lay/lays/laid/laid/laying|"
    "set down/sets down/set down/set down/setting down|put down/puts down/put down/put down/putting down|"
    "store|keep/keeps/kept/kept/keeping|park|deposit|stow|forget/forgets/forgot/forgotten/forgetting|misplace|"
    "set/sets/set/set/setting|stash|put away/puts away/put away/put away/putting away|"
    "leave behind/leaves behind/left behind/left behind/leaving behind|drop off|drop",
    "stand": "stand/stands/stood/stood/standing|lie/lies/lay/lain/lying|sit/sits/sat/sat/sitting|rest|"
    "hang/hangs/hung/hung/hanging|locate|situate|position|mount|lean|"
    "stay|belong|remain|wait|sleep|stack|lurk|live|reside|install|"
    "be located/is located/was located/been located/being located|plug in|pile|attach|"
    "stand up/stands up/stood up/stood up/standing up|stick/sticks/stuck/stuck/sticking|fix|perch|float|exist|find/finds/found/found/finding",
    "move": "move|shift|roll|push|slide/slides/slid/slid/sliding|relocate|displace|wander|"
    "end up/ends up/ended up/ended up/ending up|go/goes/went/gone/going|drift|carry|"
    "bring/brings/brought/brought/bringing|drag|pull|swap|transfer|travel|migrate|rearrange|"
    "reposition|get moved/gets moved/got moved/got moved/getting moved|wander off|roll away|go off/goes off/went off/"
    "gone off/going off|get to/gets to/got to/got to/getting to|shift around|move around|move away|move over|"
    "wind up/winds up/wound up/wound up/winding up|change place|change places|change position|change positions|"
    "change sides|change side|carry off|carry over|bring over/brings over/brought over/brought over/bringing over|"
    "change location|switch sides|switch places|roll off|run off/runs off/ran off/run off/running off|bounce|"
    "take over/takes over/took over/taken over/taking over|move off|knock over|turn around|spin|come to rest/"
    "comes to rest/came to rest/come to rest/coming to rest|land|hop|fly/flies/flew/flown/flying|"
    "fall/falls/fell/fallen/falling|tip over|take/takes/took/taken/taking|swap places|trade places|"
    "come/comes/came/come/coming",
    "appear": "appear|arrive|show up/shows up/showed up/shown up/showing up|turn up|pop up|emerge|add|introduce|"
    "come into view/comes into view/came into view/come into view/coming into view|"
    "come into sight/comes into sight/came into sight/come into sight/coming into sight|deliver|"
    "come in/comes in/came in/come in/coming in|"
    "join|spring up/springs up/sprang up/sprung up/springing up|crop up|"
    "bring in/brings in/brought in/brought in/bringing in|come up/comes up/came up/come up/coming up",
    "vanish": "disappear|vanish|go missing/goes missing/went missing/gone missing/going missing|remove|"
    "take away/takes away/took away/taken away/taking away|get lost/gets lost/got lost/got lost/getting lost|"
    "clear away|leave view/leaves view/left view/left view/leaving view|steal/steals/stole/stolen/stealing|"
    "take off/takes off/took off/taken off/taking off|go away/goes away/went away/gone away/going away|"
    "leave/leaves/left/left/leaving|drop out|lose/loses/lost/lost/losing|clear off|take out/takes out/took out/"
    "taken out/taking out|get removed/gets removed/got removed/got removed/getting removed|carry away|"
    "be gone/is gone/was gone/been gone/being gone|be missing/is missing/was missing/been missing/being missing",
    "change": "change|alter|differ|happen|be different/is different/was different/been different/being different|"
    "be new/is new/was new/been new/being new|occur|look different|vary",
    "have": "have/has/had/had/having|contain|hold/holds/held/held/holding|include|own|feature|house",
    "face": "face|turn to face|turn to|turn toward|turn towards|look to|turn to see|"
    "go to reach/goes to reach/went to reach/gone to reach/going to reach|reach|head for|head towards|head to|"
    "get to/gets to/got to/got to/getting to|go to/goes to/went to/gone to/going to|walk to|"
    "turn in order to face|look to see|turn to look at|go to find/goes to find/went to find/gone to find/"
    "going to find|turn for|head|turn|point",
    "touch": "touch|disturb|tamper with|handle|budge|mess with|interfere with|use|play with|"
    "pick up|pick|lift|shake/shakes/shook/shaken/shaking",
    "say": "say/says/said/said/saying|read/reads/read/read/reading|write/writes/wrote/written/writing|print|"
    "write on/writes on/wrote on/written on/writing on|call|title|entitle|name|label|inscribe|letter",
    "resemble": "look like|look|resemble|seem",
    "pass": "walk past|pass by|walk by|pass|enter|go into/goes into/went into/gone into/going into|"
    "come through/comes through/came through/come through/coming through|go through/goes through/went through/"
    "gone through/going through|walk through|come by/comes by/came by/come by/coming by|visit|"
    "come into/comes into/came into/come into/coming into|go past/goes past/went past/gone past/going past|"
    "leave/leaves/left/left/leaving|walk into|come past/comes past/came past/come past/coming past|"
    "drive past/drives past/drove past/driven past/driving past|drive by/drives by/drove by/driven by/driving by|"
    "come round/comes round/came round/come round/coming round|tour|walk|explore|"
    "drive through/drives through/drove through/driven through/driving through",
    "know": "know/knows/knew/known/knowing|remember|tell/tells/told/told/telling|recall|say/says/said/said/saying|"
    "show/shows/showed/shown/showing|find out/finds out/found out/found out/finding out|explain|report|"
    "work out|let me know|give/gives/gave/given/giving|determine|check|see/sees/saw/seen/seeing",
    "need": "need|want|look for|search for|like|try to find|miss|require",
    "part": "separate|lie apart/lies apart/lay apart/lain apart/lying apart",
    "hide": "hide/hides/hid/hidden/hiding|conceal|cover|obscure|block|screen",
    "made": "make of/makes of/made of/made of/making of|make from/makes from/made from/made from/making from|"
    "make out of/makes out of/made out of/made out of/making out of",
    "stay": "stay|remain|stay put|stay in place|stay where it was",
}  # fmt: skip

UNITS_OF_LENGTH = {unit: metres for unit, metres in METRES_PER_UNIT.items() if unit != "in"} | {
    "step": 0.75, "steps": 0.75, "pace": 0.75, "paces": 0.75,
}  # fmt: skip
UNITS_OF_TIME = dict(SECONDS_PER_UNIT)

ADJECTIVES = vocabulary.ADJECTIVES | frozenset(
    word for colour, names in vocabulary.COLOURS.items() for word in (colour, *names.split("|"))
)
"""Words that may be said of a thing on their own: "is it red?"."""

EMPTY_WORDS = frozenset(
    ["please", "actually", "really", "exactly", "precisely", "roughly", "approximately", "basically", "maybe", "perhaps", "kindly", "possibly", "probably", "likely", "apparently", "obviously", "certainly", "definitely", "simply", "quite", "somehow", "anyway", "truly", "honestly", "approx", "nearly", "almost", "completely", "clearly", "eventually", "ultimately", "quickly", "suddenly", "visibly", "physically"]
)
"""Adverbs that change nothing, wherever they stand."""

FILLERS = EMPTY_WORDS | frozenset(
    ["ok", "okay", "hey", "hi", "hello", "well", "so", "um", "uh", "oh", "thanks", "very", "pretty", "rather", "hmm", "er", "alright", "yes", "sorry", "buddy", "mate", "sir", "madam", "dear", "hm", "listen", "robot"]
)
"""Words that may be left out where nothing else makes sense of them."""

POLITE = tuple(
    tuple(phrase.split())
    for phrase in (
        "can you tell me", "could you tell me", "would you tell me", "please tell me", "tell me", "do you know",
        "do you remember", "can you remember", "do you happen to know", "i wonder", "i was wondering",
        "i would like to know", "i want to know", "i need to know", "let me know", "can you say", "could you say",
        "can you show me", "could you show me", "show me", "remind me", "can you remind me", "could you remind me",
        "would you happen to know", "any idea", "do you have any idea", "have you any idea", "i forgot", "i forget",
        "i do not remember", "i can not remember", "i do not know", "do we know", "does anyone know",
        "does anybody know", "can you find out", "could you find out", "can you check", "could you check", "check",
        "find out", "i am curious", "i am not sure", "according to memory", "according to your memory", "if i may ask",
        "by the way", "excuse me", "if you can", "if you know", "quick question", "one question", "just tell me",
        "would you mind telling me", "are you able to tell me", "is it possible to say", "can you recall",
        "do you recall", "in your memory", "from memory", "from your memory", "in memory", "do i remember correctly",
        "let me ask", "can anyone tell me", "could anyone tell me", "would you say", "do you think", "say",
        "can you work out", "could you work out", "work out", "help me find out", "i need you to tell me",
        "i wish to know", "i am wondering", "just wondering", "in your opinion", "you know", "and", "but", "also",
        "then", "so", "anyone know", "thank you", "thanks", "what about", "how about", "and what about",
        "is it true", "is it the case", "is it correct", "am i right", "can you see", "remember",
        "going by memory", "judging by memory", "to be precise", "in your log", "if possible", "for me",
        "in case you know", "report", "give me an answer", "estimate", "calculate", "determine",
        "can you estimate", "could you estimate", "can you calculate", "would you know", "might you know",
        "can you give me", "could you give me", "give me", "let us know", "please state", "state",
    )
)  # fmt: skip
"""Wrappers around a question, longest first once sorted; what follows is the question."""


@cache
def verb_forms() -> dict[tuple[str, ...], tuple[Verb, ...]]:
    """Every inflected form of every verb, as words."""
    forms: dict[tuple[str, ...], list[Verb]] = {}
    names: tuple[Form, ...] = ("base", "third", "past", "participle", "ing")
    for kind, verbs in VERBS.items():
        for written in verbs.split("|"):
            given = written.split("/")
            head, _, particle = given[0].partition(" ")
            every = given if len(given) == 5 else [f"{form} {particle}".strip() for form in inflections(head)]
            for name, form in zip(names, every, strict=True):
                entry = Verb(kind, name, given[0])
                if entry not in forms.setdefault(tuple(form.split()), []):
                    forms[tuple(form.split())].append(entry)
    return {words: tuple(found) for words, found in forms.items()}


@cache
def phrases() -> dict[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Every word and phrase of `FUNCTION_WORDS` with its (symbol, value) pairs."""
    found: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for symbol, values in FUNCTION_WORDS.items():
        for value, written in values.items():
            for phrase in written.split("|"):
                found.setdefault(tuple(phrase.split()), []).append((symbol, value))
    return {words: tuple(pairs) for words, pairs in found.items()}


@cache
def longest_phrase() -> int:
    """Most words in any phrase or verb."""
    return max(map(len, (*phrases(), *verb_forms())))
