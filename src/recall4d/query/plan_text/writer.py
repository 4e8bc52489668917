"""A plan as text. What is as by default is left out."""

from __future__ import annotations

import json
from collections.abc import Iterator

from recall4d.query.plan import (
    AgentAt,
    Ask,
    AtFrame,
    BoxRegion,
    ClockTime,
    DistanceOf,
    Elapsed,
    EntryRef,
    Find,
    Instant,
    Measure,
    NamedRegion,
    Now,
    OfRows,
    OfStep,
    OwnFront,
    PathOf,
    Place,
    Plan,
    Point,
    Polygon,
    SemanticKey,
    Span,
    SpatialKey,
    Stamp,
    StepRef,
    TemporalKey,
    TimeBetween,
    TimeOfDay,
    Towards,
    Viewpoint,
    Visit,
    WhileSeen,
    WhileSo,
    WorldAxes,
)
from recall4d.query.plan_text.tokens import RESERVED

RELATIONS = {
    "left": "left of", "right": "right of", "front": "front of", "in_view": "in view",
}  # fmt: skip
"""How relations are written that are not written as they are called."""


def text_of_plan(plan: Plan) -> str:
    """The text of a plan, a line a step; `plan_of_text` gives the same plan."""
    lines = [] if plan.known_at is None else [f"known at {_instant(plan.known_at)}"]
    lines += [f"{step.name}: {'; '.join(_clauses(step)) or 'anything'}" for step in plan.steps]
    lines += [f"measure {_measure(each)}" for each in plan.measures]
    if plan.ask != Ask(kind="rows"):
        lines.append(f"ask {_ask(plan.ask)}")
    return "\n".join(lines)


def _clauses(step: Find) -> Iterator[str]:
    if step.semantic is not None:
        yield from _semantic(step.semantic)
    if step.category is not None:
        yield f"category {_quoted(step.category)}"
    yield from map(_spatial, step.spatial)
    if step.temporal is not None:
        yield _temporal(step.temporal)
    if step.within_step is not None:
        yield f"among {_step(step.within_step)}"
    if step.except_step is not None:
        yield f"except {_step(step.except_step)}"
    if step.agent is not None:
        yield f"by {_quoted(step.agent)}"
    if step.not_agent is not None:
        yield f"not by {_quoted(step.not_agent)}"
    if step.presence != "any":
        yield step.presence
    if step.visibility:
        yield f"visibility {', '.join(step.visibility)}"
    if step.kinds != "things":
        yield f"kinds {step.kinds}"
    if step.order != "score":
        yield f"order {step.order}"
    if step.limit is not None:
        yield f"limit {step.limit}"
    if not step.diverse:
        yield "not diverse"


def _semantic(key: SemanticKey) -> Iterator[str]:
    yield " or ".join(map(_quoted, key.texts))
    if key.attributes:
        yield f"with {', '.join(map(_quoted, key.attributes))}"
    if key.without:
        yield f"without {', '.join(map(_quoted, key.without))}"
    if key.min_similarity is not None:
        yield f"similarity {_number(key.min_similarity)}"


def _spatial(key: SpatialKey) -> str:
    said = ["not"] if key.negated else []
    said += ["next"] if key.directly else []
    places = " and ".join(map(_place, key.anchors))
    if key.relation in ("within", "beyond"):
        said.append(f"{key.relation} {_number(key.distance_m or 0.0)} m of {places}")
    else:
        said.append(f"{RELATIONS.get(key.relation, key.relation)} {places}".rstrip())
        said += [] if key.distance_m is None else [f"up to {_number(key.distance_m)} m"]
    defaults = SpatialKey.model_fields
    said += [f"{name} {_number(value)} deg" for name in ("bearing", "spread")
             if (value := getattr(key, f"{name}_deg")) != defaults[f"{name}_deg"].default]  # fmt: skip
    said += [] if key.viewpoint is None else [_viewpoint(key.viewpoint)]
    return " ".join(said)


def _viewpoint(viewpoint: Viewpoint) -> str:
    match viewpoint:
        case WorldAxes():
            return "seen by world"
        case OwnFront():
            return "seen by own front"
        case Towards(from_anchor=place):
            return f"seen from {_place(place)}"
        case AgentAt():
            return f"seen by {_place(viewpoint)}"


