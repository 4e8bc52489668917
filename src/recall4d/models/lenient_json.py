"""JSON as language models write it, read without guessing.

Accepted beyond RFC 8259, since only one meaning is possible: single quotes, commas before a closing bracket,
comments, keys without quotes, Python's True, False and None, line breaks inside strings, and closing brackets
missing at the very end when the last value before them is whole. Never accepted: values that had to be made up, a
number or string cut off in the middle, NaN and infinities.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_DEPTH = 64
MAX_CHARACTERS = 1_000_000

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_OPENING = re.compile(r"[{\[]")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,400})(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_]\w*")
_WHOLE = re.compile(r"""(?:["'}\]]|true|false|null|True|False|None)\s*\Z""")
_WORDS = {"true": True, "false": False, "null": None, "True": True, "False": False, "None": None}
_PLAIN = {'"': re.compile(r'[^"\\]+'), "'": re.compile(r"[^'\\]+")}
_LOW_HALF = re.compile(r"\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_FENCE = re.compile(r"```[\w-]*[ \t]*\n(.*?)(?:\n[ \t]*```|\Z)", re.DOTALL)


class NotJsonError(ValueError):
    """Not a document that can be read without guessing; the message says what was found where."""


@dataclass(frozen=True, slots=True)
class Found:
    """A document and the text it was read from: characters [start, end)."""

    document: Any
    start: int
    end: int


def documents(text: str) -> Iterator[Any]:
    """The documents a reply may mean, likeliest first.

    The whole text; else, from the last to the first, what stands in code fences, then objects and lists that stand
    between other words. The last word counts: what comes before it is thought, example or the question repeated.
    """
    text = text[:MAX_CHARACTERS].strip().lstrip("\ufeff")
    try:
        yield whole(text)
        return
    except NotJsonError:
        pass
    for match in reversed(list(_FENCE.finditer(text))):
        try:
            yield whole(match.group(1).strip())
        except NotJsonError:
            continue
    yield from (found.document for found in reversed(_embedded(text)))


def whole(text: str) -> Any:
    """The one document that all of `text` is.

    Raises:
        NotJsonError: it is not one.
    """
    reader = _Reader(text)
    document = reader.value(0)
    reader.skip()
    if reader.at < len(text):
        raise reader.error("the end")
    return document


def _embedded(text: str) -> list[Found]:
    found: list[Found] = []
    at, misses = 0, 0
    while misses < 200:  # a text of nothing but opening brackets would be read from each of them
        match = _OPENING.search(text, at)
        if match is None:
            break
        reader = _Reader(text, match.start())
        try:
            document = reader.value(0)
        except NotJsonError:
            at = max(match.end(), reader.at)  # a part of a broken document is not what was meant
            misses += 1
            continue
        found.append(Found(document, match.start(), reader.at))
        at = reader.at
    return found


class _Reader:
    """Recursive descent over `text` from `at`; depth is bounded, so hostile text cannot exhaust the stack."""

    def __init__(self, text: str, at: int = 0) -> None:
        self.text = text
        self.at = at

    def value(self, depth: int) -> Any:
        """The value that begins here."""
        if depth > MAX_DEPTH:
            raise NotJsonError(f"nested more than {MAX_DEPTH} deep")
        self.skip()
        first = self.text[self.at : self.at + 1]
        if first == "{":
            return self.members(depth)
        if first == "[":
            return self.elements(depth)
        if first in ('"', "'") and first:
            return self.string(first)
        if match := _NUMBER.match(self.text, self.at):
            self.at = match.end()
            written = match.group()
            number = int(written) if re.fullmatch(r"-?\d+", written) else float(written)
            if number in (float("inf"), float("-inf")):
                raise NotJsonError(f"the number {written} is too large")
            return number
        match = _WORD.match(self.text, self.at)
        if match and match.group() in _WORDS:
            self.at = match.end()
            return _WORDS[match.group()]
        raise self.error("a value")

    def members(self, depth: int) -> dict[str, Any]:
        """An object, from its opening brace."""
        self.at += 1
        document: dict[str, Any] = {}
        while not self.closed("}"):
            first = self.text[self.at : self.at + 1]
            if first in ('"', "'") and first:
                key = self.string(first)
            elif match := _WORD.match(self.text, self.at):
                key, self.at = match.group(), match.end()
            else:
                raise self.error("a key")
            self.skip()
            if self.text[self.at : self.at + 1] != ":":
                raise self.error("':'")
            self.at += 1
            document[key] = self.value(depth + 1)
            self.separator("}")
        return document

    def elements(self, depth: int) -> list[Any]:
        """A list, from its opening bracket."""
        self.at += 1
        document: list[Any] = []
        while not self.closed("]"):
            document.append(self.value(depth + 1))
            self.separator("]")
        return document

    def closed(self, bracket: str) -> bool:
        """Whether the bracket closes here, or is missing at the end of everything."""
        self.skip()
        if self.at >= len(self.text):
            if not _WHOLE.search(self.text[-16:]):
                raise self.error(f"'{bracket}'")
            return True
        if self.text[self.at] == bracket:
            self.at += 1
            return True
        return False

    def separator(self, bracket: str) -> None:
        """Pass a comma; stay before a closing bracket or at the end."""
        self.skip()
        if self.at < len(self.text) and self.text[self.at] != bracket:
            if self.text[self.at] != ",":
                raise self.error(f"',' or '{bracket}'")
            self.at += 1

    def string(self, quote: str) -> str:
        """A string, from its opening quote."""
        begin = self.at
        self.at += 1
        parts: list[str] = []
        while self.at < len(self.text):
            if match := _PLAIN[quote].match(self.text, self.at):
                parts.append(match.group())
                self.at = match.end()
            elif self.text[self.at] == quote:
                self.at += 1
                return "".join(parts)
            else:
                parts.append(self.escape())
        self.at = begin
        raise self.error("a closing quote for the string")

    def escape(self) -> str:
        """What a backslash and the letters after it stand for."""
        letter = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        if letter != "u":
            return _ESCAPES.get(letter, letter)
        digits = self.text[self.at : self.at + 4]
        if not re.fullmatch(r"[0-9a-fA-F]{4}", digits):
            raise self.error("four hexadecimal digits")
        self.at += 4
        code = int(digits, 16)
        if 0xD800 <= code < 0xDC00 and (low := _LOW_HALF.match(self.text, self.at)):
            self.at = low.end()
            return chr(0x10000 + ((code - 0xD800) << 10) + int(low.group(1), 16) - 0xDC00)
        return "\ufffd" if 0xD800 <= code < 0xE000 else chr(code)  # half a pair cannot be written to a file

    def skip(self) -> None:
        """Pass spaces and comments."""
        match = _SPACE.match(self.text, self.at)
        if match:
            self.at = match.end()

    def error(self, expected: str) -> NotJsonError:
        """What was expected here and what stands here."""
        rest = self.text[self.at : self.at + 24]
        found = repr(rest) if rest else "the end of the text"
        return NotJsonError(f"expected {expected} at character {self.at}, found {found}")
