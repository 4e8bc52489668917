"""`recall4d ask`: questions in, answers with evidence out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from recall4d.cli.model_options import loop_options, model_options, open_model
from recall4d.cli.options import json_option, memory_argument, now_option, print_json
from recall4d.cli.progress import thinking
from recall4d.errors import ModelError

if TYPE_CHECKING:
    from recall4d.config import LoopSettings
    from recall4d.records import Answer


SHOWN = 3
"""Lines of evidence under an answer."""


@click.command()
@memory_argument
@click.argument("question", required=False)
@click.option(
    "--file", "questions_file", type=click.Path(path_type=Path), help="Many questions: JSON, or one a line."
)
@now_option
@click.option("--as-of", metavar="INSTANT", help="Bound what is known by this instant instead of --now.")
@click.option("--agent", help='Who "I" is; the first agent if not given.')
@click.option("--choices", help="Options of a multiple-choice question, separated by |.")
@click.option(
    "--planner",
    type=click.Choice(["english", "model", "hybrid", "no-memory", "one-shot"]),
    help="Who reads the question: a grammar; a model in a loop; a model where the grammar does not understand. "
    "By default the grammar, or hybrid where a model is given. The last two are there to be compared with.",
)
@model_options
@click.option("--image", type=click.Path(path_type=Path), help="A picture of the present view.")
@click.option("--frame", metavar="INSTANT", help="The present view is the agent's last keyframe by then.")
@loop_options
@click.option("--explain", is_flag=True, help="Show the plan that the question was read as.")
@json_option
def ask(
    memory_dir: Path,
    question: str | None,
    questions_file: Path | None,
    now: str | None,
    as_of: str | None,
    agent: str | None,
    choices: str | None,
    planner: str | None,
    model: str | None,
    base_url: str | None,
    image: Path | None,
    frame: str | None,
    loop: LoopSettings,
    explain: bool,
    as_json: bool,
) -> None:
    """Answer QUESTION, or the questions of a file, from the memory in DIR."""
    from recall4d.api import Memory
    from recall4d.cli.documents import answer_document
    from recall4d.cli.questions import Question, read_questions

    if (question is None) == (questions_file is None):
        raise click.UsageError("give a question or --file, one of the two")
    planner = planner or ("english" if model is None else "hybrid")
    if planner != "english" and model is None:
        raise click.UsageError(f"--planner {planner} needs --model, such as --model openai:NAME --base-url URL")
    if planner == "english" and (image is not None or frame is not None):
        raise click.UsageError("a present view is for a model to see: give one with --model")
    if question is not None:
        questions = [Question(question, choices=tuple(choices.split("|")) if choices else ())]
    else:
        assert questions_file is not None
        questions = read_questions(questions_file)
    asked_model = None if model is None or planner == "english" else open_model(model, base_url)
    failures: list[ModelError] = []
    with Memory.open(memory_dir, create=False) as memory, thinking() as progress:
        whole = memory.snapshot()
        named = {each.agent for each in questions} - {None, *whole.agents}
        if named and len(whole.agents) == 1:
            # One recording, called something else where the questions were written: "I" can only be its agent.
            click.echo(f"note: {', '.join(map(str, named))} is taken to be {whole.agents[0]}", err=True)
        for each in questions:
            asker = each.agent or agent
            try:
                answer = memory.ask(
                    each.question,
                    now=each.instant(whole.origin_ns, default=now),
                    as_of=as_of,
                    agent=whole.agents[0] if asker in named and len(whole.agents) == 1 else asker,
                    choices=each.choices,
                    planner=planner,
                    model=asked_model,
                    image=image,
                    frame=frame,
                    loop=loop,
                    progress=progress,
                )
            except ModelError as error:
                if questions_file is None:
                    raise
                # Of many questions, those that need no model are still answered, and each has its document.
                failures.append(error)
                click.echo(f"recall4d: {each.question}: {error}", err=True)
                answer = unanswered(each.question, error)
                if not as_json:
                    continue
            if as_json:
                identity = {} if questions_file is None else {"id": each.id}
                print_json({**answer_document(answer), **identity})
            else:
                _print(answer, show_question=questions_file is not None)
                if explain:
                    _print_plan(answer)
    if failures:
        raise ModelError(f"{len(failures)} of {len(questions)} questions not answered")


def unanswered(question: str, error: ModelError) -> Answer:
    """An answer's document for a question that no model could be asked."""
    from recall4d.records import Answer

    stop, text = f"model failed: {error}", f"The model failed: {error}"
    return Answer(question, 0, "text", text, None, stop, abstained=True, rounds=0)


def _print_plan(answer: Answer) -> None:
    """The plan that was run, as text; nothing where the question was not understood."""
    from recall4d.query.plan.faults import plan_of_json
    from recall4d.query.plan_text import text_of_plan

    if answer.plan:
        for line in text_of_plan(plan_of_json(answer.plan)).splitlines():
            click.echo(click.style(f"  plan: {line}", dim=True))


def _print(answer: Answer, show_question: bool) -> None:
    if show_question:
        click.echo(f"? {answer.question}")
    click.echo(answer.text)
    if answer.viewpoint:
        click.echo(click.style(f"  seen by {answer.viewpoint}", dim=True))
    for row in answer.evidence[:SHOWN]:
        where = " ".join(f"{value:.2f}" for value in row.centroid_xyz)
        crop = f", {row.view.crop}" if row.view and row.view.crop else ""
        line = (
            f"  evidence: {row.description} [{row.entry_id}] at ({where}), {row.visibility}, by {row.agent}{crop}"
        )
        click.echo(click.style(line, dim=True))
        for report in row.reports[-1:]:
            said = f'  seen in its picture by {report.model}: "{report.said}"'
            click.echo(click.style(said, dim=True))
    if len(answer.evidence) > SHOWN:
        click.echo(click.style(f"  and {len(answer.evidence) - SHOWN} more, with --json", dim=True))
    if answer.look_next:
        click.echo(click.style(f"  look next: {answer.look_next}", dim=True))
    if answer.unsupported:
        numbers = ", ".join(answer.unsupported)
        click.echo(click.style(f"  not in the evidence: {numbers}", fg="yellow"))
    if answer.usage.calls:
        usage = answer.usage
        cost = f"{usage.calls} calls, {usage.tokens_in} + {usage.tokens_out} tokens, {usage.seconds:.1f} s"
        trace = f"; trace: {answer.trace}" if answer.trace else ""
        click.echo(click.style(f"  by a model: {answer.stop_reason}; {cost}{trace}", dim=True))
