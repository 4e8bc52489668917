"""Which key an answer hangs on: the same questions with keys taken out of their plans.

The paper ablates its three keys: A1 none, A2 semantic, A3 spatial, A7 spatial and temporal, A8 all; how the others
are numbered is ours. A key is taken out of a plan by dropping it from every step, so that the step keeps what the
other keys leave. Whoever answers is a function, so that a model can stand where the symbolic answerer stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from recall4d.bench.questions import QuestionScore, score_questions
from recall4d.memory.snapshot import Snapshot
from recall4d.query.answer import answer
from recall4d.query.english import Context, plan_question
from recall4d.query.plan import Plan
from recall4d.records import Answer

Key = Literal["semantic", "spatial", "temporal"]
Keys = frozenset[Key]
Json = Mapping[str, Any]
Answerer = Callable[[Json, Keys], Json]
"""A question of a questions.json and the keys that may be used, to an answer document."""

ABLATIONS: Mapping[str, Keys] = {
    "A1": frozenset(),
    "A2": frozenset({"semantic"}),
    "A3": frozenset({"spatial"}),
    "A4": frozenset({"temporal"}),
    "A5": frozenset({"semantic", "spatial"}),
    "A6": frozenset({"semantic", "temporal"}),
    "A7": frozenset({"spatial", "temporal"}),
    "A8": frozenset({"semantic", "spatial", "temporal"}),
}


@dataclass(frozen=True, slots=True)
class Ablated:
    """How questions were answered with some keys.

    Attributes:
        name: "A1" to "A8".
        keys: which were used.
        score: verdict by verdict.
    """

    name: str
    keys: Keys
    score: QuestionScore

    @property
    def used(self) -> str:
        """The keys in the paper's words: "SEM+TEM"."""
        order: tuple[Key, ...] = ("semantic", "spatial", "temporal")
        short = {"semantic": "SEM", "spatial": "SPA", "temporal": "TEM"}
        return "+".join(short[key] for key in order if key in self.keys) or "none"


def ablate(questions: Sequence[Json], answerer: Answerer, origin_ns: int) -> tuple[Ablated, ...]:
    """Ask all questions with each set of keys.

    Args:
        questions: entries of a questions.json.
        answerer: answers one with the keys it is given.
        origin_ns: the recording's first instant, from which the questions' seconds count.
    """
    return tuple(
        Ablated(
            name, keys, score_questions(questions, {str(q["id"]): answerer(q, keys) for q in questions}, origin_ns)
        )
        for name, keys in ABLATIONS.items()
    )


def with_keys(plan: Plan, keys: Iterable[Key]) -> Plan:
    """The plan with no other keys in its steps. What only narrows by column (agent, kind, presence) stays."""
    kept = set(keys)
    dropped: dict[str, object] = {}
    dropped |= {} if "semantic" in kept else {"semantic": None, "category": None}
    dropped |= {} if "spatial" in kept else {"spatial": ()}
    dropped |= {} if "temporal" in kept else {"temporal": None}
    steps = tuple(step.model_copy(update=dropped) for step in plan.steps)
    return plan.model_copy(update={"steps": steps})


def answer_with_keys(
    question: str, snapshot: Snapshot, keys: Iterable[Key], asking_agent: str | None = None
) -> Answer:
    """The symbolic answer to a question in English, from a plan with these keys only."""
    planned = plan_question(question, Context.of(snapshot, asking_agent))
    if planned.plan is not None:
        planned = replace(planned, plan=with_keys(planned.plan, keys))
    return answer(planned, snapshot, asking_agent)
