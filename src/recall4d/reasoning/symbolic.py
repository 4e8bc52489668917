"""A question, answered without a model."""

from __future__ import annotations

from recall4d.query.answer import answer
from recall4d.query.english import Context, Planned, plan_question
from recall4d.reasoning.inquiry import Inquiry
from recall4d.records import Answer


def by_grammar(inquiry: Inquiry) -> tuple[Planned, Answer]:
    """How the symbolic planner reads a question, and what it answers."""
    read = plan_question(inquiry.question, Context.of(inquiry.snapshot, inquiry.agent), inquiry.choices)
    return read, answer(read, inquiry.snapshot, inquiry.agent, inquiry.choices)
