"""What a noun phrase names, and what it says of it: the head noun, its modifiers, and the rest.

"small blue and yellow can of alphabet soup" names a can, and soup; blue and yellow are its colours. "white mug with
coffee in it" names a mug; coffee is part of it: whoever looks for coffee has found it, whoever looks for a coffee
table has not. Descriptions and questions are read alike, by the same few rules and `vocabulary`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from operator import or_
from typing import Literal

from recall4d.query import vocabulary
from recall4d.query.morphology import singular

_TOKEN = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|[^\w\s]")
_LONGEST_COMPOUND = 4
_NOTHING: frozenset[str] = frozenset()

Role = Literal["name", "measure", "likeness", "part", "inside", "quoted", "absent"]


@dataclass(frozen=True, slots=True)
class Wording:
    """A noun phrase, taken apart. Words are singular; synonyms are replaced by the first of their group.

    Attributes:
        heads: nouns that name it; empty where only generic nouns do ("red thing").
        measures: nouns before "of" that hold or count it ("box" of macaroni).
        likenesses: what it is said to be like.
        modifiers: words before the head ("wooden", "dining"), colours left out.
        colours: its own colours, not those of its parts.
        parts: words about its parts, contents, titles and surroundings.
        spelled: the words that compounds were written in ("waste", "basket").
    """

    heads: frozenset[str] = _NOTHING
    measures: frozenset[str] = _NOTHING
    likenesses: frozenset[str] = _NOTHING
    modifiers: frozenset[str] = _NOTHING
    colours: frozenset[str] = _NOTHING
    parts: frozenset[str] = _NOTHING
    spelled: frozenset[str] = _NOTHING

    @property
    def words(self) -> frozenset[str]:
        """All of it."""
        return self.heads.union(
            self.measures, self.likenesses, self.modifiers, self.colours, self.parts, self.spelled
        )

    def __or__(self, other: Wording) -> Wording:
        """What two phrases say of the same thing."""
        return Wording(
            self.heads | other.heads,
            self.measures | other.measures,
            self.likenesses | other.likenesses,
            self.modifiers | other.modifiers,
            self.colours | other.colours,
            self.parts | other.parts,
            self.spelled | other.spelled,
        )


@lru_cache(maxsize=65_536)
def wording(phrase: str) -> Wording:
    """Take a noun phrase apart; nothing but stop words gives an empty wording."""
    readings = [_read(words, role) for role, words in _segments(phrase) if words]
    return reduce(or_, readings) if readings else Wording()


def wording_of(category: str | None, description: str, attributes: Mapping[str, str]) -> Wording:
    """What an entry's category, description and attributes say together."""
    found = wording(description)
    if category:
        found |= wording(category)
    for name, value in attributes.items():
        words = standard_words(value)
        found |= Wording(colours=words) if name in ("colour", "color") else Wording(modifiers=words)
    return found


@lru_cache(maxsize=4096)
def standard_words(text: str) -> frozenset[str]:
    """All words of a text in their standard form."""
    return frozenset(word for _, words in _segments(text) for word, _ in _compounds(words))


def is_colour(word: str) -> bool:
    """Whether a word in its standard form is a colour."""
    return word in vocabulary.COLOURS


@cache
def standard_of() -> Mapping[str, str]:
    """From every word and compound of a group of synonyms to the first of the group."""
    found: dict[str, str] = {}
    for group in vocabulary.SYNONYMS:
        first, *others = group.split("|")
        for each in (first, *others):
            found.setdefault(" ".join(singular(word) for word in each.split()), first)
    return found


@cache
def kinds_of(word: str) -> frozenset[str]:
    """All that a general word covers, itself left out."""
    found: set[str] = set()
    waiting = [word]
    while waiting:
        kinds = vocabulary.KINDS.get(waiting.pop())
        for kind in kinds.split("|") if kinds else ():
            standard = standard_of().get(kind, kind)
            if standard not in found:
                found.add(standard)
                waiting.append(standard)
    return frozenset(found - {word})


# --- how a phrase is read --------------------------------------------------------------------------------------


