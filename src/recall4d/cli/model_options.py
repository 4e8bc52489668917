"""Options of commands that ask a chat model."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from recall4d.config import BudgetSettings, LoopSettings

if TYPE_CHECKING:
    from recall4d.ports import ChatModel

Command = TypeVar("Command", bound=Callable[..., Any])

_LOOP, _BUDGET = LoopSettings(), BudgetSettings()


def model_options(command: Command) -> Command:
    """`--model` and `--base-url`."""
    for option in (
        click.option("--base-url", metavar="URL", help="Where an OpenAI-compatible server listens."),
        click.option("--model", metavar="KIND:NAME", help="The model to ask, such as openai:gemma3:4b."),
    ):
        command = option(command)
    return command


def loop_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options of the reasoning loop, gathered into `loop: LoopSettings`."""

    @wraps(command)
    def gathered(
        *args: Any,
        samples: int,
        examples: int,
        gate: Any,
        judge: Any,
        rounds: int,
        max_tokens: int,
        max_seconds: float,
        look_again: int,
        no_trace: bool,
        **more: Any,
    ) -> Any:
        budget = BudgetSettings(rounds=rounds, tokens=max_tokens, seconds=max_seconds)
        loop = LoopSettings(
            budget=budget,
            gate=gate,
            judge=judge,
            samples=samples,
            examples=examples,
            look_again=look_again,
            trace=not no_trace,
        )
        return command(*args, loop=loop, **more)

    for option in (
        click.option("--look-again", type=click.IntRange(0, 16), default=_LOOP.look_again, show_default=True,
                     help="Pictures behind the evidence to show the model where memory has no answer."),
        click.option("--no-trace", is_flag=True, help="Write no trace into the memory's directory."),
        click.option("--max-seconds", type=click.FloatRange(min=0, min_open=True), default=_BUDGET.seconds,
                     show_default=True, help="Time that the model may take for a question."),
        click.option("--max-tokens", type=click.IntRange(min=1), default=_BUDGET.tokens, show_default=True,
                     help="Tokens, in and out, that a question may cost."),
        click.option("--rounds", type=click.IntRange(1, 16), default=_BUDGET.rounds, show_default=True,
                     help="Rounds of retrieval."),
        click.option("--gate", type=click.Choice(["always", "view", "never"]), default=_LOOP.gate,
                     show_default=True, help="When to ask first whether memory is "
                     "needed; view: where there is a present view."),
        click.option("--judge", type=click.Choice(["always", "doubt", "never"]), default=_LOOP.judge,
                     show_default=True, help="When to show the model what memory computed; doubt: where the words "
                     "fit poorly."),
        click.option("--examples", type=click.IntRange(0, 20), default=_LOOP.examples, show_default=True,
                     help="Questions like this one that are shown with their plans."),
        click.option("--samples", type=click.IntRange(1, 16), default=_LOOP.samples, show_default=True,
                     help="Replies to whether memory is needed, which must agree."),
    ):  # fmt: skip
        gathered = option(gathered)
    return gathered


def open_model(spec: str, base_url: str | None) -> ChatModel:
    """The model that the options name.

    Raises:
        UsageError: unknown kind, or it takes no base URL.
    """
    from recall4d import plugins
    from recall4d.models.spec import with_option

    return plugins.chat_model(spec if base_url is None else with_option(spec, "base_url", base_url))
