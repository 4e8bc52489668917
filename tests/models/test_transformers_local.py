"""Real architectures with a few thousand random weights: tokens and pictures flow as they do in the real ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

import pytest
import torch
from pydantic import BaseModel, Field

from recall4d import plugins
from recall4d.errors import ModelRequestError, ModelUnavailableError, RealCallError, UsageError
from recall4d.models.conformance import GREETING, ChatModelConformance, picture
from recall4d.models.real_calls import real_calls
from recall4d.models.structured import ask
from recall4d.models.transformers_local import TransformersModel, TransformersOptions
from recall4d.records import ChatRequest, Message

from .tiny_transformers import CONTEXT_TOKENS, FAMILIES, llama


@pytest.fixture(autouse=True)
def calls_on_this_machine() -> Iterator[None]:
    with real_calls("local"):
        yield


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Networks this small only wait for each other's threads."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Where each family's model lies; made when first asked for."""
    made = {}

    def folder(family: str):
        if family not in made:
            make = {**FAMILIES, "llama": llama}[family]
            made[family] = make(tmp_path_factory.mktemp("models") / family)
        return made[family]

    return folder


@pytest.fixture(scope="module")
def models(folders):
    """Each family's model, loaded once."""
    loaded = {}

    def model(family: str) -> TransformersModel:
        if family not in loaded:
            loaded[family] = plugins.chat_model(f"transformers:{folders(family)}")
        return loaded[family]

    return model


class TestConformance(ChatModelConformance):
    @pytest.fixture(autouse=True, params=[*FAMILIES, "llama"])
    def family(self, models, request):
        self.loaded = models(request.param)

    def model(self):
        return self.loaded


class Near(BaseModel):
    kind: Literal["near"] = "near"
    radius_m: Literal[1, 2]


class On(BaseModel):
    kind: Literal["on"] = "on"


def showing(*colours: str) -> ChatRequest:
    return ChatRequest((Message("user", "Which?", tuple(picture(c) for c in colours)),), max_tokens=3)


@pytest.mark.parametrize("family", FAMILIES)
def test_pictures_reach_the_model(models, family):
    model = models(family)
    red, red_again, blue, both = (
        model.complete(showing(*c)) for c in (["red"], ["red"], ["blue"], ["red", "blue"])
    )
    assert red.confidence == red_again.confidence
    assert red.confidence != pytest.approx(blue.confidence, rel=1e-4)
    assert both.tokens_in > red.tokens_in > model.complete(showing()).tokens_in


@pytest.mark.parametrize("family", [*FAMILIES, "llama"])
def test_a_batch_replies_as_one_by_one(models, folders, family):
    alone = models(family)
    batched = TransformersModel(str(folders(family)), TransformersOptions(batch=3))
    words = ["mug", "the large white L-shaped sofa", "key"]
    pictures = (picture("red"),) if alone.capabilities.max_pictures else ()
    requests = [ChatRequest((Message("user", word, pictures),), max_tokens=4) for word in words]
    requests.append(replace(requests[0], max_tokens=2))
    for one, many in zip(alone.complete_all(requests), batched.complete_all(requests), strict=True):
        assert (one.text, one.tokens_in, one.tokens_out) == (many.text, many.tokens_in, many.tokens_out)
        assert one.confidence == pytest.approx(many.confidence, rel=1e-3)


def test_confidence_is_the_mean_probability_of_the_chosen_tokens(models):
    model = models("llama")
    reply = model.complete(replace(GREETING, max_tokens=1))
    network, words = model._loaded.model, model._loaded.processor
    turns = [{"role": each.role, "content": each.text} for each in GREETING.messages]
    tokens = words.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    with torch.inference_mode():
        probabilities = network(**tokens).logits[0, -1].softmax(-1)
    assert reply.confidence == pytest.approx(float(probabilities.max()), rel=1e-5)


class Found(BaseModel):
    thing: Literal["mug", "zither"]
    places: list[Literal["shelf", "floor"]] = Field(min_length=1, max_length=2)
    near: Near | On
    seen: bool


