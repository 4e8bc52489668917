"""English questions to plans, by a grammar, without a model."""

from recall4d.query.english.context import Context
from recall4d.query.english.planner import Planned, plan_question

__all__ = ["Context", "Planned", "plan_question"]
