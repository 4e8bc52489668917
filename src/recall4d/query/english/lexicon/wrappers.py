"""Words that surround a question without changing it."""

from recall4d.query.english.lexicon.sets import words

EMPTY_WORDS = words(
    "please loosely actually really exactly precisely roughly approximately basically maybe perhaps kindly "
    "possibly probably likely apparently obviously certainly definitely simply quite somehow anyway truly "
    "honestly approx partly partially slightly mostly mainly nearly almost completely clearly eventually "
    "ultimately quickly suddenly visibly physically"
)
"""Adverbs that change nothing, wherever they stand."""

FILLERS = EMPTY_WORDS | words(
    "ok okay hey hi hello well so um uh oh thanks very pretty rather hmm er alright yes sorry buddy mate sir madam "
    "dear hm listen robot"
)
"""Words that may be left out where nothing else makes sense of them."""

_ASKING = ("can you", "could you", "would you", "will you", "can anyone", "could anyone", "i need you to", "")
_TELLING = (
    "tell me", "help me", "show me", "say", "remind me", "find out", "check", "work out", "give me", "recall",
    "estimate",
    "calculate", "determine", "let me know", "report", "help me find out", "state",
)  # fmt: skip
_KNOWING = (
    "do you know", "do you remember", "can you remember", "do you happen to know", "would you know", "do we know",
    "do you happen to remember", "do you happen to recall", "might you know", "does anyone know",
    "does anybody know", "do you recall", "do you have any idea",
    "have you any idea", "have you got any idea", "got any idea", "any idea", "i wonder", "i was wondering",
    "i am wondering", "i would like to know",
    "i want to know", "i need to know", "i wish to know", "i forgot", "i forget", "i do not remember",
    "i can not remember", "i do not know", "i am curious", "i am not sure", 
    "would you mind telling me", "are you able to tell me", "let me ask", 
    "you know", "anyone know", "remember", "am i correct",
    "i believe", "i think", "i guess", "i suppose", "i reckon", "i assume",
    "i take it", "correct me if i am wrong",
)  # fmt: skip
_ASIDE = (
    "according to memory", "according to your memory", "by the way", "excuse me", "if you can", "if you know",
    "if possible", "quick question", "one question", "from memory", "in your memory", "going by memory",
    "thank you", "and", "but", "also", "then", "so", "what about", "how about", "for me",
)  # fmt: skip

_CLOSING = (
    "for me", "would you", "will you", "could you", "can you", "please", "thanks", "thank you", "if you can",
    "if you know",
    "if you would", "if you do not mind", "do you know", "by the way", "if possible", "cheers",
    "pretty please", "ta",
    "i think", "i believe", "i guess", "i suppose",
    "do you think", "would you say", "you reckon", "i wonder", "from memory", "again please", "in your memory",
    "of these", "of those", "on record", "in memory", "according to memory",
    "according to your memory", "in the recording", "in the video", "on the recording", "on video",
)  # fmt: skip

CLOSINGS = tuple(tuple(phrase.split()) for phrase in _CLOSING)
"""Phrases after a question that change nothing: "would you", "for me"."""

JUDGING = frozenset({("judging", "by"), ("judging", "from"), ("going", "by"), ("going", "from"), ("based", "on")})
"""How an aside begins that says what the answer is to rest on: memory, always. It ends at a comma."""

WRAPPERS = tuple(
    tuple(phrase.split())
    for phrase in (*(f"{ask} {tell}" for ask in _ASKING for tell in _TELLING), *_KNOWING, *_ASIDE)
)
"""Phrases before a question: "could you tell me", "do you know"."""
