"""docs/models.md names every kind of model and every option."""

import pytest

from recall4d import plugins
from recall4d.models.llama_cpp import LlamaCppOptions
from recall4d.models.openai_compatible import ServerOptions
from recall4d.models.transformers_local import TransformersOptions

from ..conftest import REPOSITORY

PAGE = (REPOSITORY / "docs" / "models.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", plugins.names("models"))
def test_every_kind_is_named(kind):
    assert f"| `{kind}:" in PAGE


@pytest.mark.parametrize("options", [ServerOptions, LlamaCppOptions, TransformersOptions])
def test_every_option_is_named(options):
    assert [name for name in options.model_fields if f"`{name}`" not in PAGE] == []
