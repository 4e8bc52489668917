"""Models behind the tests' own servers, and a question for them."""

from __future__ import annotations

from recall4d.models.openai_compatible import OpenAICompatibleModel, ServerOptions
from recall4d.records import ChatRequest, Message

HELLO = ChatRequest((Message("system", "Be brief."), Message("user", "hello there")), max_tokens=9)


def model_at(url: str, **options) -> OpenAICompatibleModel:
    """A model that does not wait between tries; the waits are kept in `.waited_s`."""
    waited_s: list[float] = []
    model = OpenAICompatibleModel("tiny", ServerOptions(base_url=url, **options), sleep=waited_s.append)
    model.waited_s = waited_s
    return model
