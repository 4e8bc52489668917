"""A step of a plan in words, for a person: why a row was found."""

from __future__ import annotations

from collections.abc import Mapping

from recall4d.query.plan import (
    AgentAt,
    Anchor,
    AtFrame,
    BoxRegion,
    ClockTime,
    Elapsed,
    EntryRef,
    Find,
    Instant,
    NamedRegion,
    Now,
    OfStep,
    PathOf,
    Point,
    Polygon,
    SemanticKey,
    Span,
    SpatialKey,
    Stamp,
    StepRef,
    TemporalKey,
    TimeOfDay,
    Visit,
    WhileSeen,
    WhileSo,
)
from recall4d.units import format_duration, format_length

_RELATIONS = {
    "within": "within {distance} of",
    "beyond": "more than {distance} from",
    "nearest": "nearest to",
    "inside": "inside",
    "left": "left of",
    "right": "right of",
    "front": "in front of",
    "in_view": "in view",
    "facing": "in the direction faced",
}
_EDGES = {
    "first_seen": "was first seen",
    "last_seen": "was last seen",
    "moved": "moved",
    "gone": "was gone",
    "appeared": "appeared",
    "returned": "came back",
}


def find_in_words(find: Find, names: Mapping[str, str]) -> str:
    """What a step looks for.

    Args:
        find: the step.
        names: what to call an entry id or an earlier step's name.
    """
    said = [] if find.semantic is None else [_semantic(find.semantic)]
    if find.category is not None:
        said.append(f'of category "{find.category}"')
    said += [_spatial(key, names) for key in find.spatial]
    if find.temporal is not None:
        said.append(_temporal(find.temporal, names))
    if find.agent is not None:
        said.append(f"seen by agent {find.agent}")
    if find.not_agent is not None:
        said.append(f"never seen by agent {find.not_agent}")
    if find.visibility:
        said.append(" or ".join(find.visibility))
    if find.presence != "any":
        said.append("not known to be gone" if find.presence == "present" else "known to be gone")
    return "; ".join(said) or "in memory"


def _semantic(key: SemanticKey) -> str:
    said = "matches " + " or ".join(f'"{text}"' for text in key.texts)
    said += "".join(f', "{text}"' for text in key.attributes)
    return said + "".join(f', not "{text}"' for text in key.without)


def _spatial(key: SpatialKey, names: Mapping[str, str]) -> str:
    relation = _RELATIONS.get(key.relation, key.relation)
    if key.distance_m is not None:
        relation = relation.format(distance=format_length(key.distance_m))
    anchors = " and ".join(_anchor(anchor, names) for anchor in key.anchors)
    said = f"{'directly ' if key.directly else ''}{relation} {anchors}".strip()
    return f"not {said}" if key.negated else said


def _anchor(anchor: Anchor, names: Mapping[str, str]) -> str:
    match anchor:
        case Point(xyz=xyz):
            return "({:.2f}, {:.2f}, {:.2f})".format(*xyz)
        case EntryRef(entry_id=entry_id):
            return f'"{names.get(entry_id, entry_id)}"'
        case StepRef(step=step):
            return f'"{names.get(step, step)}"'
        case AgentAt(agent=agent):
            return _agent(agent)
        case NamedRegion(name=name):
            return f'the region "{name}"'
        case Polygon() | BoxRegion():
            return "a region drawn on the plan"
        case PathOf(agent=agent):
            return f"the path of {_agent(agent)}"


def _agent(agent: str | None) -> str:
    return "the asking agent" if agent is None else f"agent {agent}"


def _temporal(key: TemporalKey, names: Mapping[str, str]) -> str:
    seen = "in view" if key.mode == "observed" else "there"
    meanwhile = "" if key.during is None else f" {_span(key.during, names)}"
    if key.after is None and key.before is None:
        return f"{seen}{meanwhile or ' so far'}"
    if key.before is None or key.after is None:
        only = key.after or key.before
        assert only is not None
        return f"{seen} {'from' if key.before is None else 'until'} {_instant(only, names)}{meanwhile}"
    if key.after == key.before:
        return f"{seen} at {_instant(key.after, names)}{meanwhile}"
    return f"{seen} between {_instant(key.after, names)} and {_instant(key.before, names)}{meanwhile}"


def _span(span: Span, names: Mapping[str, str]) -> str:
    match span:
        case WhileSeen(step=step, agent=agent):
            by = "" if agent is None else f" of agent {agent}"
            return f'while "{names.get(step, step)}" was in view{by}'
        case WhileSo(step=step):
            return f'while "{names.get(step, step)}" was so'
        case Visit(agent=agent, to=to, ordinal=ordinal):
            which = {None: "on a visit", 1: "on the first visit", -1: "on the last visit"}.get(
                ordinal, f"on visit {ordinal}"
            )
            return f"{which} of {_agent(agent)}" + ("" if to is None else f" to {_anchor(to, names)}")


def _instant(instant: Instant, names: Mapping[str, str]) -> str:
    match instant:
        case Now(offset_s=0.0):
            return "now"
        case Now(offset_s=offset_s):
            return f"{format_duration(-offset_s)} ago"
        case Elapsed(seconds=seconds):
            return f"{format_duration(seconds)} after the start"
        case Stamp(at_ns=at_ns):
            return f"{at_ns} ns"
        case ClockTime(at=at):
            return at
        case TimeOfDay(time=time, zone=zone, days_ago=days_ago):
            return f"{time} ({zone})" + (f" {days_ago} days ago" if days_ago else "")
        case AtFrame(number=number):
            return f"frame {number}"
        case OfStep(step=step, edge=edge, offset_s=offset_s):
            off = (
                ""
                if offset_s == 0.0
                else f"{format_duration(abs(offset_s))} {'after' if offset_s > 0 else 'before'} "
            )
            return f'{off}when "{names.get(step, step)}" {_EDGES[edge]}'
