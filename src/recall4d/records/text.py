"""Text as memory keeps it."""

from __future__ import annotations

import re
import unicodedata

_BROKEN = ("Cc", "Cs", "Zl", "Zp")
"""Unicode categories of what no line of text holds: control characters, lone surrogates, line ends."""

_TURNED = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
"""Characters that turn the direction of what follows them, so that a text reads as another."""


def one_line(text: str) -> str:
    """A text on one line, without control characters and lone surrogates, which no database and no terminal bears.

    Args:
        text: as it came: from a file, a segmenter, a model.
    """
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip()
    kept = "".join(" " if unicodedata.category(each) in _BROKEN or each in _TURNED else each for each in text)
    return re.sub(r"\s+", " ", kept).strip()
