"""Times: "12 seconds ago", "at frame 240", "on my first tour", "between my two rounds", "before it was moved"."""

from __future__ import annotations

from dataclasses import replace

from recall4d.query.english.grammar.base import rule
from recall4d.query.english.lexicon import Verb
from recall4d.query.english.phrases import Clause, Moment, NounPhrase, Period, Visit, Word

SEES = Verb("see", "base", "see")
NOW = Moment("now")
START = Moment("start")
BEGINNING_S = 10.0
"""Of "at the start of" a visit, and of "just before" something."""
FEW = 3
"""Of "a few seconds"."""

# --- durations -------------------------------------------------------------------------------------------------


@rule("duration -> NUM UNIT_T")
def _(number: float, seconds: float) -> float:
    return number * seconds


@rule("duration -> 'a|an' UNIT_T")
def _(seconds: float) -> float:
    return seconds


@rule("duration -> 'a' 'few|couple' 'of'? UNIT_T")
def _(seconds: float) -> float:
    return FEW * seconds


@rule("duration -> duration AND? duration", cost=0.1)
def _(whole: float, _and: str | None, part: float) -> float | None:
    """Two minutes and five seconds."""
    return whole + part if part < whole else None


# --- moments ---------------------------------------------------------------------------------------------------


@rule("framepoint -> 'the'? FRAME NUM")
def _(_frame: str, number: float) -> Moment | None:
    return Moment("frame", number) if number == int(number) else None


@rule("moment -> framepoint")
def _(at: Moment) -> Moment:
    return at


@rule("moment -> NOW")
def _(_now: str) -> Moment:
    return NOW


@rule("moment -> duration AGO")
def _(seconds: float, _ago: str) -> Moment:
    return Moment("ago", seconds)


@rule("moment -> duration INTO 'the'? WALK?")
def _(seconds: float, _into: str, _walk: str | None) -> Moment:
    return Moment("elapsed", seconds)


@rule("moment -> duration", cost=0.5)
def _(seconds: float) -> Moment:
    """At 12.4 s."""
    return Moment("elapsed", seconds)


@rule("duration -> 'half' 'a|an' UNIT_T")
def _(seconds: float) -> float:
    return seconds / 2


@rule("duration -> 'a|an|one'? NUM? UNIT_T 'and' 'a' 'half'", cost=0.0)
def _(number: float | None, seconds: float) -> float:
    """Two minutes and a half."""
    return ((1.0 if number is None else number) + 0.5) * seconds


@rule("moment -> 'the'? START 'of' 'the' ORDINAL", cost=0.5)
def _(edge: str, ordinal: str) -> Moment:
    """The end of the second: the visit was named before."""
    return Moment("visit_start" if edge == "start" else "visit_end", visit=Visit(int(ordinal)))


@rule("period -> 'between|from' 'second|seconds|time'? NUM 'and|to|until|till' 'second|seconds'? NUM", cost=0.2)
def _(first: float, second: float) -> Period | None:
    """Between second 40 and 45."""
    return Period(after=Moment("elapsed", first), before=Moment("elapsed", second)) if first < second else None


@rule("period -> AT 'the'? PAST duration 'of' visit")
def _(_in: str, edge: str, seconds: float, visit: Visit) -> Period:
    """In the last ten seconds of the first tour."""
    if edge == "first":
        return Period(after=Moment("visit_start", visit=visit), before=Moment("visit_start", seconds, visit=visit))
    return Period(after=Moment("visit_end", -seconds, visit=visit), before=Moment("visit_end", visit=visit))


@rule("moment -> 'second' NUM")
def _(seconds: float) -> Moment:
    return Moment("elapsed", seconds)


@rule("moment -> CLOCK")
def _(written: str) -> Moment:
    return Moment("clock", clock=written)


@rule("moment -> CLOCK 'utc|gmt|z'")
def _(written: str) -> Moment | None:
    """At 08:53:40 UTC."""
    return Moment("clock", clock=f"{written} Z") if "T" not in written else Moment("clock", clock=written)


@rule("moment -> DAYTIME")
def _(written: str) -> Moment:
    return Moment("clock", clock="a time of day")


@rule("period -> DAYTIME")
def _(written: str) -> Period:
    at = Moment("clock", clock="a time of day")
    return Period(after=at, before=at)


@rule("moment -> 'the'? START 'of' DET? WALK")
def _(edge: str, _the: str | None, _walk: str) -> Moment:
    return START if edge == "start" else NOW


