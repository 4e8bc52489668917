"""Finds adapters by name through entry points, so that a package of yours can add one without a change here.

An adapter is named `kind` or `kind:argument` ("yolo-seg:model.onnx"). Its entry point is a factory that takes
the argument (None when there is none) and returns the adapter; a source's entry point is its `SourceFormat`.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from typing import cast

from recall4d.errors import UsageError
from recall4d.ports import ChatModel, Describer, Embedder, Mapper, Segmenter, SourceFormat


def segmenter(spec: str) -> Segmenter:
    """The segmenter named by `spec`, such as "stored" or "yolo-seg:PATH"."""
    return cast(Segmenter, _create("segmenters", spec))


def describer(spec: str) -> Describer:
    """The describer named by `spec`, such as "appearance"."""
    return cast(Describer, _create("describers", spec))


def embedder(spec: str) -> Embedder:
    """The embedder named by `spec`, such as "wordllama"."""
    return cast(Embedder, _create("embedders", spec))


def chat_model(spec: str) -> ChatModel:
    """The chat model named by `spec`, such as "openai:gemma3:4b"."""
    return cast(ChatModel, _create("models", spec))


def mapper(spec: str) -> Mapper:
    """The mapper named by `spec`, such as "given" or "odometry"."""
    return cast(Mapper, _create("mappers", spec))


def source_formats() -> Iterator[SourceFormat]:
    """Every known recording format, in order of name."""
    for point in _points("sources"):
        yield cast(SourceFormat, point.load())


def names(group: str) -> list[str]:
    """Names registered in a group: "segmenters", "describers", "embedders", "mappers", "models" or "sources"."""
    return [point.name for point in _points(group)]


def _points(group: str) -> list[EntryPoint]:
    return sorted(entry_points(group=f"recall4d.{group}"), key=lambda point: point.name)


def _create(group: str, spec: str) -> object:
    kind, _, argument = spec.partition(":")
    for point in _points(group):
        if point.name == kind:
            return point.load()(argument or None)
    raise UsageError(f"unknown {group[:-1]} {kind!r}: expected one of {', '.join(names(group))}")
