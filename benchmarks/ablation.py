"""The questions of house_4d with keys taken out of their plans, as the paper ablates its three keys."""

from __future__ import annotations

import json
from typing import Any

from benchmarks.questions import QUIZZES
from benchmarks.recordings import HOUSE_4D, Borrowed, present, temporary_memory
from benchmarks.report import Figure, Section
from recall4d.bench.ablation import Ablated, Json, Keys, ablate, answer_with_keys
from recall4d.bench.questions import now_ns
from recall4d.cli.documents import answer_document


def run() -> list[Section]:
    questions = json.loads(present(HOUSE_4D / "questions.json").read_text(encoding="utf-8"))
    quiz = next(quiz for quiz in QUIZZES["authors"] if quiz.folder == HOUSE_4D)
    with temporary_memory() as memory:
        for agent, recording in quiz.recordings.items():
            memory.ingest(Borrowed(recording), agent=agent)
        memory.align()
        origin_ns = memory.snapshot().origin_ns

        def answered(question: Json, keys: Keys) -> dict[str, Any]:
            snapshot = memory.snapshot(now_ns(question, origin_ns))
            return answer_document(answer_with_keys(question["question"], snapshot, keys, question["agent"]))

        found = ablate(questions, answered, origin_ns)
    return [Section(f"house_4d, symbolic answerer: {len(questions)} questions", [_figure(each) for each in found])]


def _figure(ablated: Ablated) -> Figure:
    shares = {mark: 100 * ablated.score.share(mark) for mark in ("right", "abstained", "wrong")}  # type: ignore[arg-type]
    return Figure(
        f"{ablated.name} {ablated.used}: right",
        shares["right"],
        "%",
        detail=f"{shares['abstained']:.0f} % abstained, {shares['wrong']:.0f} % wrong",
    )
