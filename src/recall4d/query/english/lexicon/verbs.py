"""Verbs in classes that mean the same to a memory of places; irregular ones give all five forms."""

from typing import Literal

VerbClass = Literal[
    "see", "leave", "stand", "move", "appear", "vanish", "change", "have", "face", "touch", "say", "resemble",
    "pass", "know", "need", "part", "hide", "made", "stay",
]  # fmt: skip

VERBS: dict[VerbClass, str] = {
    "see": "have a look at/has a look at/had a look at/had a look at/having a look at|"
    "have another look at/has another look at/had another look at/had another look at/having another look at|"
    "take a look at/takes a look at/took a look at/taken a look at/taking a look at|"
    "take another look at/takes another look at/took another look at/taken another look at/taking another look at|"
    "have eyes on/has eyes on/had eyes on/had eyes on/having eyes on|catch/catches/caught/caught/catching|"
    "get to see/gets to see/got to see/got to see/getting to see|"
    "get a look at/gets a look at/got a look at/got a look at/getting a look at|"
    "see/sees/saw/seen/seeing|notice|spot|observe|detect|view|encounter|find/finds/found/found/finding|"
    "record|glimpse|witness|come across/comes across/came across/come across/coming across|look at|"
    "look for|search for|"
    "catch sight of/catches sight of/caught sight of/caught sight of/catching sight of|perceive|identify|"
    "capture|run into/runs into/ran into/run into/running into|"
    "come upon/comes upon/came upon/come upon/coming upon|recognise|recognize|register|film|photograph|"
    "count|look|search|meet/meets/met/met/meeting|discover|watch|"
    "lay eyes on/lays eyes on/laid eyes on/laid eyes on/laying eyes on|stumble upon|stumble across|"
    "locate|set eyes on/sets eyes on/set eyes on/set eyes on/setting eyes on|"
    "have in view/has in view/had in view/had in view/having in view",
    "leave": "leave/leaves/left/left/leaving|put/puts/put/put/putting|place|lay/lays/laid/laid/laying|"
    "set down/sets down/set down/set down/setting down|put down/puts down/put down/put down/putting down|"
    "store|keep/keeps/kept/kept/keeping|park|deposit|stow|forget/forgets/forgot/forgotten/forgetting|"
    "misplace|set/sets/set/set/setting|stash|put away/puts away/put away/put away/putting away|"
    "leave behind/leaves behind/left behind/left behind/leaving behind|drop off|drop",
    "stand": "sit down/sits down/sat down/sat down/sitting down|lie down/lies down/lay down/lain down/lying down|"
    "peep out|peek out|poke out|stick out/sticks out/stuck out/stuck out/sticking out|protrude|loiter|"
    "lurk|"
    "take up space/takes up space/took up space/taken up space/taking up space|reside|remain|"
    "stand/stands/stood/stood/standing|lie/lies/lay/lain/lying|sit/sits/sat/sat/sitting|rest|"
    "hang/hangs/hung/hung/hanging|situate|position|mount|lean|stay|belong|remain|wait|stack|live|install|"
    "locate|be located/is located/was located/been located/being located|plug in|pile|attach|"
    "stick/sticks/stuck/stuck/sticking|fix|perch|float|exist|find/finds/found/found/finding",
    "move": "move|shove|nudge|shift|roll|push|slide/slides/slid/slid/sliding|relocate|displace|wander|swap|"
    "transfer|travel|"
    "end up/ends up/ended up/ended up/ending up|go/goes/went/gone/going|drift|carry|drag|pull|migrate|"
    "rearrange|bring/brings/brought/brought/bringing|reposition|"
    "get moved/gets moved/got moved/got moved/getting moved|wander off|roll away|roll off|"
    "go off/goes off/went off/gone off/going off|shift around|move around|move away|"
    "get to/gets to/got to/got to/getting to|move over|wind up/winds up/wound up/wound up/winding up|"
    "bounce|change place|change its place|change its position|change its location|change its spot|"
    "change their places|swap sides|change places|change position|change positions|change sides|change side|"
    "change location|switch sides|switch places|swap places|trade places|carry off|carry over|move off|"
    "knock over|turn around|bring over/brings over/brought over/brought over/bringing over|"
    "spin/spins/spun/spun/spinning|run off/runs off/ran off/run off/running off|"
    "take over/takes over/took over/taken over/taking over|"
    "come to rest/comes to rest/came to rest/come to rest/coming to rest|land|"
    "fall/falls/fell/fallen/falling|tip over|take/takes/took/taken/taking|come/comes/came/come/coming",
    "appear": "meet my eye/meets my eye/met my eye/met my eye/meeting my eye|"
    "catch my eye/catches my eye/caught my eye/caught my eye/catching my eye|enter view|"
    "come to light/comes to light/came to light/come to light/coming to light|appear|arrive|"
    "show up/shows up/showed up/shown up/showing up|turn up|pop up|emerge|add|introduce|"
    "come into view/comes into view/came into view/come into view/coming into view|deliver|join|crop up|"
    "come into sight/comes into sight/came into sight/come into sight/coming into sight|"
    "come in/comes in/came in/come in/coming in|bring in/brings in/brought in/brought in/bringing in",
    "vanish": "disappear from view|disappear from sight|vanish from view|vanish from sight|disappear from my view|"
    "vanish from my view|leave my view/leaves my view/left my view/left my view/leaving my view|drop out of sight|"
    "drop out of view|"
    "go out of sight/goes out of sight/went out of sight/gone out of sight/going out of sight|"
    "go out of view/goes out of view/went out of view/gone out of view/going out of view|disappear|vanish|"
    "go missing/goes missing/went missing/gone missing/going missing|remove|"
    "take away/takes away/took away/taken away/taking away|"
    "get lost/gets lost/got lost/got lost/getting lost|clear away|carry away|"
    "leave view/leaves view/left view/left view/leaving view|lose/loses/lost/lost/losing|"
    "steal/steals/stole/stolen/stealing|take off/takes off/took off/taken off/taking off|clear off|"
    "go away/goes away/went away/gone away/going away|leave/leaves/left/left/leaving|"
    "take out/takes out/took out/taken out/taking out|"
    "get removed/gets removed/got removed/got removed/getting removed",
    "change": "change|alter|differ|happen|occur|look different|vary|"
    "be different/is different/was different/been different/being different",
    "have": "have/has/had/had/having|contain|hold/holds/held/held/holding|include|own|feature",
    "face": "face|turn round|turn around|turn to face|turn to|turn toward|turn towards|look to|turn to see|"
    "turn to look at|look to see|"
    "go to reach/goes to reach/went to reach/gone to reach/going to reach|reach|head for|head towards|"
    "head to|get to/gets to/got to/got to/getting to|go to/goes to/went to/gone to/going to|walk to|head|"
    "turn|point|go to find/goes to find/went to find/gone to find/going to find|turn in order to face",
    "touch": "touch|disturb|tamper with|handle|budge|mess with|interfere with|use|play with|pick up|lift|"
    "shake/shakes/shook/shaken/shaking",
    "say": "paint|draw/draws/drew/drawn/drawing|picture|depict|say/says/said/said/saying|"
    "read/reads/read/read/reading|write/writes/wrote/written/writing|print|"
    "write on/writes on/wrote on/written on/writing on|call|title|entitle|name|label|inscribe",
    "resemble": "look like|look|resemble|seem",
    "pass": "set foot in/sets foot in/set foot in/set foot in/setting foot in|"
    "step into|come to/comes to/came to/come to/coming to|walk past|pass by|walk by|pass|enter|"
    "go into/goes into/went into/gone into/going into|elapse|walk|"
    "come through/comes through/came through/come through/coming through|visit|walk through|walk into|"
    "tour|explore|go through/goes through/went through/gone through/going through|"
    "go by/goes by/went by/gone by/going by|come by/comes by/came by/come by/coming by|"
    "come into/comes into/came into/come into/coming into|"
    "go past/goes past/went past/gone past/going past|"
    "come past/comes past/came past/come past/coming past|"
    "drive past/drives past/drove past/driven past/driving past|"
    "drive by/drives by/drove by/driven by/driving by|"
    "drive through/drives through/drove through/driven through/driving through|"
    "leave/leaves/left/left/leaving",
    "know": "know/knows/knew/known/knowing|remember|recall|explain|report|determine|check",
    "need": "fetch|pick|get/gets/got/got/getting|grab|pick up|need|want|like|miss|require",
    "part": "separate|lie apart/lies apart/lay apart/lain apart/lying apart",
    "hide": "hide/hides/hid/hidden/hiding|conceal|cover|obscure|block|screen",
    "made": "make of/makes of/made of/made of/making of|make from/makes from/made from/made from/making from|"
    "make out of/makes out of/made out of/made out of/making out of",
    "stay": "stay|remain|stay put",
}
