"""Answers with a language model in the loop, beside what the loop has to beat.

    python -m benchmarks loop --model openai:NAME --base-url http://127.0.0.1:8080/v1

Modes: `english`, the symbolic planner alone; `no-memory`, the model alone; `one-shot`, the model with all evidence
at once; `model`, the loop; `hybrid`, the loop where the symbolic planner did not understand. `A1` to `A8` are the
paper's ablation: the loop with some of the three keys only (A1, with none, is `no-memory`).

Answers are written as they come, and a run that was stopped goes on where it was. They lie in a folder named after
the model, its prompts and its settings, so that answers to other prompts are never mixed in; after a change of how
memory answers, remove the folder. On a slow machine give the server time (`--model 'openai:NAME?timeout_s=900'`,
`--max-seconds 1800`), and leave out what a small model is bad at (`--gate never --judge doubt`).
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks import report
from benchmarks.questions import QUIZZES, Quiz
from benchmarks.recordings import REPOSITORY, Borrowed
from benchmarks.report import Figure, Section
from recall4d import Memory
from recall4d.bench.ablation import ABLATIONS
from recall4d.bench.questions import QuestionScore, now_ns, score_questions
from recall4d.cli.documents import answer_document
from recall4d.cli.model_options import loop_options, model_options, open_model
from recall4d.config import LoopSettings
from recall4d.errors import ModelError, SchemaMismatchError
from recall4d.ports import ChatModel
from recall4d.reasoning.asking import fingerprint

MODES = ("english", "no-memory", "one-shot", "model", "hybrid")
WORK = REPOSITORY / ".benchmarks" / "loop"


@dataclass(frozen=True, slots=True)
class Run:
    """One mode on the questions of one recording.

    Attributes:
        quiz: the questions.
        mode: how they are answered.
        questions: those that were asked.
        score: verdicts.
        answers: documents by question id.
    """

    quiz: Quiz
    mode: str
    questions: Sequence[Mapping[str, Any]]
    score: QuestionScore
    answers: Mapping[str, Mapping[str, Any]]

    def mean(self, name: str) -> float:
        """Mean of a figure of usage over the questions."""
        return sum(each["usage"][name] for each in self.answers.values()) / max(1, len(self.answers))


@click.command()
@model_options
@click.option("--modes", default=",".join(MODES), show_default=True, help="Some of the modes, with commas.")
@click.option(
    "--recordings", default="red_kitchen,house_4d", show_default=True, help="Whose questions, with commas."
)
@click.option(
    "--questions-of",
    type=click.Choice(tuple(QUIZZES)),
    default="authors",
    show_default=True,
    help="Who wrote them.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Ask so many questions of each recording, evenly spread.")
@click.option("--work", type=click.Path(path_type=Path), default=WORK, help="Where memories and answers are kept.")
@loop_options
def main(
    model: str | None,
    base_url: str | None,
    modes: str,
    recordings: str,
    questions_of: str,
    limit: int | None,
    work: Path,
    loop: LoopSettings,
) -> None:
    """Measure the loop of retrieval and reasoning with a real model."""
    chosen = modes.split(",")
    unknown = set(chosen) - {*MODES, *ABLATIONS}
    if unknown:
        raise click.UsageError(f"unknown modes {sorted(unknown)}: expected some of {(*MODES, *ABLATIONS)}")
    if model is None and chosen != ["english"]:
        raise click.UsageError("all modes but english need --model")
    opened = None if model is None else open_model(model, base_url)
    console = Console()
    load_before = os.getloadavg()[0]
    runs = []
    for quiz in QUIZZES[questions_of]:
        if quiz.folder.name not in recordings.split(","):
            continue
        questions = spread(quiz.read(), limit)
        with kept_memory(quiz, work) as memory:
            for mode in chosen:
                run = answered(quiz, questions_of, mode, questions, memory, opened, loop, work, console)
                runs.append(run)
                console.print(table(runs))
    path = report.save("loop", list(sections(runs, model)), load_before)
    console.print(f"written to {os.path.relpath(path)}")


def spread(questions: Sequence[Mapping[str, Any]], limit: int | None) -> Sequence[Mapping[str, Any]]:
    """So many of the questions, evenly spread over the file."""
    if limit is None or limit >= len(questions):
        return questions
    return [questions[index * len(questions) // limit] for index in range(limit)]


def kept_memory(quiz: Quiz, work: Path) -> Memory:
    """The memory of a quiz's recordings, taken in once."""
    directory = work / "memories" / quiz.folder.name
    try:
        memory = Memory.open(directory)
    except SchemaMismatchError:
        shutil.rmtree(directory)
        memory = Memory.open(directory)
    for agent, recording in quiz.recordings.items():
        memory.ingest(Borrowed(recording), agent=agent)
    if len(quiz.recordings) > 1:
        memory.align()
    return memory


