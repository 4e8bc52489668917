"""A plan in one line, to compare plans by eye: `where red mug on (table beside (sofa))`."""

from __future__ import annotations

from recall4d.clock import Interval, seconds_to_ns
from recall4d.query.english import Context, plan_question
from recall4d.query.plan import Anchor, Find, Instant, Plan, Span, SpatialKey, TemporalKey, Viewpoint


def interval(from_s: float, to_s: float) -> Interval:
    """An interval in seconds after the start."""
    return Interval(seconds_to_ns(from_s), seconds_to_ns(to_s))


CONTEXT = Context(
    agents=("alpha", "bravo"),
    asking_agent="alpha",
    visits={"alpha": (interval(0, 75), interval(180, 255)), "bravo": (interval(120, 180),)},
    surfaces=frozenset({"floor", "wall"}),
)
"""Alpha asks; it made two visits, bravo one."""


def gist(question: str, context: Context = CONTEXT) -> str:
    """The plan of a question in one line, with what could not be read."""
    planned = plan_question(question, context)
    unread = f" UNREAD {' '.join(planned.unread)}" if planned.unread else ""
    if planned.plan is None:
        return f"UNCLEAR{unread}"
    return f"{_ask(planned.plan)}{unread}"


def _ask(plan: Plan) -> str:
    ask = plan.ask
    told = [ask.kind + (f":{ask.detail}" if ask.detail else "") + (f":{ask.rank}" if ask.rank else "")]
    told += [f"({only})" for only in ask.only]
    if ask.step is not None:
        told.append(_step(plan, ask.step))
    if ask.other is not None:
        told.append(f"/ {_step(plan, ask.other)}")
    told += [
        f"/ {_step(plan, name)}" for name in ask.among if ask.kind.startswith("compare") or ask.kind == "exists"
    ]
    return " ".join(told)


def _step(plan: Plan, name: str) -> str:
    step = next(step for step in plan.steps if step.name == name)
    semantic = step.semantic
    told = ["thing" if semantic is None else semantic.texts[0]]
    if semantic is not None:
        told += [f"[{each}]" for each in semantic.attributes] + [f"[no {each}]" for each in semantic.without]
    told += [_key(plan, key) for key in step.spatial if not _leaves_out_a_holder(key, step)]
    if step.within_step is not None:
        told.append(f"of ({_step(plan, step.within_step)})")
    if step.agent is not None:
        told.append(f"by {step.agent}")
    if step.not_agent is not None:
        told.append(f"not by {step.not_agent}")
    if step.except_step is not None:
        told.append(f"except ({_step(plan, step.except_step)})")
    if step.temporal is not None:
        told.append(_when(plan, step.temporal))
    return " ".join([*told, *_order(step)])


def _leaves_out_a_holder(key: SpatialKey, step: Find) -> bool:
    """Added by the planner to "left of the mug" and the like: not the table it stands on."""
    others = [each.anchors for each in step.spatial if each is not key]
    return key.relation == "under" and key.negated and any(key.anchors[0] in each for each in others)


def _order(step: Find) -> list[str]:
    told = [] if step.order == "score" else [f"order {step.order}"]
    return told if step.limit is None else [*told, f"limit {step.limit}"]


def _key(plan: Plan, key: SpatialKey) -> str:
    told = [*(["not"] if key.negated else []), *(["directly"] if key.directly else []), key.relation]
    told += [f"{key.distance_m:g}m"] if key.distance_m is not None else []
    told.append(" and ".join(_anchor(plan, anchor) for anchor in key.anchors))
    return " ".join(told) + (_eye(plan, key.viewpoint) if key.viewpoint is not None else "")


def _anchor(plan: Plan, anchor: Anchor) -> str:
    match anchor.kind:
        case "step":
            return f"({_step(plan, anchor.step)})"
        case "agent":
            return f"{anchor.agent or 'me'}{_at(plan, anchor.at)}"
        case "entry":
            return anchor.entry_id
        case "point":
            return str(anchor.xyz)
        case "region":
            return f"region {anchor.name}"
        case "path":
            return f"the path of {anchor.agent or 'me'}"
        case "polygon" | "box":
            return anchor.kind


def _eye(plan: Plan, viewpoint: Viewpoint) -> str:
    if viewpoint.kind == "towards":
        return f" seen from {_anchor(plan, viewpoint.from_anchor)}"
    if viewpoint.kind in ("world", "own"):
        return f" seen by {viewpoint.kind}"
    return f" seen by {_anchor(plan, viewpoint)}"


def _at(plan: Plan, instant: Instant) -> str:
    named = _instant(plan, instant)
    return "" if named == "now" else f"@{named}"


def _when(plan: Plan, key: TemporalKey) -> str:
    mode = "seen " if key.mode == "observed" else ""
    if key.during is not None:
        return mode + _during(plan, key.during)
    after = "" if key.after is None else _instant(plan, key.after)
    before = "" if key.before is None else _instant(plan, key.before)
    return f"{mode}at {after}" if after == before else f"{mode}in {after}..{before}"


def _during(plan: Plan, span: Span) -> str:
    match span.kind:
        case "seen":
            return f"while ({_step(plan, span.step)}) in view"
        case "so":
            return f"while ({_step(plan, span.step)})"
        case "visit":
            which = {1: "first ", -1: "last ", None: ""}.get(span.ordinal, f"{span.ordinal}th ")
            to = "" if span.to is None else f" to {_anchor(plan, span.to)}"
            return f"on {which}visit of {span.agent or 'me'}{to}"


def _instant(plan: Plan, instant: Instant) -> str:
    match instant.kind:
        case "now":
            return "now" if instant.offset_s == 0 else f"now{instant.offset_s:+g}s"
        case "stamp":
            return f"{instant.at_ns / 1e9:g}s"
        case "elapsed":
            return f"{instant.seconds:g}s"
        case "frame":
            return f"frame {instant.number}"
        case "of_step":
            return f"<{instant.edge} {_step(plan, instant.step)}>"
