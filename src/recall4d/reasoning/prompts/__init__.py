"""Prompts as text files, so that they can be read and compared as what they are."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def prompt(name: str) -> str:
    """The text of `NAME.txt` in this package, without its last line break."""
    return (files(__package__) / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


@cache
def prompt_lines(name: str) -> tuple[str, ...]:
    """The lines of a file in this package."""
    return tuple((files(__package__) / name).read_text(encoding="utf-8").splitlines())
