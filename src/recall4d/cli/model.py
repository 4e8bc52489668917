"""`recall4d model probe`: what a chat model can take."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from recall4d.cli.model_options import open_model
from recall4d.cli.options import json_option, print_json

if TYPE_CHECKING:
    from recall4d.ports import ChatModel


@click.group()
def model() -> None:
    """Chat models: openai:NAME, transformers:MODEL_ID, llama-cpp:FILE.gguf, replay:TAPE."""


@model.command()
@click.argument("spec", metavar="MODEL")
@click.option("--base-url", metavar="URL", help="Where an OpenAI-compatible server listens.")
@json_option
def probe(spec: str, base_url: str | None, as_json: bool) -> None:
    """Ask MODEL a few short questions and print what it can take: pictures, a JSON schema, how much at once."""
    found = _found(open_model(spec, base_url))
    if as_json:
        print_json({"schema": "recall4d.model/1", **found})
        return
    at = f" at {found['url']}" if found["url"] else ""
    click.echo(f"{found['model']}{at}" + (f" ({found['server']})" if found["server"] else ""))
    for title, value in (
        ("pictures", f"{found['max_pictures']} a request" if found["max_pictures"] else "none, it reads text only"),
        ("JSON schema", "held to it" if found["json_schema"] else "said in words, replies are checked"),
        ("context", f"{found['context_tokens']} tokens" if found["context_tokens"] else "not told"),
        ("confidence", "from token probabilities" if found["token_probabilities"] else "none"),
    ):
        click.echo(f"  {title:<12} {value}")
    for note in found["notes"]:
        click.echo(f"  note: {note}")


def _found(asked: ChatModel) -> dict[str, Any]:
    from recall4d.models.openai_compatible import OpenAICompatibleModel

    url, probed = None, None
    if isinstance(asked, OpenAICompatibleModel):
        url, probed = asked.url, asked.probed(fresh=True)
    able = asked.capabilities
    return {
        "model": asked.name,
        "url": url,
        "server": (probed.server or None) if probed else None,
        "max_pictures": able.max_pictures,
        "json_schema": able.json_schema,
        "context_tokens": able.context_tokens,
        "token_probabilities": able.token_probabilities,
        "schema_dialect": probed.dialect if probed and able.json_schema else None,
        "without": sorted(probed.without) if probed else [],
        "notes": list(probed.notes) if probed else [],
    }
