"""A question as sentences of words: contractions opened, numbers apart from their units."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from recall4d.query.english.lexicon.sets import words

MAX_TOKENS = 80
"""A longer sentence is not a question about where things are; parsing time grows with the cube of the length."""


@dataclass(frozen=True, slots=True)
class Token:
    """One word, number, quotation or mark.

    Attributes:
        text: as written.
        word: lower case, contraction opened ("isn't" is two tokens, "is" and "not").
        kind: what it is.
        attached: no space before it, so that "in" in "6in" is a unit.
    """

    text: str
    word: str
    kind: Literal["word", "number", "clock", "quoted", "comma"]
    attached: bool = False


_LEXEME = re.compile(
    r"""
    (?P<quoted>"[^"]+"|(?<!\w)'[^']{2,}'(?!\w))
  | (?P<clock>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?|\d{1,2}:\d\d(?::\d\d)?)
  | (?P<number>\d+(?:\.\d+)?)
  | (?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*(?:-[^\W_]+)*['’]?)
  | (?P<end>[.?!;]+)
  | (?P<comma>[,:]|--+|[-–—](?=\s))
    """,
    re.VERBOSE,
)

_IS_AFTER = words("where what who when how which there it that this here he she everything something")
_WHOLE = {
    "can't": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"), "shan't": ("shall", "not"),
    "ain't": ("is", "not"), "let's": ("let", "us"), "whats": ("what", "is"), "wheres": ("where", "is"),
    "theres": ("there", "is"), "whos": ("who", "is"), "hows": ("how", "is"), "dont": ("do", "not"),
    "isnt": ("is", "not"), "wasnt": ("was", "not"), "didnt": ("did", "not"), "gonna": ("going", "to"),
}  # fmt: skip
_ENDINGS = {"'re": "are", "'ve": "have", "'ll": "will", "'m": "am", "'d": "would"}


def sentences(question: str) -> list[list[Token]]:
    """The words of each sentence, empty sentences left out."""
    text = question.replace("“", '"').replace("”", '"').replace("’", "'").replace("‘", "'")
    found: list[list[Token]] = [[]]
    for match in _LEXEME.finditer(text):
        kind, written = str(match.lastgroup), match.group()
        attached = match.start() > 0 and not text[match.start() - 1].isspace()
        if kind == "end":
            found.append([])
        elif kind == "word":
            found[-1] += [Token(written, word, "word", attached) for word in _open(written.lower())]
        elif kind == "comma":
            found[-1].append(Token(written, ",", "comma"))
        elif kind == "quoted":
            found[-1].append(Token(written, written[1:-1].strip().lower(), "quoted"))
        else:
            found[-1].append(Token(written, written, "number" if kind == "number" else "clock", attached))
    return [sentence for sentence in found if any(token.kind != "comma" for token in sentence)]


def _open(word: str) -> tuple[str, ...]:
    """The words in a contraction or a possessive: "where's" is "where is", "alpha's" is "alpha 's"."""
    if word in _WHOLE:
        return _WHOLE[word]
    if word.endswith("n't") and len(word) > 3:
        return (word[:-3], "not")
    for ending, full in _ENDINGS.items():
        if word.endswith(ending) and len(word) > len(ending):
            return (word[: -len(ending)], full)
    if word.endswith("'s") and len(word) > 2:
        return (word[:-2], "is" if word[:-2] in _IS_AFTER else "'s")
    if word.endswith("'"):
        return (word[:-1], "'s") if word.endswith("s'") else (word[:-1],)
    return (word,)