@rule("moment -> 'the'? START 'of' visit")
def _(edge: str, visit: Visit) -> Moment:
    return Moment("visit_start" if edge == "start" else "visit_end", visit=visit)


# --- visits ----------------------------------------------------------------------------------------------------


@rule("visit -> DET? ORDINAL VISIT")
def _(_the: str | None, ordinal: str, _visit: str) -> Visit:
    return Visit(int(ordinal))


@rule("visit -> agent ''s' ORDINAL VISIT")
def _(agent: str, ordinal: str, _visit: str) -> Visit:
    return Visit(int(ordinal), agent)


@rule("visit -> DET? ORDINAL VISIT 'of|by' agent")
def _(_the: str | None, ordinal: str, _visit: str, agent: str) -> Visit:
    return Visit(int(ordinal), agent)


@rule("visit -> VISIT NUM")
def _(_visit: str, number: float) -> Visit | None:
    return Visit(int(number)) if number == int(number) and 1 <= number <= 99 else None


@rule("visit -> agent ''s' VISIT", cost=0.3)
def _(agent: str, _visit: str) -> Visit:
    return Visit(-1, agent)


@rule("visits -> DET? NUM VISIT")
def _(_the: str | None, number: float, _visit: str) -> Visit | None:
    return Visit(1) if number == 2 else None


@rule("visits -> agent ''s' NUM VISIT")
def _(agent: str, number: float, _visit: str) -> Visit | None:
    return Visit(1, agent) if number == 2 else None


@rule("visits -> DET? NUM VISIT 'of|by' agent")
def _(_the: str | None, number: float, _visit: str, agent: str) -> Visit | None:
    return Visit(1, agent) if number == 2 else None


@rule("visits -> DET? ORDINAL AND 'the'? ORDINAL VISIT")
def _(_the: str | None, first: str, _and: str, second: str, _visit: str) -> Visit | None:
    return Visit(1) if first == "1" and second in ("2", "-1") else None


@rule("visits -> agent ''s' ORDINAL AND 'the'? ORDINAL VISIT")
def _(agent: str, first: str, _and: str, second: str, _visit: str) -> Visit | None:
    return Visit(1, agent) if first == "1" and second in ("2", "-1") else None


# --- periods ---------------------------------------------------------------------------------------------------


@rule("period -> AT? framepoint")
def _(_at: str | None, at: Moment) -> Period:
    return Period(after=at, before=at)


@rule("period -> AT moment", cost=0.1)
def _(_at: str, at: Moment) -> Period | None:
    return Period(after=at, before=at) if at.kind != "now" else None


@rule("period -> AT? NOW")
def _(_at: str | None, _now: str) -> Period:
    return Period(after=NOW, before=NOW)


@rule("period -> duration AGO")
def _(seconds: float, _ago: str) -> Period:
    at = Moment("ago", seconds)
    return Period(after=at, before=at)


@rule("period -> duration INTO 'the'? WALK?")
def _(seconds: float, _into: str, _walk: str | None) -> Period:
    at = Moment("elapsed", seconds)
    return Period(after=at, before=at)


@rule("period -> AT? visit", cost=0.1)
def _(_at: str | None, visit: Visit) -> Period:
    return Period(after=Moment("visit_start", visit=visit), before=Moment("visit_end", visit=visit))


@rule("period -> AT 'the'? START 'of' visit")
def _(_at: str, edge: str, visit: Visit) -> Period:
    """At the very start of the first tour: in its first seconds."""
    if edge == "start":
        first = Moment("visit_start", visit=visit)
        return Period(after=first, before=Moment("visit_start", BEGINNING_S, visit=visit))
    return Period(after=Moment("visit_end", -BEGINNING_S, visit=visit), before=Moment("visit_end", visit=visit))


@rule("period -> 'between' visits")
def _(visit: Visit) -> Period:
    """Until the end of the second: what changed in between is seen only then."""
    second = Visit(2, visit.agent)
    return Period(after=Moment("visit_end", visit=visit), before=Moment("visit_end", visit=second))


@rule("period -> 'between' visit AND visit")
def _(first: Visit, _and: str, second: Visit) -> Period:
    return Period(after=Moment("visit_end", visit=first), before=Moment("visit_end", visit=second))


@rule("period -> 'compared' 'to|with' visit")
def _(visit: Visit) -> Period:
    """Compared to the first tour: since it began."""
    return Period(after=Moment("visit_start", visit=visit))


@rule("period -> BEFORE visit")
def _(_before: str, visit: Visit) -> Period:
    return Period(before=Moment("visit_start", visit=visit))


