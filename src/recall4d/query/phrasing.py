"""A step of a plan in words, for a person: why a row was found."""

from __future__ import annotations

from collections.abc import Mapping

from recall4d.query.plan import (
    AgentAt,
    Anchor,
    AtFrame,
    Elapsed,
    EntryRef,
    Find,
    Instant,
    Now,
    OfStep,
    Point,
    SemanticKey,
    SpatialKey,
    Stamp,
    StepRef,
    TemporalKey,
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
}
_EDGES = {
    "first_seen": "was first seen",
    "last_seen": "was last seen",
    "moved": "moved",
    "gone": "was gone",
    "appeared": "appeared",
}


def find_in_words(find: Find, names: Mapping[str, str]) -> str:
    """What a step looks for.

    Args:
        find: the step.
        names: what to call an entry id or an earlier step's name.
    """
    said = [] if find.semantic is None else [_semantic(find.semantic)]
    said += [_spatial(key, names) for key in find.spatial]
    if find.temporal is not None:
        said.append(_temporal(find.temporal, names))
    if find.agent is not None:
        said.append(f"seen by agent {find.agent}")
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
            return "the asking agent" if agent is None else f"agent {agent}"


def _temporal(key: TemporalKey, names: Mapping[str, str]) -> str:
    seen = "in view" if key.mode == "observed" else "there"
    if key.after is None and key.before is None:
        return f"{seen} so far"
    if key.before is None or key.after is None:
        only = key.after or key.before
        assert only is not None
        return f"{seen} {'from' if key.before is None else 'until'} {_instant(only, names)}"
    if key.after == key.before:
        return f"{seen} at {_instant(key.after, names)}"
    return f"{seen} between {_instant(key.after, names)} and {_instant(key.before, names)}"


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
        case AtFrame(number=number):
            return f"frame {number}"
        case OfStep(step=step, edge=edge):
            return f'when "{names.get(step, step)}" {_EDGES[edge]}'
