"""A plan's text, read by recursive descent: each function reads one thing of the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, TypeAdapter, ValidationError

from recall4d.query.plan import (
    AgentAt,
    Ask,
    AtFrame,
    BoxRegion,
    ClockTime,
    DistanceOf,
    Edge,
    Elapsed,
    EntryRef,
    Find,
    History,
    Instant,
    Measure,
    NamedRegion,
    Now,
    OfRows,
    OfStep,
    Order,
    OwnFront,
    PathOf,
    Place,
    Plan,
    Point,
    Polygon,
    Rank,
    Relation,
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
from recall4d.query.plan.faults import MAX_BYTES, fault_sentence
from recall4d.query.plan.where import N_ANCHORS
from recall4d.query.plan_text.tokens import RESERVED, Cursor, Token, tokens
from recall4d.query.plan_text.writer import RELATIONS
from recall4d.units import METRES_PER_UNIT, SECONDS_PER_UNIT

Model = TypeVar("Model", bound=BaseModel)
Read = TypeVar("Read")

_RELATION_OF = {RELATIONS.get(name, name).split()[0]: name for name in get_args(Relation)}
_VISIBILITIES = ("visible", "occluded", "absent", "unknown")
_ASKS = get_args(Ask.model_fields["kind"].annotation)
_A_LINE = 'a step such as mugs: "mug", or measure, ask or known at'
_A_PLACE = "a place: (x, y, z), an earlier step, me, agent, entry, region, polygon, box or path"
_AN_INSTANT = "an instant: now, 12 s, 12 s ago, frame 12, a date in quotes, clock, or step.moved"
_A_CLAUSE = (
    'a clause: a quotation, a relation such as "on table", existed, observed, among, except, by, present, gone, '
    "category, visibility, kinds, order or limit"
)


def plan_of_text(text: str) -> Plan:
    """The plan that a text says.

    Raises:
        InputError: it says none; the message says where, and what was expected there.
    """
    reader = _Reader(Cursor(tokens(text[: MAX_BYTES + 1])))
    return reader.plan()


def instant_of_text(text: str, steps: tuple[str, ...] = ()) -> Instant:
    """An instant alone, written as in a plan.

    Raises:
        InputError: it is none.
    """
    return _alone(text, steps, _Reader.instant)


def place_of_text(text: str, steps: tuple[str, ...] = ()) -> Place:
    """A place alone, written as in a plan.

    Raises:
        InputError: it is none.
    """
    return _alone(text, steps, _Reader.place)


def _alone(text: str, steps: tuple[str, ...], read: Callable[[_Reader], Read]) -> Read:
    reader = _Reader(Cursor(tokens(text)), steps)
    found = read(reader)
    if reader.cursor.next.kind != "end":
        raise reader.cursor.fault("the end")
    return found


class _Reader:
    """Reads a plan from a cursor; knows the names of the steps so far."""

    def __init__(self, cursor: Cursor, steps: tuple[str, ...] = ()) -> None:
        self.cursor = cursor
        self.steps = list(steps)

    def plan(self) -> Plan:
        found: dict[str, Any] = {"steps": [], "measures": []}
        begins = self.cursor.next
        if begins.kind == "end":
            raise self.cursor.fault(_A_LINE)
        while self.cursor.next.kind != "end":
            token = self.cursor.next
            if token.kind == "line":
                self.cursor.read()
                continue
            if self.cursor.after(1).text == ":" or token.text == "@":
                found["steps"].append(self._find())
                self.steps.append(found["steps"][-1].name)
            elif self.cursor.took("known"):
                self.cursor.expect("at")
                found["known_at"] = self.instant()
            elif self.cursor.took("measure"):
                found["measures"].append(self._measure())
            elif self.cursor.took("ask"):
                found["ask"] = self._ask()
            else:
                raise self.cursor.fault(_A_LINE)
            if not self.cursor.at_line_end:
                raise self.cursor.fault("the end of the line")
        return self._made(begins, Plan, **found)

    # --- steps -------------------------------------------------------------------------------------------------

    def _find(self) -> Find:
        begins, cursor = self.cursor.next, self.cursor
        cursor.took("@")
        if cursor.next.kind != "word":
            raise cursor.fault("the name of a step")
        said: dict[str, Any] = {"name": cursor.read().text, "spatial": []}
        semantic: dict[str, Any] = {}
        cursor.expect(":")
        if not cursor.took("anything"):
            self._clause(said, semantic)
            while cursor.took(";"):
                if cursor.at_line_end:
                    break
                self._clause(said, semantic)
        if semantic:
            said["semantic"] = self._made(begins, SemanticKey, **{"texts": (), **semantic})
        return self._made(begins, Find, **said)

    def _clause(self, said: dict[str, Any], semantic: dict[str, Any]) -> None:
        """Read one clause into the fields of a step."""
        cursor, begins = self.cursor, self.cursor.next
        if begins.kind == "text":
            self._once(semantic, begins, "texts", self._texts("or"))
        elif cursor.is_word("with", "without"):
            field = "attributes" if cursor.read().text == "with" else "without"
            self._once(semantic, begins, field, self._texts(","))
        elif cursor.took("similarity"):
            self._once(semantic, begins, "min_similarity", cursor.number("a cosine"))
        elif cursor.is_word("existed", "observed"):
            self._once(said, begins, "temporal", self._temporal())
        elif cursor.is_word("among", "except"):
            field = "within_step" if cursor.read().text == "among" else "except_step"
            self._once(said, begins, field, self._step())
        elif cursor.took("by"):
            self._once(said, begins, "agent", cursor.text("the name of an agent"))
        elif cursor.took("not", "by"):
            self._once(said, begins, "not_agent", cursor.text("the name of an agent"))
        elif cursor.took("not", "diverse"):
            self._once(said, begins, "diverse", False)
        elif cursor.is_word("present", "gone"):
            self._once(said, begins, "presence", cursor.read().text)
        elif cursor.took("category"):
            self._once(said, begins, "category", cursor.text("a category"))
        elif cursor.took("visibility"):
            found = self._several(lambda: cursor.word_of(_VISIBILITIES, "a visibility"))
            self._once(said, begins, "visibility", found)
        elif cursor.took("kinds"):
            self._once(said, begins, "kinds", cursor.word_of(("things", "surfaces", "both"), "kinds"))
        elif cursor.took("order"):
            self._once(said, begins, "order", cursor.word_of(get_args(Order), "an order"))
        elif cursor.took("limit"):
            self._once(said, begins, "limit", cursor.whole("a number of rows"))
        elif cursor.is_word("not", "next", *_RELATION_OF):
            said["spatial"].append(self._spatial())
        else:
            raise cursor.fault(_A_CLAUSE)

    def _once(self, said: dict[str, Any], at: Token, field: str, value: object) -> None:
        if field in said:
            raise self.cursor.wrong(at, "this is said twice")
        said[field] = value

    def _texts(self, join: str) -> list[str]:
        found = [self.cursor.text("words")]
        while self.cursor.took(join):
            found.append(self.cursor.text("words"))
        return found

    def _several(self, read: Callable[[], Read]) -> list[Read]:
        found = [read()]
        while self.cursor.took(","):
            found.append(read())
        return found

    def _spatial(self) -> SpatialKey:
        cursor, begins = self.cursor, self.cursor.next
        said: dict[str, Any] = {"negated": cursor.took("not"), "directly": cursor.took("next")}
        relation = _RELATION_OF[cursor.word_of(_RELATION_OF, "a relation")]
        written = RELATIONS.get(relation, relation).split()
        cursor.expect(*written[1:])
        if relation in ("within", "beyond"):
            said["distance_m"] = self._metres()
            cursor.expect("of")
        anchors = []
        for n in range(N_ANCHORS.get(relation, 1)):
            if n > 0:
                cursor.expect("and")
            anchors.append(self.place())
        while cursor.is_word("up", "bearing", "spread", "seen"):
            token = cursor.read()
            if token.text == "up":
                cursor.expect("to")
                self._once(said, token, "distance_m", self._metres())
            elif token.text == "seen":
                self._once(said, token, "viewpoint", self._viewpoint())
            else:
                self._once(said, token, f"{token.text}_deg", cursor.number("degrees"))
                cursor.took("deg")
        return self._made(begins, SpatialKey, relation=relation, anchors=anchors, **said)

    def _viewpoint(self) -> Viewpoint:
        cursor = self.cursor
        if cursor.took("from"):
            return Towards(from_anchor=self.place())
        cursor.expect("by")
        if cursor.took("world"):
            return WorldAxes()
        if cursor.took("own", "front"):
            return OwnFront()
        if not cursor.is_word("me", "agent"):
            raise cursor.fault("me, agent, world or own front")
        return self._agent_at()

    # --- places ------------------------------------------------------------------------------------------------

    def place(self) -> Place:
        cursor, begins = self.cursor, self.cursor.next
        if cursor.is_word("("):
            return self._made(begins, Point, xyz=self._numbers(3))
        if cursor.is_word("me", "agent"):
            return self._agent_at()
        if cursor.took("entry"):
            return self._made(begins, EntryRef, entry_id=cursor.text("the id of an entry"))
        if cursor.took("region"):
            return self._made(begins, NamedRegion, name=cursor.text("the name of a region"))
        if cursor.took("box"):
            return self._made(begins, BoxRegion, min_xyz=self._numbers(3), max_xyz=self._numbers(3))
        if cursor.took("polygon"):
            corners = [self._numbers(2)]
            while cursor.is_word("("):
                corners.append(self._numbers(2))
            z = None
            if cursor.took("height"):
                low = cursor.number("a height")
                cursor.expect("to")
                z = (low, cursor.number("a height"))
            return self._made(begins, Polygon, corners_xy=corners, z=z)
        if cursor.took("path"):
            cursor.expect("of")
            agent = self._agent()
            after = self.instant() if cursor.took("from") else None
            return self._made(begins, PathOf, agent=agent, after=after, before=self._end())
        if cursor.took("any"):
            return StepRef(step=self._step(), which="any")
        if cursor.next.kind == "word" or cursor.is_word("@"):
            return StepRef(step=self._step(_A_PLACE))
        raise cursor.fault(_A_PLACE)

    def _agent_at(self) -> AgentAt:
        begins, agent = self.cursor.next, self._agent()
        return self._made(
            begins, AgentAt, agent=agent, **({"at": self.instant()} if self.cursor.took("at") else {})
        )

    def _agent(self) -> str | None:
        if self.cursor.took("me"):
            return None
        self.cursor.expect("agent")
        return self.cursor.text("the name of an agent")

    def _step(self, expected: str | None = None) -> str:
        """The name of an earlier step."""
        cursor = self.cursor
        marked, token = cursor.took("@"), cursor.next
        known = f"an earlier step ({', '.join(self.steps) or 'there is none yet'})"
        if token.kind != "word" or (token.text in RESERVED and not marked):
            raise cursor.fault(expected or known)
        if token.text not in self.steps:
            raise cursor.fault(known)
        return cursor.read().text

    def _metres(self) -> float:
        metres = self.cursor.number("a distance such as 2 m")
        unit = self.cursor.word_of(METRES_PER_UNIT, "a unit of length") if self.cursor.next.kind == "word" else "m"
        return metres * METRES_PER_UNIT[unit]

    def _numbers(self, n: int) -> tuple[float, ...]:
        self.cursor.expect("(")
        found = [self.cursor.number("a number")]
        while self.cursor.took(","):
            found.append(self.cursor.number("a number"))
        if len(found) != n:
            raise self.cursor.fault(f"{n} numbers")
        self.cursor.expect(")")
        return tuple(found)

    # --- times -------------------------------------------------------------------------------------------------

    def _temporal(self) -> TemporalKey:
        cursor, begins = self.cursor, self.cursor.next
        said: dict[str, Any] = {"mode": cursor.read().text}
        if cursor.took("at"):
            said["after"] = said["before"] = self.instant()
        else:
            said["after"] = self.instant() if cursor.took("from") else None
            said["before"] = self._end()
        if cursor.took("during"):
            said["during"] = self._span()
        return self._made(begins, TemporalKey, **said)

    def _end(self) -> Instant | None:
        return self.instant() if self.cursor.took("to") else None

    def _span(self) -> Span:
        cursor, begins = self.cursor, self.cursor.next
        kind = cursor.word_of(("sight", "state", "visit", "visits"), "what it is during")
        ordinal = cursor.whole("the number of a visit, -1 for the last") if kind == "visit" else None
        cursor.expect("of")
        if kind in ("sight", "state"):
            which = "any" if cursor.took("any") else "best"
            step = self._step()
            if kind == "state":
                return self._made(begins, WhileSo, step=step, which=which)
            agent = cursor.text("the name of an agent") if cursor.took("by") else None
            return self._made(begins, WhileSeen, step=step, which=which, agent=agent)
        agent = self._agent()
        said: dict[str, Any] = {"to": self.place()} if cursor.took("to") else {}
        if cursor.took("within"):
            said["distance_m"] = self._metres()
        return self._made(begins, Visit, agent=agent, ordinal=ordinal, **said)

    def instant(self) -> Instant:
        cursor, begins = self.cursor, self.cursor.next
        if begins.kind == "text":
            return self._made(begins, ClockTime, at=cursor.text("a date"))
        if begins.kind == "number":
            return self._counted()
        if cursor.after(1).text != "." and cursor.took("now"):
            return Now()
        if cursor.took("frame"):
            number = cursor.whole("a frame number")
            agent = self._agent() if cursor.took("of") else None
            return self._made(begins, AtFrame, number=number, agent=agent)
        if cursor.took("clock"):
            said: dict[str, Any] = {"time": cursor.text("a time of day"), "zone": cursor.text("a time zone")}
            if cursor.next.kind == "number":
                said["days_ago"] = cursor.whole("a number of days")
                cursor.expect("days", "ago")
            return self._made(begins, TimeOfDay, **said)
        if begins.kind == "word" or begins.text == "@":
            return self._of_step()
        raise cursor.fault(_AN_INSTANT)

    def _counted(self) -> Instant:
        """An instant that begins with a number: 12 s, 12 s ago, 5 min ahead, 17 ns."""
        cursor, begins = self.cursor, self.cursor.next
        if cursor.after(1).text == "ns":
            stamp = cursor.whole("nanoseconds")
            cursor.read()
            return self._made(begins, Stamp, at_ns=stamp)
        seconds = self._seconds()
        if cursor.took("ago"):
            return self._made(begins, Now, offset_s=-seconds)
        if cursor.took("ahead"):
            return self._made(begins, Now, offset_s=seconds)
        return self._made(begins, Elapsed, seconds=seconds)

    def _seconds(self) -> float:
        amount = self.cursor.number("a number of seconds")
        return amount * SECONDS_PER_UNIT[self.cursor.word_of(SECONDS_PER_UNIT, "a unit of time")]

    def _of_step(self) -> OfStep:
        cursor, begins = self.cursor, self.cursor.next
        step = self._step(_AN_INSTANT)
        cursor.expect(".")
        said: dict[str, Any] = {"edge": cursor.word_of(get_args(Edge), "what happened")}
        if cursor.took(".", "first"):
            said["which"] = "first"
        if cursor.next.kind == "number" and cursor.next.text[0] in "+-":
            said["offset_s"] = self._seconds()
        return self._made(begins, OfStep, step=step, **said)

    # --- reports -----------------------------------------------------------------------------------------------

    def _measure(self) -> Measure:
        cursor, begins = self.cursor, self.cursor.next
        kind = cursor.word_of(("count", "duration", "earliest", "latest", "distance", "time"), "a measure")
        if kind == "time":
            first = self.instant()
            cursor.expect("to")
            return TimeBetween(first=first, second=self.instant())
        step = self._step()
        if kind == "distance":
            return DistanceOf(step=step, other=self._step())
        return self._made(begins, OfRows, kind=kind, step=step)

    def _ask(self) -> Ask:
        cursor, begins = self.cursor, self.cursor.next
        said: dict[str, Any] = {"kind": cursor.word_of(_ASKS, "what to answer")}
        if (cursor.next.kind == "word" and cursor.next.text not in RESERVED) or cursor.is_word("@"):
            said["step"] = self._step()
        if cursor.took("other"):
            said["other"] = self._step()
        if cursor.took("among"):
            said["among"] = self._several(self._step)
        if cursor.took("detail"):
            said["detail"] = cursor.text("a word")
        if cursor.took("only"):
            said["only"] = self._several(lambda: cursor.word_of(get_args(History), "a history"))
        if cursor.took("rank"):
            said["rank"] = cursor.word_of(get_args(Rank), "a superlative")
        return self._made(begins, Ask, **said)

    def _made(self, at: Token, model: type[Model], /, **fields: object) -> Model:
        """A part of the plan, or the error that what was written there cannot be."""
        try:
            return TypeAdapter(model).validate_python(fields)
        except ValidationError as error:
            raise self.cursor.wrong(at, fault_sentence(error)) from error