def _place(place: Place) -> str:
    match place:
        case Point(xyz=xyz):
            return _numbers(xyz)
        case EntryRef(entry_id=entry_id):
            return f"entry {_quoted(entry_id)}"
        case StepRef(step=step, which=which):
            return f"any {_step(step)}" if which == "any" else _step(step)
        case NamedRegion(name=name):
            return f"region {_quoted(name)}"
        case Polygon(corners_xy=corners, z=z):
            height = "" if z is None else f" height {_number(z[0])} to {_number(z[1])}"
            return f"polygon {' '.join(map(_numbers, corners))}{height}"
        case BoxRegion(min_xyz=low, max_xyz=high):
            return f"box {_numbers(low)} {_numbers(high)}"
        case AgentAt(agent=agent, at=at):
            return _agent(agent) + ("" if at == Now() else f" at {_instant(at)}")
        case PathOf(agent=agent, after=after, before=before):
            return f"path of {_agent(agent)}{_ends(after, before)}"


def _temporal(key: TemporalKey) -> str:
    if key.after is not None and key.after == key.before:
        said = f"{key.mode} at {_instant(key.after)}"
    else:
        said = key.mode + _ends(key.after, key.before)
    return said if key.during is None else f"{said} during {_span(key.during)}"


def _ends(after: Instant | None, before: Instant | None) -> str:
    start = "" if after is None else f" from {_instant(after)}"
    return start + ("" if before is None else f" to {_instant(before)}")


def _span(span: Span) -> str:
    match span:
        case WhileSeen(step=step, which=which, agent=agent):
            by = "" if agent is None else f" by {_quoted(agent)}"
            return f"sight of {'any ' if which == 'any' else ''}{_step(step)}{by}"
        case WhileSo(step=step, which=which):
            return f"state of {'any ' if which == 'any' else ''}{_step(step)}"
        case Visit(agent=agent, to=to, distance_m=distance_m, ordinal=ordinal):
            said = f"{'visits' if ordinal is None else f'visit {ordinal}'} of {_agent(agent)}"
            said += "" if to is None else f" to {_place(to)}"
            usual = Visit.model_fields["distance_m"].default
            return said + ("" if distance_m == usual else f" within {_number(distance_m)} m")


def _instant(instant: Instant) -> str:
    match instant:
        case Now(offset_s=0.0):
            return "now"
        case Now(offset_s=offset_s):
            return f"{_number(abs(offset_s))} s {'ago' if offset_s < 0 else 'ahead'}"
        case Elapsed(seconds=seconds):
            return f"{_number(seconds)} s"
        case Stamp(at_ns=at_ns):
            return f"{at_ns} ns"
        case ClockTime(at=at):
            return _quoted(at)
        case TimeOfDay(time=time, zone=zone, days_ago=days_ago):
            return f"clock {_quoted(time)} {_quoted(zone)}" + (f" {days_ago} days ago" if days_ago else "")
        case AtFrame(number=number, agent=agent):
            return f"frame {number}" + ("" if agent is None else f" of {_agent(agent)}")
        case OfStep(step=step, edge=edge, which=which, offset_s=offset_s):
            said = f"{_step(step)}.{edge}" + (".first" if which == "first" else "")
            return said + (f" {'+' if offset_s > 0 else ''}{_number(offset_s)} s" if offset_s else "")


def _measure(measure: Measure) -> str:
    match measure:
        case OfRows(kind=kind, step=step):
            return f"{kind} {_step(step)}"
        case DistanceOf(step=step, other=other):
            return f"distance {_step(step)} {_step(other)}"
        case TimeBetween(first=first, second=second):
            return f"time {_instant(first)} to {_instant(second)}"


def _ask(ask: Ask) -> str:
    said: list[str] = [ask.kind]
    said += [] if ask.step is None else [_step(ask.step)]
    said += [] if ask.other is None else [f"other {_step(ask.other)}"]
    said += [f"among {', '.join(map(_step, ask.among))}"] if ask.among else []
    said += [] if ask.detail is None else [f"detail {_quoted(ask.detail)}"]
    said += [f"only {', '.join(ask.only)}"] if ask.only else []
    said += [] if ask.rank is None else [f"rank {ask.rank}"]
    return " ".join(said)


def _agent(agent: str | None) -> str:
    return "me" if agent is None else f"agent {_quoted(agent)}"


def _step(name: str) -> str:
    return f"@{name}" if name in RESERVED else name


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _numbers(values: tuple[float, ...]) -> str:
    return f"({', '.join(map(_number, values))})"


def _number(value: float) -> str:
    """The shortest text that reads as the same number."""
    return repr(float(value)).removesuffix(".0")
