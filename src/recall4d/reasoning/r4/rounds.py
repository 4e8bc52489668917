"""What the loop knows so far: one round after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from recall4d.query.answer import answer
from recall4d.query.english import Planned
from recall4d.query.plan import Plan
from recall4d.query.retrieve import Retrieval, retrieve
from recall4d.query.serialise import quoted, quoted_data
from recall4d.reasoning.inquiry import Inquiry
from recall4d.reasoning.r4.widening import what_wider_finds
from recall4d.records import Answer, Evidence

NAMES_SHOWN = 4
"""Things named when a later round is told what an earlier one found."""


@dataclass(frozen=True, slots=True)
class Round:
    """One plan, what it found, and what memory computed from it.

    Attributes:
        number: from 1.
        planned: the plan.
        written: the plan as it was written, plain JSON.
        found: the rows of its last step, and how they were narrowed down.
        computed: the answer that the symbolic answerer gives for it.
        rejected: why the model did not take the answer; empty until it has judged.
        wider: what the plan would find with a key less, where it found nothing: what is left out, how many things
            that finds, and that plan.
    """

    number: int
    planned: Planned
    written: Any
    found: Retrieval
    computed: Answer
    rejected: str = ""
    wider: tuple[tuple[str, int, Plan], ...] = ()

    @property
    def plan(self) -> Plan:
        """The plan that was run."""
        assert self.planned.plan is not None
        return self.planned.plan

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What the model is shown: what the answer rests on, else what the last step found."""
        return self.computed.evidence or self.found.rows

    def signature(self) -> tuple[object, ...]:
        """What there is to learn from it: rows, and what was computed."""
        rows = frozenset((each.entry_id, each.centroid_xyz, each.visibility) for each in self.evidence)
        return (rows, self.computed.type, repr(self.computed.value), self.computed.abstained)

    def told(self) -> str:
        """What was asked and found, in two lines, for the next round."""
        names = [quoted_data(each.description) for each in self.evidence[:NAMES_SHOWN]]
        more = len(self.evidence) - len(names)
        found = "nothing" if not names else ", ".join(names) + (f" and {more} more" if more > 0 else "")
        why = f" Not taken: {quoted(self.rejected)}." if self.rejected else ""
        without = "".join(f" Without its {left_out} it finds {n}." for left_out, n, _ in self.wider)
        return f"Found {found}. Computed: {quoted_data(self.computed.text)}.{why}{without}"


def run_round(number: int, planned: Planned, written: Any, inquiry: Inquiry) -> Round:
    """Run a plan and compute its answer.

    Raises:
        UsageError: it names an agent, a frame or an entry that this memory does not hold.
    """
    assert planned.plan is not None
    found = retrieve(planned.plan, inquiry.snapshot, inquiry.agent)
    computed = answer(planned, inquiry.snapshot, inquiry.agent, inquiry.choices)
    wider = () if computed.evidence else what_wider_finds(planned.plan, inquiry.snapshot, inquiry.agent)
    return Round(number, planned, written, found, computed, wider=wider)
