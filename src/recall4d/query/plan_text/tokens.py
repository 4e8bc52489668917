"""The words of a plan's text, and a cursor over them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from recall4d.errors import InputError

Kind = Literal["text", "number", "word", "mark", "line", "end"]

RESERVED = frozenset(
    "me agent region polygon box path any entry now frame clock other among detail only rank known measure ask "
    "world own anything".split()
)
"""Steps with these names are written with an @ before them."""

_LEXEME = re.compile(
    r"""
    (?P<text>"(?:[^"\\\n]|\\.)*")
  | (?P<number>[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)
  | (?P<word>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<mark>[:;,().@])
  | (?P<line>[\n|])
  | (?P<space>[^\S\n]+|\#[^\n]*)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a plan's text.

    Attributes:
        kind: what it is.
        text: as written.
        line, column: where it begins, from 1.
    """

    kind: Kind
    text: str
    line: int
    column: int


def tokens(text: str) -> list[Token]:
    """The tokens of a text, with an end.

    Raises:
        InputError: a character or a quotation that means nothing.
    """
    found: list[Token] = []
    at, line, begins = 0, 1, 0
    while at < len(text):
        match = _LEXEME.match(text, at)
        column = at - begins + 1
        if match is None:
            expected = "the end of the quotation" if text[at] == '"' else "a word, number or quotation"
            raise InputError(
                f"this is no plan: line {line}, column {column}: expected {expected}, got {text[at]!r}"
            )
        kind, written = str(match.lastgroup), match.group()
        if kind != "space":
            found.append(Token(kind, written, line, column))  # type: ignore[arg-type]
        at = match.end()
        if written == "\n":
            line, begins = line + 1, at
    return [*found, Token("end", "", line, at - begins + 1)]


class Cursor:
    """Reads tokens one after the other."""

    def __init__(self, found: Sequence[Token]) -> None:
        self._tokens = found
        self._at = 0

    @property
    def next(self) -> Token:
        """The token to be read."""
        return self._tokens[self._at]

    @property
    def at_line_end(self) -> bool:
        """Whether the line ends here."""
        return self.next.kind in ("line", "end")

    def after(self, n: int) -> Token:
        """The token so many later, or the end."""
        return self._tokens[min(self._at + n, len(self._tokens) - 1)]

    def read(self) -> Token:
        """Read a token."""
        token = self.next
        self._at = min(self._at + 1, len(self._tokens) - 1)
        return token

    def is_word(self, *words: str) -> bool:
        """Whether one of the words is next."""
        return self.next.kind in ("word", "mark") and self.next.text in words

    def took(self, *words: str) -> bool:
        """Whether all these words were next; they are read then."""
        if all(
            self.after(n).kind in ("word", "mark") and self.after(n).text == word for n, word in enumerate(words)
        ):
            self._at += len(words)
            return True
        return False

    def expect(self, *words: str) -> None:
        """Read these words.

        Raises:
            InputError: something else is there.
        """
        for word in words:
            if not self.took(word):
                raise self.fault(repr(word))

    def word_of(self, choices: Collection[str], what: str) -> str:
        """Read one of some words.

        Raises:
            InputError: another one is there.
        """
        if self.next.kind != "word" or self.next.text not in choices:
            raise self.fault(f"{what} ({', '.join(choices)})")
        return self.read().text

    def text(self, what: str) -> str:
        """Read a quotation.

        Raises:
            InputError: something else is there.
        """
        if self.next.kind != "text":
            raise self.fault(f"{what} in quotes")
        token = self.next
        try:
            found = json.loads(token.text)
        except ValueError as error:
            raise self.fault("a quotation with escapes as in JSON") from error
        self.read()
        return str(found)

    def number(self, what: str) -> float:
        """Read a number.

        Raises:
            InputError: something else is there.
        """
        if self.next.kind != "number":
            raise self.fault(what)
        return float(self.read().text)

    def whole(self, what: str) -> int:
        """Read a whole number.

        Raises:
            InputError: something else is there.
        """
        if self.next.kind != "number" or not re.fullmatch(r"[+-]?\d+", self.next.text):
            raise self.fault(what)
        return int(self.read().text)

    def fault(self, expected: str, at: Token | None = None) -> InputError:
        """The error that something else was expected here."""
        token = at or self.next
        got = {"end": "the end", "line": "the end of the line"}.get(token.kind, repr(token.text))
        return InputError(
            f"this is no plan: line {token.line}, column {token.column}: expected {expected}, got {got}"
        )

    def wrong(self, at: Token, why: str) -> InputError:
        """The error that what begins there cannot be."""
        return InputError(f"this is no plan: line {at.line}, column {at.column}: {why}")