@pytest.mark.parametrize("family", [*FAMILIES, "llama"])
def test_a_value_comes_back_from_weights_that_know_nothing(models, family):
    parsed = ask(models(family), replace(GREETING, max_tokens=120), Found)
    assert isinstance(parsed.value, Found)
    assert json.dumps(json.loads(parsed.replies[0].text)) == parsed.replies[0].text
    assert parsed.replies[0].outcome == "done"


def test_in_a_batch_each_is_held_to_its_own_schema(folders):
    model = TransformersModel(str(folders("llama")), TransformersOptions(batch=3))
    words = [{"enum": ["mug"]}, None, {"enum": [17]}]
    requests = [replace(GREETING, json_schema=schema) for schema in words]
    mug, free, number = model.complete_all(requests)
    assert (mug.text, number.text) == ('"mug"', "17")
    assert free.text == model.complete(GREETING).text


def test_a_schema_that_is_none_is_refused(models):
    with pytest.raises(ModelRequestError, match="cannot be enforced"):
        models("llama").complete(replace(GREETING, json_schema={"type": "objct"}))


def test_samples_follow_the_seed_and_leave_the_callers_random_numbers_alone(models):
    model = models("llama")
    warm = replace(GREETING, temperature=1.5)
    torch.manual_seed(1)
    first = [model.complete(replace(warm, seed=seed)).text for seed in (1, 2)]
    after = torch.rand(1)
    assert first[0] != first[1]
    assert [model.complete(replace(warm, seed=seed)).text for seed in (1, 2)] == first
    torch.manual_seed(1)
    assert torch.equal(after, torch.rand(1))


def test_a_reply_that_ends_by_itself_is_done(folders):
    model = TransformersModel(str(folders("llama")))
    model._loaded = replace(model._loaded, ends=list(range(263)))  # any token ends it
    reply = model.complete(replace(GREETING, max_tokens=5))
    assert reply.outcome in ("done", "empty")
    assert reply.tokens_out == 1


def test_a_template_without_system_gets_its_words_from_the_user(folders):
    model = TransformersModel(str(folders("llama")))
    words = model._loaded.processor
    words.chat_template = (
        "{% if messages[0].role == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
        + words.chat_template
    )
    said = GREETING.messages[0].text + "\n\n" + GREETING.messages[1].text
    told = model.complete(GREETING)
    assert told == replace(
        model.complete(replace(GREETING, messages=(Message("user", said),))), seconds=told.seconds
    )


def test_what_does_not_fit_the_context_is_refused_and_the_rest_is_not(models):
    long = replace(GREETING, messages=(Message("user", "m" * CONTEXT_TOKENS),))
    failed, fine = models("llama").complete_all([long, GREETING])
    assert isinstance(failed, ModelRequestError)
    assert f"in a context of {CONTEXT_TOKENS}" in str(failed)
    assert fine.tokens_out > 0


def test_the_dtype_can_be_chosen(folders):
    model = plugins.chat_model(f"transformers:{folders('smolvlm')}?device=cpu&dtype=bfloat16")
    assert model._loaded.model.dtype == torch.bfloat16
    assert model.complete(showing("red")).confidence > 0


def test_what_cannot_be_loaded_is_said_in_one_sentence(tmp_path, folders):
    with pytest.raises(ModelUnavailableError, match="cannot load somebody/absent-model"):
        plugins.chat_model("transformers:somebody/absent-model")
    (tmp_path / "empty").mkdir()
    with pytest.raises(ModelUnavailableError, match="cannot load"):
        plugins.chat_model(f"transformers:{tmp_path / 'empty'}")
    with pytest.raises(ModelUnavailableError, match="no device 'abacus'"):
        plugins.chat_model(f"transformers:{folders('llama')}?device=abacus")
    with pytest.raises(UsageError, match="has no option 'colour'"):
        plugins.chat_model("transformers:x?colour=red")


def test_a_model_without_a_chat_template_is_refused(tmp_path):
    folder = llama(tmp_path / "base")
    for name in ("chat_template.jinja", "chat_template.json"):
        (folder / name).unlink(missing_ok=True)
    with pytest.raises(ModelUnavailableError, match="no chat template: take the model tuned for conversation"):
        TransformersModel(str(folder))


def test_no_model_is_loaded_where_real_calls_are_switched_off(folders):
    with real_calls("none"), pytest.raises(RealCallError):
        TransformersModel(str(folders("llama")))
