"""Places: "on the table", "directly to the left of it", "within two metres of the sofa", "closest to the door"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.phrases import Moment, NounPhrase, Ranked, Relation, Viewpoint

SIDE_PAIRS = {
    "left_right": frozenset({"left", "right"}),
    "front_behind": frozenset({"front", "behind"}),
    "above_below": frozenset({"above", "below", "under", "on"}),
}
"""Kinds of relations that ask which of two sides something is on."""
ARM_REACH_M = 0.8
"""Of "within reach"."""

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


@rule("agent -> AGENTNOUN AGENTNAME", cost=0.1)
def _(_noun: str, agent: str) -> str:
    return agent


@rule("agent -> 'the' AGENTNOUN AGENTNAME", cost=0.1)
def _(_noun: str, agent: str) -> str:
    return agent


# --- relations -------------------------------------------------------------------------------------------------


@rule("rel -> PREP landmark")
def _(kind: str, landmark: NounPhrase) -> Relation | None:
    if kind in ("between", "of", "about") or (kind == "from" and landmark.agent == "asker"):
        return None
    return Relation(kind, (landmark,))


@rule("rel -> 'from' rel", cost=0.1)
def _(origin: Relation) -> Relation | None:
    """The basket from beside the table."""
    return replace(origin, kind="from") if origin.landmarks else None


@rule("rel -> PREP landmark", cost=0.3)
def _(kind: str, landmark: NounPhrase) -> Relation | None:
    """Between two of a kind: "between the two chairs"."""
    is_pair = kind == "between" and (landmark.plural or landmark.number == 2 or landmark.pronoun == "they")
    return Relation(kind, (landmark, landmark)) if is_pair else None


@rule("rel -> PREP landmark AND landmark")
def _(kind: str, first: NounPhrase, _and: str, second: NounPhrase) -> Relation | None:
    return Relation(kind, (first, second)) if kind == "between" else None


@rule("rel -> SIDEOF")
def _(side: str) -> Relation:
    return Relation(side)


@rule("rel -> 'on|to|at|from' MY SIDEPLACE")
def _(whose: str, side: str) -> Relation:
    landmark = NounPhrase(agent="asker") if whose == "asker" else NounPhrase(pronoun="it")
    return Relation(side, (landmark,))


@rule("rel -> 'on|to|at|from' agent ''s' SIDEPLACE")
def _(agent: str, side: str) -> Relation:
    return Relation(side, (NounPhrase(agent=agent),))


@rule("rel -> 'on|to|at|from' np ''s' SIDEPLACE", cost=0.1)
def _(landmark: NounPhrase, side: str) -> Relation:
    return Relation(side, (landmark,))


@rule("rel -> DIRECTLY rel", cost=0.05)
def _(_directly: str, relation: Relation) -> Relation | None:
    return replace(relation, directly=True) if relation.kind not in ("from", "to", "through") else None


@rule("rel -> NOT rel", cost=0.05)
def _(_not: str, relation: Relation) -> Relation:
    return replace(relation, negated=not relation.negated)


@rule("rel -> LESSTHAN length AWAY? 'of|from|to|around' landmark")
def _(kind: str, length_m: float, _away: str | None, landmark: NounPhrase) -> Relation:
    return Relation(kind, (landmark,), distance_m=length_m)


@rule("rel -> MORETHAN length AWAY? 'of|from|to' landmark")
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


# --- left or right ---------------------------------------------------------------------------------------------


@rule("sides -> SIDEOF|SIDEPLACE OR DET? SIDEOF|SIDEPLACE|PREP 'side|end|hand'? 'of'? landmark?")
def _(first: str, _or: str, _the: str | None, second: str, landmark: NounPhrase | None) -> Relation | None:
    return _pair(first, second, landmark)


@rule("sides -> PREP landmark? OR PREP landmark")
def _(first: str, _same: NounPhrase | None, _or: str, second: str, landmark: NounPhrase) -> Relation | None:
    return _pair(first, second, landmark)


@rule("sides -> 'on|at|to' DET? SIDEPLACE OR DET? SIDEPLACE 'side|end|hand'? 'of'? landmark?")
def _(
    _the: str | None, first: str, _or: str, _other: str | None, second: str, landmark: NounPhrase | None
) -> Relation | None:
    return _pair(first, second, landmark)


@rule("sides -> 'on|at|to' MY SIDEPLACE OR MY? SIDEPLACE")
def _(_my: str, first: str, _or: str, _again: str | None, second: str) -> Relation | None:
    return _pair(first, second, NounPhrase(agent="asker"))


def _pair(first: str, second: str, landmark: NounPhrase | None) -> Relation | None:
    """The question which of two opposite sides it is; None where they are not opposite."""
    kind = next((kind for kind, pair in SIDE_PAIRS.items() if first != second and {first, second} <= pair), None)
    return None if kind is None else Relation(kind, () if landmark is None else (landmark,))


# --- nearest, taller -------------------------------------------------------------------------------------------


@rule("ranked -> DET? SUPERLATIVE")
def _(_the: str | None, kind: str) -> Ranked:
    return Ranked(kind)


@rule("ranked -> DET? SUPERLATIVE 'to|from|of' landmark")
def _(_the: str | None, kind: str, landmark: NounPhrase) -> Ranked | None:
    return Ranked(kind, landmark) if kind in ("nearest", "farthest") else None


@rule("ranked -> DET? COMPARATIVE")
def _(_the: str | None, kind: str) -> Ranked:
    return Ranked(kind, superlative=False)


@rule("ranked -> DET? COMPARATIVE 'than' landmark")
def _(_the: str | None, kind: str, than: NounPhrase) -> Ranked:
    return Ranked(kind, than=than, superlative=False)


@rule("ranked -> DET? COMPARATIVE 'to|from' landmark")
def _(_the: str | None, kind: str, landmark: NounPhrase) -> Ranked | None:
    return Ranked(kind, landmark, superlative=False) if kind in ("nearest", "farthest") else None


@rule("ranked -> DET? COMPARATIVE 'to|from' landmark 'than' 'to|from'? landmark")
def _(_the: str | None, kind: str, landmark: NounPhrase, than: NounPhrase) -> Ranked | None:
    return Ranked(kind, landmark, than, superlative=False) if kind in ("nearest", "farthest") else None


# --- viewpoints ------------------------------------------------------------------------------------------------


@rule("view -> 'from' 'here'")
def _() -> Viewpoint:
    return Viewpoint("stand", "asker")


@rule("view -> 'from' 'where' agent vp")
def _(agent: str, clause: object) -> Viewpoint | None:
    """From where I stood at frame 240."""
    verb, complements = getattr(clause, "verb", None), getattr(clause, "complements", ())
    if verb is not None and verb.kind not in ("stand", "be"):
        return None
    periods = [each for each in complements if type(each).__name__ == "Period"]
    if len(periods) < len(complements) - _n_harmless(complements):
        return None
    return Viewpoint("stand", agent, at=periods[0].after if periods else None)


def _n_harmless(complements: tuple[object, ...]) -> int:
    return sum(type(each).__name__ == "Word" for each in complements)


@rule("view -> 'from|in|at' MY VIEWNOUN period?")
def _(_my: str, _noun: str, period: object) -> Viewpoint:
    return Viewpoint("stand", "asker", at=getattr(period, "after", None))


@rule("view -> 'from' DET? VIEWNOUN 'of|in|at' framepoint")
def _(_the: str | None, _noun: str, at: Moment) -> Viewpoint:
    return Viewpoint("stand", "asker", at=at)


@rule("view -> SEENFROM framepoint")
def _(_seen: str, at: Moment) -> Viewpoint:
    return Viewpoint("stand", "asker", at=at)


@rule("view -> 'from' framepoint", cost=0.2)
def _(at: Moment) -> Viewpoint:
    return Viewpoint("stand", "asker", at=at)


@rule("view -> 'from' agent ''s' VIEWNOUN period?")
def _(agent: str, _noun: str, period: object) -> Viewpoint:
    return Viewpoint("stand", agent, at=getattr(period, "after", None))


@rule("view -> 'from' DET? VIEWNOUN 'of' landmark")
def _(_the: str | None, _noun: str, landmark: NounPhrase) -> Viewpoint:
    return _looking_from(landmark)


@rule("view -> SEENFROM landmark")
def _(_seen: str, landmark: NounPhrase) -> Viewpoint:
    return _looking_from(landmark)


@rule("view -> 'from' landmark", cost=1.2)
def _(landmark: NounPhrase) -> Viewpoint:
    return _looking_from(landmark)


@rule("view -> SEENFROM MY VIEWNOUN", cost=0.1)
def _(_seen: str, _my: str, _noun: str) -> Viewpoint:
    return Viewpoint("stand", "asker")


@rule("view -> FACING landmark")
def _(_facing: str, landmark: NounPhrase) -> Viewpoint | None:
    return None if landmark.agent else Viewpoint("facing", place=landmark)


def _looking_from(place: NounPhrase) -> Viewpoint:
    return Viewpoint("stand", place.agent) if place.agent else Viewpoint("from", place=place)
