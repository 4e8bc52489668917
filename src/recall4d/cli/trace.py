"""`recall4d trace`: how an answer came about, and whether it comes about again."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from recall4d.cli.options import json_option, print_json

if TYPE_CHECKING:
    from rich.console import RenderableType

file_argument = click.argument("file", type=click.Path(path_type=Path))

MAX_SHOWN = 1200
"""Characters of a prompt shown without --full."""


@click.group()
def trace() -> None:
    """Show or replay the trace of a question that a model helped to answer."""


@trace.command()
@file_argument
@click.option("--full", is_flag=True, help="Show prompts whole.")
@json_option
def show(file: Path, full: bool, as_json: bool) -> None:
    """Render the trace in FILE: prompts, replies, plans, rows, tokens, times, stop reason."""
    from recall4d.reasoning.skeleton.trace import read_trace

    lines = read_trace(file)
    if as_json:
        print_json({"schema": "recall4d.trace_show/1", "lines": lines})
        return
    from rich.console import Console

    console = Console()
    shown: set[str] = set()
    for line in lines:
        for part in _rendered(line, full, shown):
            console.print(part)


@trace.command()
@file_argument
@click.option("--memory", "memory_dir", type=click.Path(path_type=Path), help="By default the one that holds FILE.")
@json_option
def replay(file: Path, memory_dir: Path | None, as_json: bool) -> None:
    """Answer the question of FILE again without the model; ends with status 1 if the answer is not the same."""
    from recall4d.api import Memory
    from recall4d.cli.documents import answer_document
    from recall4d.errors import UsageError
    from recall4d.reasoning.skeleton.trace import FOLDER

    if not file.is_file():
        raise UsageError(f"no trace at {file}")
    if memory_dir is None and file.resolve().parent.name != FOLDER:
        raise UsageError(f"{file} lies in no memory's folder of traces: say which with --memory DIR")
    with Memory.open(memory_dir or file.resolve().parent.parent, create=False) as memory:
        replayed = memory.replay(file)
    if as_json:
        document: dict[str, Any] = {
            "schema": "recall4d.trace_replay/1",
            "same": replayed.same,
            "differences": list(replayed.differences),
            "answer": None if replayed.answer is None else answer_document(replayed.answer),
        }
        print_json(document)
    elif replayed.answer is not None:
        click.echo(replayed.answer.text)
    if not as_json:
        click.echo("the same answer" if replayed.same else "not the same answer:")
        for each in replayed.differences:
            click.echo(f"  {each}")
    if not replayed.same:
        sys.exit(1)


def _rendered(line: dict[str, Any], full: bool, shown: set[str]) -> list[RenderableType]:
    """One line of a trace for a person. Everything read from it is text, never markup."""
    from rich.panel import Panel
    from rich.rule import Rule
    from rich.text import Text

    match line["event"]:
        case "question":
            told = f"{line['question']}\nplanner {line['planner']}, model {line['model']}"
            return [Panel(Text(told), title="question")]
        case "call":
            where = f"round {line['round']}: {line['doing']}" if line["round"] else line["doing"]
            parts: list[RenderableType] = [Rule(Text(where))]
            for message in line["request"]["messages"]:
                if message["role"] == "system" and not full and message["text"] in shown:
                    continue
                shown.add(message["text"])
                text = message["text"] if full else _cut(message["text"])
                pictures = "".join(f" [{each['label']}]" for each in message.get("pictures", ()))
                parts.append(Panel(Text(text), title=Text(f"{message['role']}{pictures}"), border_style="dim"))
            if "error" in line:
                return [*parts, Text(f"failed: {line['error']}", style="red")]
            reply = line["reply"]
            cost = f"{reply['tokens_in']} + {reply['tokens_out']} tokens, {reply['seconds']:.1f} s"
            title = Text(f"reply, {reply['outcome']}, {cost}")
            return [*parts, Panel(Text(reply["text"]), title=title, border_style="green")]
        case "rows":
            rows = [_row(number, row) for number, row in enumerate(line["rows"], start=1)]
            return [Text("\n".join([f"{len(rows)} rows", *rows, f"computed: {line['computed']['text']}"]))]
        case "answer":
            usage = line["usage"]
            cost = f"{usage['calls']} calls, {usage['tokens_in']} + {usage['tokens_out']} tokens"
            told = f"{line['text']}\n{line['type']}: {line['value']!r}\n{line['stop_reason']}; {cost}"
            return [Panel(Text(f"{told}, {usage['seconds']:.1f} s"), title="answer", border_style="bold")]
        case event:
            fields = {name: each for name, each in line.items() if name not in ("event", "round", "plan")}
            return [Text(f"{event}: {json.dumps(fields, ensure_ascii=False)}", style="cyan")]


def _row(number: int, row: dict[str, Any]) -> str:
    where = " ".join(f"{value:.2f}" for value in row["centroid_xyz"])
    return (
        f"  {number}. {row['description']} [{row['entry_id']}] at ({where}), {row['visibility']}, by {row['agent']}"
    )


def _cut(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}\n... {len(text) - MAX_SHOWN} more characters"