@rule("period -> AFTER visit")
def _(_after: str, visit: Visit) -> Period:
    return Period(after=Moment("visit_end", visit=visit))


@rule("period -> 'by' visit")
def _(visit: Visit) -> Period:
    at = Moment("visit_end", visit=visit)
    return Period(after=at, before=at)


@rule("period -> BEFORE moment", cost=0.05)
def _(_before: str, moment: Moment) -> Period:
    return Period(before=moment)


@rule("period -> AFTER moment", cost=0.05)
def _(_after: str, moment: Moment) -> Period:
    return Period(after=moment)


@rule("period -> 'between' moment AND moment")
def _(first: Moment, _and: str, second: Moment) -> Period:
    return Period(after=first, before=second)


@rule("period -> 'from' moment 'to|until|till' moment")
def _(first: Moment, second: Moment) -> Period:
    return Period(after=first, before=second)


@rule("period -> 'between|from' FRAME NUM 'and|to' NUM")
def _(_frame: str, first: float, second: float) -> Period:
    """Between frames 100 and 200."""
    return Period(after=Moment("frame", first), before=Moment("frame", second))


@rule("period -> 'between|from' NUM 'and|to' NUM UNIT_T")
def _(first: float, second: float, unit_s: float) -> Period:
    """Between 10 and 20 seconds."""
    return Period(after=Moment("elapsed", first * unit_s), before=Moment("elapsed", second * unit_s))


@rule("period -> AT? 'the'? PAST duration", cost=0.1)
def _(_in: str | None, edge: str, seconds: float) -> Period:
    return _lasting(edge, seconds)


@rule("period -> AT 'the'? PAST UNIT_T")
def _(_in: str, edge: str, seconds: float) -> Period:
    return _lasting(edge, seconds)


def _lasting(edge: str, seconds: float) -> Period:
    """The last seconds up to now, or the first since the start."""
    if edge == "last":
        return Period(after=Moment("ago", seconds), before=NOW)
    return Period(after=START, before=Moment("elapsed", seconds))


@rule("period -> SOFAR|ALWAYS")
def _(kind: str) -> Period:
    return Period("sofar" if kind == "sofar" else "always")


@rule("period -> RECENTLY")
def _(_recently: str) -> Period:
    return Period("sofar")


@rule("period -> EARLIER", cost=0.2)
def _(_earlier: str) -> Period:
    return Period("earlier")


@rule("period -> ORIGINALLY", cost=0.1)
def _(_originally: str) -> Period:
    return Period("originally")


# --- told by what happened -------------------------------------------------------------------------------------


@rule("event -> decl")
def _(clause: Clause) -> Clause:
    return clause


@rule("event -> DET|MY? ORDINAL|SEENORDER GLIMPSE 'of|at' landmark", cost=0.1)
def _(_my: str | None, order: str, _glimpse: str, target: NounPhrase) -> Clause | None:
    """My latest glimpse of it."""
    word = {"-1": "last", "1": "first"}.get(order, order)
    if word not in ("first", "last"):
        return None
    return Clause(subject=NounPhrase(agent="asker"), verb=SEES, target=target, past=True, complements=(Word(word),))


@rule("period -> 'between' event AND event", cost=0.1)
def _(first: Clause, _and: str, second: Clause) -> Period:
    return Period(after=Moment("event", event=first), before=Moment("event", event=second))


@rule("event -> vp", cost=0.4)
def _(clause: Clause) -> Clause | None:
    """Without a subject: "before moving", "after being moved"."""
    return clause if clause.verb is not None and clause.verb.form == "ing" else None


@rule("period -> BEFORE event")
def _(before: str, event: Clause) -> Period:
    """Just before it was moved: in the seconds before."""
    begins = Moment("event", -BEGINNING_S, event=event) if before == "just" else None
    return Period(after=begins, before=Moment("event", event=event))


@rule("period -> AFTER event")
def _(_after: str, event: Clause) -> Period:
    return Period(after=Moment("event", event=event))


@rule("period -> WHENCONJ event", cost=0.1)
def _(_when: str, event: Clause) -> Period:
    return Period("during", event=event)


@rule("period -> AT? 'the' SEENORDER 'time' event")
def _(_at: str | None, order: str, event: Clause) -> Period:
    """The first time I passed it."""
    return Period("during", event=with_order(event, order))


def with_order(event: Clause, order: str) -> Clause:
    """An event that is said to be the first or the last of its kind."""
    return replace(event, complements=(*event.complements, Word(order)))
