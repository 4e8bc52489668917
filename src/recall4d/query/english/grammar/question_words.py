"""Question words: "where", "at what time", "which mug", "how many metres", "on which shelf".

`whadv` asks about a clause that has its own subject; `whnp` is itself the subject or the object.
"""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.grammar.nouns import narrowed
from recall4d.query.english.grammar.places import SIDE_PAIRS
from recall4d.query.english.phrases import Modifier, NounPhrase, Ranked, Relation, Wh, Word

NOT_HELD = ("from", "to", "through", "between")
"""Prepositions after which "what" does not ask for what holds a thing."""

_NAMES = {"often": "how_often", "far": "how_far", "long": "how_long"}

# --- about a clause --------------------------------------------------------------------------------------------


@rule("whadv -> WHERE|WHEN|HOWOFTEN|howfar|HOWLONG|WHICHWAY")
def _(kind: str) -> Wh:
    return Wh(_NAMES.get(kind, kind))


@rule("whadv -> 'to|in|at|on|since'? 'what|which' PLACENOUN|TIMENOUN")
def _(kind: str) -> Wh:
    return Wh("where" if kind == "place" else "when")


@rule("whadv -> HOWLONG 'ago'")
def _(_long: str) -> Wh:
    return Wh("how_long_ago")


@rule("whadv -> 'how' 'many' UNIT_T 'ago'")
def _(_seconds: float) -> Wh:
    return Wh("how_long_ago")


@rule("whadv -> 'for'? 'how' 'many' UNIT_T")
def _(_seconds: float) -> Wh:
    return Wh("how_long")


@rule("whadv -> 'for' HOWLONG")
def _(_long: str) -> Wh:
    return Wh("how_long")


@rule("howfar -> HOWFAR")
def _(kind: str) -> str:
    return kind


@rule("howfar -> 'by|over'? 'how' 'many' UNIT_L AWAY?")
def _(_metres: float, _away: str | None) -> str:
    return "far"


@rule("howfar -> 'by|over|at' HOWFAR")
def _(kind: str) -> str:
    return kind


@rule("whadv -> HOWSIZE")
def _(detail: str) -> Wh:
    return Wh("size", detail=detail)


@rule("whadv -> 'what|which' SIZENOUN")
def _(detail: str) -> Wh:
    return Wh("size", detail=detail)


@rule("whadv -> 'what|which' ATTRIBUTE")
def _(detail: str) -> Wh:
    return Wh("attribute", detail=detail)


@rule("whadv -> 'what|which' TITLE")
def _(_title: str) -> Wh:
    return Wh("title")


@rule("whadv -> WHICHSIDE")
def _(pair: str) -> Wh:
    return Wh("side", detail=pair if pair in SIDE_PAIRS else None)


@rule("whadv -> WHICHSIDE 'of' landmark")
def _(pair: str, landmark: NounPhrase) -> Wh:
    return Wh("side", landmark, pair if pair in SIDE_PAIRS else None)


@rule("whadv -> PREP 'what|which'")
def _(kind: str) -> Wh | None:
    """On what is it lying?"""
    return Wh("what_on", detail=kind) if kind not in NOT_HELD else None


@rule("whadv -> PREP WHICHDET nbar", cost=0.1)
def _(kind: str, _which: str, noun: NounPhrase) -> Wh | None:
    """On which shelf is it?"""
    return Wh("what_on", noun, kind) if kind not in NOT_HELD else None


# --- about a thing ---------------------------------------------------------------------------------------------


@rule("whnp -> WHAT", cost=0.1)
def _(_what: str) -> Wh:
    return Wh("what", NounPhrase(generic=True))


@rule("whnp -> 'what|which' GENERIC")
def _(_thing: str) -> Wh:
    return Wh("what", NounPhrase(generic=True))


@rule("whnp -> WHICH", cost=0.3)
def _(_which: str) -> Wh:
    return Wh("which", NounPhrase(generic=True))