def _segments(phrase: str) -> Iterator[tuple[Role, list[str]]]:
    """Runs of words that belong together, and what they are to the thing."""
    role: Role = "name"
    run: list[str] = []
    for word in _tokens(phrase):
        following = _role_after(word, role, run)
        if following is None:
            if word not in vocabulary.STOPWORDS and word[0].isalnum():
                run.append(word)
        else:
            measuring = word == "of" and role == "name" and bool(run) and run[-1] in vocabulary.MEASURES
            yield ("measure" if measuring else role), run
            role, run = "name" if measuring else following, []
    yield role, run


def _role_after(word: str, role: Role, run: list[str]) -> Role | None:
    """The role of what follows `word` if it ends a run, else None."""
    if word == '"':
        return "part" if role == "quoted" else "quoted"
    if role == "quoted":
        return None
    if word in ("and", "or", "&", ","):
        if not run or run[-1] in vocabulary.COLOURS or run[-1] in vocabulary.ADJECTIVES:
            return None
        return "part" if word == "," and role == "name" else role
    if word == "(":
        return "name"
    if word in ("without", "no"):
        return "absent"
    if word == "like" and (role in ("name", "likeness") or not run):
        return "likeness"
    if word == "in":
        return "inside"
    return "part" if word in vocabulary.BREAKS or not word[0].isalnum() else None


def _tokens(phrase: str) -> Iterator[str]:
    """Lower-case singular words and marks; hyphens open, possessives dropped."""
    for token in _TOKEN.findall(phrase.lower().replace("“", '"').replace("”", '"')):
        yield from _words_in(token)


@lru_cache(maxsize=65_536)
def _words_in(token: str) -> tuple[str, ...]:
    """What `_tokens` makes of one token."""
    found = []
    pieces = re.sub(r"['’]s?$", "", token).split("-") if token[0].isalnum() else [token]
    for piece in pieces:
        if len(pieces) > 1 and (piece in vocabulary.BREAKS or piece in vocabulary.STOPWORDS):
            continue
        known = piece in vocabulary.BREAKS or piece in standard_of()
        word = piece if known else singular(piece)
        if word == piece and piece.endswith("s") and piece[:-1] in standard_of():
            word = piece[:-1]
        found.append(_COLOUR_OF.get(word, word))
    return tuple(found)


def _read(words: list[str], role: Role) -> Wording:
    """The wording of one run: in one that names, the last word that is no colour is the head."""
    if role == "absent":
        return Wording()
    if role == "quoted":
        return Wording(parts=frozenset(words))
    compounds = _compounds(words)
    spelled = frozenset(piece for _, pieces in compounds if len(pieces) > 1 for piece in pieces)
    standards = [standard for standard, _ in compounds]
    if role == "inside" and all(is_colour(word) or word in vocabulary.ADJECTIVES for word in standards):
        return Wording(colours=frozenset(filter(is_colour, standards)))
    if role in ("part", "inside"):
        return Wording(parts=frozenset(standards), spelled=spelled)
    nouns = [word for word in standards if not is_colour(word)] or standards
    head = frozenset(nouns[-1:]) - vocabulary.GENERIC
    rest = frozenset(word for word in standards if word != nouns[-1])
    colours = frozenset(word for word in rest if is_colour(word))
    return Wording(
        heads=head if role == "name" else _NOTHING,
        measures=head if role == "measure" else _NOTHING,
        likenesses=head if role == "likeness" else _NOTHING,
        modifiers=rest - colours if role != "likeness" else _NOTHING,
        colours=colours if role != "likeness" else _NOTHING,
        parts=rest if role == "likeness" else _NOTHING,
        spelled=spelled,
    )


def _compounds(words: list[str]) -> list[tuple[str, tuple[str, ...]]]:
    """The words with compounds joined and synonyms replaced, each with the words it was written in.

    An adjective that is also a noun keeps its place before another word: "light brown" is no lamp.
    """
    found: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    while at < len(words):
        for length in range(min(_LONGEST_COMPOUND, len(words) - at), 0, -1):
            pieces = tuple(words[at : at + length])
            adjective = length == 1 and pieces[0] in vocabulary.WEAK and at + 1 < len(words)
            standard = None if adjective else standard_of().get(" ".join(pieces))
            if standard is not None or length == 1:
                found.append((standard or pieces[0], pieces))
                at += length
                break
    return found


_COLOUR_OF = {name: colour for colour, names in vocabulary.COLOURS.items() for name in (colour, *names.split("|"))}