def answered(
    quiz: Quiz,
    questions_of: str,
    mode: str,
    questions: Sequence[Mapping[str, Any]],
    memory: Memory,
    model: ChatModel | None,
    loop: LoopSettings,
    work: Path,
    console: Console,
) -> Run:
    """The answers of one mode; what is on disk already is not asked again."""
    settings = loop
    planner = mode
    if mode in ABLATIONS:
        settings = loop.model_copy(update={"keys": ABLATIONS[mode]})
        planner = "model" if ABLATIONS[mode] else "no-memory"
    path = answers_path(
        work, f"{quiz.folder.name}-{questions_of}-{mode}", None if planner == "english" else model, settings
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    # What needs no model is asked anew: it costs nothing, and the grammar may have changed meanwhile.
    answers = {} if planner == "english" else dict(known(path))
    origin_ns = memory.snapshot().origin_ns
    for number, question in enumerate(questions, start=1):
        if question["id"] in answers:
            continue
        try:
            document = answer_document(
                memory.ask(
                    question["question"],
                    now=now_ns(question, origin_ns),
                    agent=question["agent"],
                    planner=planner,
                    model=model,
                    loop=settings,
                )
            )
        except ModelError as error:
            console.print(f"{question['id']} failed, and is asked again next time: {error}", markup=False)
            continue
        document["id"] = question["id"]
        if planner != "english":
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(document, ensure_ascii=False) + "\n")
        answers[question["id"]] = document
        told = f"{quiz.folder.name} {mode} {number}/{len(questions)} {question['question']}"
        console.print(f"{told}\n    {document['answer']['text']} ({document['stop_reason']})", markup=False)
    asked = [each for each in questions if each["id"] in answers]
    kept = {each["id"]: answers[each["id"]] for each in asked}
    return Run(quiz, mode, asked, score_questions(asked, kept, origin_ns), kept)


def answers_path(work: Path, name: str, model: ChatModel | None, settings: LoopSettings) -> Path:
    """Where the answers of a mode lie: by model, and by prompts and settings."""
    who = "english" if model is None else re.sub(r"[^\w.-]", "_", model.name)
    print_of = "" if model is None else f"-{hashlib.sha256(fingerprint(settings).encode()).hexdigest()[:8]}"
    return work / "answers" / f"{who}{print_of}" / f"{name}.jsonl"


def known(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Answers on disk; a last line cut off by a kill is none."""
    if not path.exists():
        return
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            document = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield document["id"], document


def table(runs: Sequence[Run]) -> Table:
    """Modes beside each other, recording by recording and together."""
    shown = Table("questions of", "mode", "asked", "right", "abstained", "wrong", "calls", "tokens", "s")
    for run in [*runs, *together(runs)]:
        shares = [f"{run.score.share(mark):.0%}" for mark in ("right", "abstained", "wrong")]  # type: ignore[arg-type]
        tokens = f"{run.mean('tokens_in'):.0f} + {run.mean('tokens_out'):.0f}"
        name = run.quiz.folder.name if run in runs else "all"
        cost = (f"{run.mean('calls'):.1f}", tokens, f"{run.mean('seconds'):.1f}")
        shown.add_row(name, run.mode, str(len(run.questions)), *shares, *cost)
    return shown


def together(runs: Sequence[Run]) -> list[Run]:
    """One run a mode over all recordings, where there are several."""
    joined = []
    for mode in dict.fromkeys(run.mode for run in runs):
        same = [run for run in runs if run.mode == mode]
        if len(same) > 1:
            verdicts = tuple(verdict for run in same for verdict in run.score.verdicts)
            answers = {f"{run.quiz.name}/{key}": each for run in same for key, each in run.answers.items()}
            questions = [question for run in same for question in run.questions]
            joined.append(Run(same[0].quiz, mode, questions, QuestionScore(verdicts), answers))
    return joined


def sections(runs: Sequence[Run], model: str | None) -> Iterator[Section]:
    """The figures of every run."""
    for run in [*runs, *together(runs)]:
        name = run.quiz.name if run in runs else "all"
        wrong = " ".join(each.id for each in run.score.verdicts if each.mark == "wrong")
        abstained = " ".join(each.id for each in run.score.verdicts if each.mark == "abstained")
        yield Section(
            f"{name}: {run.mode}, {len(run.questions)} questions, {model}",
            [
                Figure("right", 100 * run.score.share("right"), "%"),
                Figure("abstained", 100 * run.score.share("abstained"), "%", detail=abstained),
                Figure("wrong", 100 * run.score.share("wrong"), "%", detail=wrong),
                Figure("calls a question", run.mean("calls")),
                Figure("tokens in a question", run.mean("tokens_in")),
                Figure("tokens out a question", run.mean("tokens_out")),
                Figure("time a question", run.mean("seconds"), "s"),
            ],
        )


if __name__ == "__main__":
    main()
