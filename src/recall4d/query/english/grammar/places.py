"""Places: "on the table", "directly to the left of it", "within two metres of the sofa", "closest to the door"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.phrases import NounPhrase, Ranked, Relation

ARM_REACH_M = 0.8
"""Of "within reach"."""

SIDE_PAIRS = {
    "left_right": frozenset({"left", "right"}),
    "front_behind": frozenset({"front", "behind"}),
    "above_below": frozenset({"above", "below", "under", "on"}),
}
"""Kinds of relations that ask which of two sides something is on."""

# --- lengths ---------------------------------------------------------------------------------------------------


@rule("length -> NUM UNIT_L")
def _(number: float, metres: float) -> float:
    return number * metres


@rule("length -> 'a|an' UNIT_L")
def _(metres: float) -> float:
    return metres


@rule("length -> length AND? length", cost=0.1)
def _(whole: float, _and: str | None, part: float) -> float | None:
    """Six feet two inches."""
    return whole + part if part < whole else None


# --- landmarks -------------------------------------------------------------------------------------------------


@rule("landmark -> np")
def _(phrase: NounPhrase) -> NounPhrase:
    return phrase


@rule("landmark -> agent")
def _(agent: str) -> NounPhrase:
    return NounPhrase(agent=agent)


@rule("landmark -> HERE")
def _(_here: str) -> NounPhrase:
    return NounPhrase(agent="asker")


@rule("agent -> ASKER|ANYONE|NOBODY|AGENTNAME")
def _(agent: str) -> str:
    return agent


@rule("agent -> ASKER ',' AGENTNAME ','", cost=0.1)
def _(_i: str, agent: str) -> str:
    """I, Bravo, ..."""
    return agent


@rule("agent -> 'the'? AGENTNOUN AGENTNAME", cost=0.1)
def _(_noun: str, agent: str) -> str:
    return agent


# --- relations -------------------------------------------------------------------------------------------------


@rule("rel -> PREP landmark")
def _(kind: str, landmark: NounPhrase) -> Relation | None:
    from_here = kind == "from" and landmark.agent == "asker"
    in_agent = kind in ("in", "inside", "under") and landmark.agent is not None
    return None if kind == "between" or from_here or in_agent else Relation(kind, (landmark,))


@rule("rel -> PREP landmark", cost=0.3)
def _(kind: str, landmark: NounPhrase) -> Relation | None:
    """Between two of a kind: "between the two chairs"."""
    is_pair = kind == "between" and (landmark.plural or landmark.number == 2 or landmark.pronoun == "they")
    return Relation(kind, (landmark, landmark)) if is_pair else None


@rule("rel -> PREP landmark AND landmark")
def _(kind: str, first: NounPhrase, _and: str, second: NounPhrase) -> Relation | None:
    return Relation(kind, (first, second)) if kind == "between" else None


@rule("rel -> PREP landmark AND landmark", cost=0.6)
def _(kind: str, first: NounPhrase, _and: str, second: NounPhrase) -> Relation | None:
    """Above the chairs and the table: above both."""
    several = kind in ("above", "below", "near", "beside", "under", "behind", "front") and first != second
    return Relation(kind, (first, second)) if several else None


@rule("rel -> 'from' rel", cost=0.1)
def _(origin: Relation) -> Relation | None:
    """The basket from beside the table."""
    return replace(origin, kind="from") if origin.landmarks else None


@rule("rel -> 'from' rel", cost=0.3)
def _(origin: Relation) -> Relation | None:
    """Peeping out from behind the book: it is behind it."""
    return origin if origin.kind in ("behind", "under", "below", "inside", "beside") else None


@rule("rel -> DIRECTLY rel", cost=0.05)
def _(_directly: str, relation: Relation) -> Relation | None:
    return replace(relation, directly=True) if relation.kind not in ("from", "to", "through") else None


@rule("rel -> NOT rel", cost=0.05)
def _(_not: str, relation: Relation) -> Relation:
    return replace(relation, negated=not relation.negated)


@rule("rel -> LESSTHAN|MORETHAN length AWAY? 'of|from|to|around' landmark")
def _(kind: str, length_m: float, _away: str | None, landmark: NounPhrase) -> Relation:
    return Relation(kind, (landmark,), distance_m=length_m)


@rule("rel -> 'within' 'reach|arm|grasp' 'of|from' landmark")
def _(landmark: NounPhrase) -> Relation:
    return Relation("within", (landmark,), distance_m=ARM_REACH_M)


@rule("rel -> AWAY 'from' landmark")
def _(_away: str, landmark: NounPhrase) -> Relation:
    return Relation("near", (landmark,), negated=True)


@rule("rel -> 'far' 'from' landmark")
def _(landmark: NounPhrase) -> Relation:
    return Relation("near", (landmark,), negated=True)


# --- paths -----------------------------------------------------------------------------------------------------


@rule("path -> MY ROUTE")
def _(whose: str, _path: str) -> NounPhrase | None:
    return NounPhrase(agent="asker") if whose == "asker" else None


@rule("path -> 'the' ROUTE 'of' agent")
def _(_path: str, agent: str) -> NounPhrase:
    return NounPhrase(agent=agent)


@rule("path -> agent ''s' ROUTE")
def _(agent: str, _path: str) -> NounPhrase:
    return NounPhrase(agent=agent)


@rule("path -> 'the' ROUTE 'that|which'? agent VERB")
def _(_path: str, agent: str, verb: Verb) -> NounPhrase | None:
    """The path that bravo took."""
    return NounPhrase(agent=agent) if verb.kind in ("move", "pass", "have") else None


@rule("rel -> 'along|on|beside|near|by|next' 'to'? path", cost=-0.2)
def _(agent: NounPhrase) -> Relation:
    return Relation("along", (agent,))


# --- sides -----------------------------------------------------------------------------------------------------


@rule("sideplace -> LR|BACK")
def _(side: str) -> str:
    return side


@rule("sideplace -> LR|BACK 'side|end|hand|part'")
def _(side: str) -> str:
    return side


@rule("sideplace -> LR 'hand' 'side|end'")
def _(side: str) -> str:
    return side


@rule("sideplace -> 'left-hand' 'side|end'?")
def _() -> str:
    return "left"


@rule("sideplace -> 'right-hand' 'side|end'?")
def _() -> str:
    return "right"


@rule("rel -> 'on|to|at|in'? 'the'? sideplace 'of|from' landmark")
def _(side: str, landmark: NounPhrase) -> Relation:
    """To the left of the sofa; on the right-hand side of it; left of it."""
    return Relation(side, (landmark,))


@rule("rel -> 'on|to|at' 'the' sideplace", cost=0.1)
def _(side: str) -> Relation:
    return Relation(side)


@rule("rel -> AHEAD", cost=0.1)
def _(side: str) -> Relation:
    return Relation(side)


@rule("rel -> 'on|to|at|from' MY sideplace")
def _(whose: str, side: str) -> Relation:
    landmark = NounPhrase(agent="asker") if whose == "asker" else NounPhrase(pronoun="it")
    return Relation(side, (landmark,))


@rule("rel -> 'on|to|at|from' agent ''s' sideplace")
def _(agent: str, side: str) -> Relation:
    return Relation(side, (NounPhrase(agent=agent),))


@rule("rel -> 'on|to|at|from' np ''s' sideplace", cost=0.1)
def _(landmark: NounPhrase, side: str) -> Relation:
    return Relation(side, (landmark,))


# --- left or right? --------------------------------------------------------------------------------------------


@rule("sides -> 'on|to|at'? 'the'? sideplace OR 'on|to|at'? 'the'? sideplace 'of|from'? landmark?")
def _(first: str, _or: str, second: str, landmark: NounPhrase | None) -> Relation | None:
    return _pair(first, second, landmark)


@rule("sides -> PREP landmark? OR PREP landmark")
def _(first: str, _same: NounPhrase | None, _or: str, second: str, landmark: NounPhrase) -> Relation | None:
    return _pair(first, second, landmark)


@rule("sides -> AHEAD OR AHEAD")
def _(first: str, _or: str, second: str) -> Relation | None:
    return _pair(first, second, None)


@rule("sides -> PREP landmark? OR AHEAD")
def _(first: str, landmark: NounPhrase | None, _or: str, second: str) -> Relation | None:
    return _pair(first, second, landmark)


@rule("sides -> 'on|at|to' MY sideplace OR 'on|at|to'? MY? sideplace")
def _(_my: str, first: str, _or: str, _again: str | None, second: str) -> Relation | None:
    return _pair(first, second, NounPhrase(agent="asker"))


def _pair(first: str, second: str, landmark: NounPhrase | None) -> Relation | None:
    """The question which of two opposite sides it is; None where they are not opposite."""
    kind = next((kind for kind, pair in SIDE_PAIRS.items() if first != second and {first, second} <= pair), None)
    return None if kind is None else Relation(kind, () if landmark is None else (landmark,))


# --- nearest, taller -------------------------------------------------------------------------------------------


@rule("ranked -> 'the'? SUPERLATIVE")
def _(kind: str) -> Ranked:
    return Ranked(kind)


@rule("ranked -> 'the'? SUPERLATIVE 'to|from|of' landmark")
def _(kind: str, landmark: NounPhrase) -> Ranked | None:
    return Ranked(kind, landmark) if kind in ("nearest", "farthest") else None


@rule("ranked -> SUPERLATIVE landmark", cost=0.3)
def _(kind: str, landmark: NounPhrase) -> Ranked | None:
    """Nearest the door."""
    return Ranked(kind, landmark) if kind == "nearest" else None


@rule("ranked -> 'the'? COMPARATIVE")
def _(kind: str) -> Ranked:
    return Ranked(kind, superlative=False)


@rule("ranked -> COMPARATIVE 'than' landmark")
def _(kind: str, than: NounPhrase) -> Ranked:
    return Ranked(kind, than=than, superlative=False)


@rule("ranked -> 'the'? COMPARATIVE 'to|from' landmark")
def _(kind: str, landmark: NounPhrase) -> Ranked | None:
    return Ranked(kind, landmark, superlative=False) if kind in ("nearest", "farthest") else None


@rule("ranked -> COMPARATIVE 'to|from' landmark 'than' 'to|from'? landmark")
def _(kind: str, landmark: NounPhrase, than: NounPhrase) -> Ranked | None:
    return Ranked(kind, landmark, than, superlative=False) if kind in ("nearest", "farthest") else None
