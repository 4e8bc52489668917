"""What every chat model must do, as a suite to run against your own.

```python
class TestMyModel(ChatModelConformance):
    def model(self):
        return MyModel("small")
```

`model` is called once a test. Real models are slow: questions are short and few, and what a model says is not
judged, only how it says it. Set `real` to False for a model that calls nothing.
"""

from __future__ import annotations

import io
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import get_args

from recall4d.errors import ModelRequestError, RealCallError
from recall4d.models.real_calls import real_calls
from recall4d.ports import ChatModel
from recall4d.records import ChatRequest, Message, Outcome, Picture, Reply

GREETING = ChatRequest((Message("system", "You are brief."), Message("user", "Say hello.")), max_tokens=12)
COLOUR = replace(
    GREETING,
    messages=(Message("user", "Name a colour, as JSON."),),
    json_schema={
        "type": "object",
        "properties": {"colour": {"type": "string", "enum": ["red", "green"]}},
        "required": ["colour"],
        "additionalProperties": False,
    },
    max_tokens=48,
)


class ChatModelConformance:
    """Test methods; subclass it and give `model`.

    Attributes:
        real: whether the model computes or fetches its replies, so that the switch for real calls holds for it.
        same: whether the same request gets the same reply at temperature 0.
    """

    real = True
    same = True

    def model(self) -> ChatModel:
        """The model under test."""
        raise NotImplementedError

    def test_it_says_what_it_is_and_takes(self) -> None:
        """A name with its kind; limits that can be."""
        model = self.model()
        kind, _, _ = model.name.partition(":")
        assert kind
        assert model.capabilities.max_pictures >= 0
        assert model.capabilities.context_tokens is None or model.capabilities.context_tokens > 0

    def test_a_reply_is_whole(self) -> None:
        """Text and outcome agree, counts and times can be."""
        model = self.model()
        reply = model.complete(GREETING)
        assert reply.outcome in get_args(Outcome)
        assert reply.outcome != "done" or reply.text
        assert reply.outcome != "empty" or not reply.text
        assert reply.tokens_in >= 0
        assert 0 <= reply.tokens_out <= GREETING.max_tokens
        assert reply.seconds >= 0
        assert reply.confidence is None or 0 <= reply.confidence <= 1
        assert (reply.confidence is not None) == model.capabilities.token_probabilities

    def test_the_limit_of_tokens_is_kept_and_told(self) -> None:
        """One token of a long reply is a reply that was cut off."""
        reply = self.model().complete(replace(GREETING, messages=(Message("user", "Count to 100."),), max_tokens=1))
        assert reply.tokens_out <= 1
        assert reply.outcome in ("length", "done", "empty")

    def test_the_likeliest_words_are_the_same_words_again(self) -> None:
        """At temperature 0."""
        model = self.model()
        if self.same:
            assert model.complete(GREETING).text == model.complete(GREETING).text

    def test_a_schema_is_kept_where_it_can_be(self) -> None:
        """A model that says so writes nothing else."""
        model = self.model()
        reply = model.complete(COLOUR)
        if model.capabilities.json_schema:
            assert json.loads(reply.text)["colour"] in ("red", "green")

    def test_many_are_replied_to_in_order(self) -> None:
        """As if each had been asked alone."""
        model = self.model()
        requests = [
            replace(GREETING, messages=(Message("user", f"Repeat: {word}"),)) for word in ("mug", "sofa", "key")
        ]
        alone = [model.complete(request) for request in requests]
        together = model.complete_all(requests)
        assert len(together) == len(requests)
        if self.same:
            assert [reply.text for reply in together if isinstance(reply, Reply)] == [reply.text for reply in alone]
        assert model.complete_all([]) == []

    def test_it_may_be_called_from_several_threads(self) -> None:
        """Nobody gets the reply of somebody else."""
        model = self.model()
        requests = [replace(GREETING, messages=(Message("user", f"Repeat: {word}"),)) for word in ("mug", "sofa")]
        with ThreadPoolExecutor(2) as pool:
            replies = list(pool.map(model.complete, requests))
        if self.same:
            assert [reply.text for reply in replies] == [model.complete(request).text for request in requests]

    def test_pictures_are_taken_or_refused(self) -> None:
        """More pictures than a model takes at once reach it nevertheless; one that takes none says so."""
        model = self.model()
        limit = model.capabilities.max_pictures
        pictures = tuple(picture(colour) for colour in ("red", "blue", "green", "grey", "white"))
        few, many = pictures[: max(limit, 1)], pictures[: limit + 1]
        showing = [replace(GREETING, messages=(Message("user", "Which colour?", each),)) for each in (few, many)]
        for result in model.complete_all(showing):
            if limit:
                assert isinstance(result, Reply)
            else:
                assert isinstance(result, ModelRequestError)
                assert "text only" in str(result)

    def test_one_that_fails_leaves_the_others_alone(self) -> None:
        """An error in its place, replies in theirs."""
        model = self.model()
        broken = replace(GREETING, messages=(Message("user", "?", (Picture(b"no picture", label="spoilt"),)),))
        before, failed, after = model.complete_all([GREETING, broken, GREETING])
        assert isinstance(before, Reply)
        assert isinstance(failed, ModelRequestError)
        assert isinstance(after, Reply)

    def test_a_request_that_is_too_long_is_refused(self) -> None:
        """Where the model knows its context; it is never cut silently."""
        model = self.model()
        limit = model.capabilities.context_tokens
        if limit is not None:
            (result,) = model.complete_all([replace(GREETING, messages=(Message("user", "mug 7 " * limit),))])
            assert isinstance(result, ModelRequestError)
            assert "too long" in str(result)

    def test_the_switch_for_real_calls_holds(self) -> None:
        """A forbidden call is an error, and not one that a loop lives with."""
        model = self.model()
        assert model.capabilities is not None
        with real_calls("none"):
            try:
                model.complete(GREETING)
            except RealCallError:
                assert self.real
            else:
                assert not self.real


def picture(colour: str) -> Picture:
    """A plain picture, 64 by 48 pixels."""
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(file, "PNG")
    return Picture(file.getvalue(), "image/png", colour)