@rule("whnp -> WHICHDET NUM? nbar", cost=0.1)
def _(_which: str, number: float | None, noun: NounPhrase) -> Wh:
    return Wh("which", replace(noun, number=None if number is None else int(number)))


@rule("whnp -> WHICHOF landmark|group")
def _(_which: str, phrase: NounPhrase) -> Wh:
    return Wh("which", phrase)


@rule("whnp -> 'of' landmark|group ','? WHICH", cost=0.1)
def _(phrase: NounPhrase, _which: str) -> Wh:
    """Of the two mugs, which one ..."""
    return Wh("which", phrase)


@rule("whnp -> 'of' landmark|group ','? HOWMANY", cost=0.1)
def _(phrase: NounPhrase, _how: str) -> Wh:
    """Of the mugs on the table, how many ..."""
    return Wh("how_many", phrase)


@rule("whnp -> 'of' landmark|group ','? WHAT", cost=0.2)
def _(phrase: NounPhrase, _what: str) -> Wh:
    """Of all that lies on the table, what ..."""
    return Wh("which", phrase)


@rule("whnp -> whnp rel|feature", cost=0.05)
def _(wh: Wh, modifier: Modifier) -> Wh | None:
    """Which box of food on the shelf ..."""
    of_movement = isinstance(modifier, Relation) and modifier.kind in ("to", "through")
    return None if wh.phrase is None or of_movement else replace(wh, phrase=narrowed(wh.phrase, modifier))


@rule("whnp -> whnp relative", cost=0.1)
def _(wh: Wh, modifiers: tuple[Modifier, ...]) -> Wh | None:
    return None if wh.phrase is None else replace(wh, phrase=narrowed(wh.phrase, *modifiers))


@rule("whnp -> whnp word", cost=0.2)
def _(wh: Wh, word: Word) -> Wh | None:
    """How many mugs in total ..."""
    return wh if word.kind in ("together", "also") else None


@rule("whnp -> WHO")
def _(_who: str) -> Wh:
    return Wh("who")


@rule("whnp -> 'which|what' AGENTNOUN")
def _(_agent: str) -> Wh:
    return Wh("who")


@rule("whnp -> 'which' 'one'? 'of' 'the' NUM? AGENTNOUN")
def _(_number: float | None, _agent: str) -> Wh:
    return Wh("who")


@rule("whnp -> HOWMANY nbar")
def _(_how: str, noun: NounPhrase) -> Wh:
    return Wh("how_many", noun)


@rule("whnp -> HOWMANY nbar 'and|or' nbar", cost=0.3)
def _(_how: str, first: NounPhrase, second: NounPhrase) -> Wh | None:
    """How many books and papers ..."""
    return Wh("how_many", _kinds(first, second))


@rule("whnp -> WHICHDET nbar 'and|or' nbar", cost=0.3)
def _(_which: str, first: NounPhrase, second: NounPhrase) -> Wh | None:
    return Wh("which", _kinds(first, second))


def _kinds(first: NounPhrase, second: NounPhrase) -> NounPhrase:
    return NounPhrase(members=(first, second), joined="and", plural=True)


@rule("whnp -> HOWMANY 'of'? np", cost=0.2)
def _(_how: str, phrase: NounPhrase) -> Wh:
    return Wh("how_many", phrase)


@rule("whnp -> 'what|which' NUMBEROF np")
def _(_number: str, phrase: NounPhrase) -> Wh:
    return Wh("how_many", phrase)


@rule("whnp -> 'how' 'many' 'more' nbar 'than' landmark")
def _(noun: NounPhrase, than: NounPhrase) -> Wh:
    return Wh("how_many", narrowed(noun, Ranked("more", than=than, superlative=False)))


@rule("comp -> 'than' landmark", cost=0.2)
def _(than: NounPhrase) -> Ranked:
    """How many more chairs are there than tables?"""
    return Ranked("more", than=than, superlative=False)


@rule("whnp -> HOWMANY", cost=1.0)
def _(_how: str) -> Wh:
    return Wh("how_many", NounPhrase(pronoun="one"))
