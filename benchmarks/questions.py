"""Questions in English with known answers: how many are answered right, how many not at all, how many wrong.

An answer is bounded by what had been observed when the question was asked. In house_4d both agents are in memory;
bravo's map is its own, so the memory has to find out where it lies in alpha's world before they share anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.recordings import DEMO_HOUSE, HOUSE_4D, RED_KITCHEN, Borrowed, present, temporary_memory
from benchmarks.report import Figure, Section, Target, at_least, at_most
from recall4d import Memory
from recall4d.bench.questions import QuestionScore, now_ns, score_questions
from recall4d.cli.documents import answer_document
from recall4d.memory.agents import AgentAlignment


@dataclass(frozen=True, slots=True)
class Quiz:
    """Questions, and the recordings that hold their answers.

    Attributes:
        name: for people.
        folder: of the recording.
        questions: the file of the questions.
        recordings: by the name that the questions give to the agent; the first one's map is the world.
        least_right: percent that should be right, where there is a target.
    """

    name: str
    folder: Path
    questions: Path
    recordings: Mapping[str, Path]
    least_right: float | None = None

    def read(self) -> list[dict[str, Any]]:
        """The questions, as `bench.questions` scores them."""
        found: list[dict[str, Any]] = json.loads(present(self.questions).read_text(encoding="utf-8"))
        return found


def _quizzes(questions_of: Callable[[Path], Path], least_right: float | None = None) -> tuple[Quiz, ...]:
    house = {"alpha": HOUSE_4D / "alpha", "bravo": HOUSE_4D / "bravo"}
    return (
        Quiz("red_kitchen", RED_KITCHEN, questions_of(RED_KITCHEN), {"camera": RED_KITCHEN}, least_right),
        Quiz("house_4d, alpha and bravo", HOUSE_4D, questions_of(HOUSE_4D), house),
        Quiz("demo_house", DEMO_HOUSE, questions_of(DEMO_HOUSE), {"alpha": DEMO_HOUSE}),
    )


QUIZZES = {
    "authors": _quizzes(lambda recording: recording / "questions.json", least_right=50.0),
    "strangers": _quizzes(lambda recording: Path(__file__).parent / "strangers" / f"{recording.name}.json"),
}
"""By who wrote them: the authors of the recordings, or people who had never seen the planner nor these."""


def run() -> list[Section]:
    return [_measure(who, quiz) for who, quizzes in QUIZZES.items() for quiz in quizzes]


def _measure(who: str, quiz: Quiz) -> Section:
    questions = quiz.read()
    with temporary_memory() as memory:
        for agent, recording in quiz.recordings.items():
            memory.ingest(Borrowed(recording), agent=agent)
        maps = memory.align() if len(quiz.recordings) > 1 else {}
        origin_ns = memory.snapshot().origin_ns
        answers = {question["id"]: _answer(memory, question, origin_ns) for question in questions}
    score = score_questions(questions, answers, origin_ns)
    mean_s = sum(each["usage"]["seconds"] for each in answers.values()) / len(answers)
    return Section(
        f"{quiz.name}: {len(questions)} questions of {who}",
        [
            *_shares(score, quiz.least_right),
            *_by_type(score),
            Figure("time of an answer, mean", 1000 * mean_s, "ms"),
            *(_map_figure(agent, found) for agent, found in maps.items() if found.n_inliers),
        ],
    )


def _answer(memory: Memory, question: Mapping[str, Any], origin_ns: int) -> dict[str, Any]:
    asked_ns = now_ns(question, origin_ns)
    return answer_document(memory.ask(question["question"], now=asked_ns, agent=question["agent"]))


def _shares(score: QuestionScore, least_right: float | None) -> Sequence[Figure]:
    right, abstained, wrong = (100 * score.share(mark) for mark in ("right", "abstained", "wrong"))
    target: Target | None = None if least_right is None else at_least(least_right)
    return (
        Figure("right", right, "%", target),
        Figure("abstained, though memory holds it", abstained, "%", detail=_ids(score, "abstained")),
        Figure("wrong, no more than abstained", wrong, "%", at_most(abstained), _ids(score, "wrong")),
    )


def _by_type(score: QuestionScore) -> Sequence[Figure]:
    return [
        Figure(
            f"right: {answer_type}",
            100 * counts["right"] / sum(counts.values()),
            "%",
            detail=", ".join(f"{n} {mark}" for mark, n in counts.items()),
        )
        for answer_type, counts in score.by_type().items()
    ]


def _ids(score: QuestionScore, mark: str) -> str:
    return " ".join(each.id for each in score.verdicts if each.mark == mark)


def _map_figure(agent: str, found: AgentAlignment) -> Figure:
    verdict = "accepted" if found.accepted else f"refused: {found.why}"
    return Figure(
        f"{agent}'s map, residual", 100 * found.residual_m, "cm", detail=f"{found.n_inliers} things, {verdict}"
    )
