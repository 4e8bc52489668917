"""Whether words name a wall, floor or ceiling, or a thing that merely mentions one.

"white tiled wall" is a wall; "red wall cupboard", "wall shelf", "picture on wall" and "floor lamp" are things.
What a noun phrase is about is its head noun: in English the last noun before whatever follows it ("of the room",
"with a window", "painted white").
"""

from __future__ import annotations

import re
from functools import lru_cache

from recall4d.records import Kind


def _set_of(words: str) -> frozenset[str]:
    return frozenset(words.split())


_SURFACES = _set_of(
    """wall walls drywall brickwork wallpaper tiles tiling ceiling ceilings
    floor floors floorboards flooring ground carpeting parquet linoleum laminate"""
)
"""Walls, floors and ceilings, and what covers them edge to edge. Rugs, carpets, mats and one tile are things."""

_FOLLOWERS = _set_of(
    """of with without in on at by for from to into onto over under above below behind beside near next between
    against along around across through inside outside like as and or that which who where while is are has having
    made clad seen visible showing containing featuring"""
)
"""Words that end the phrase around the head noun."""

_PARTICIPLES = _set_of("covered painted tiled panelled paneled lined decorated")
"""Words that follow the head noun ("wall painted white") or stand before it ("painted wall")."""

_ADJECTIVES = _PARTICIPLES | _set_of(
    """white black grey gray red green blue yellow brown beige orange pink purple cream light dark pale bright plain
    smooth rough textured wooden large small long wide tall flat bare glossy polished"""
)
"""Enough to tell "white, textured wall", which goes on, from "lamp, floor to ceiling", which ends at the comma."""

_PARTS = _set_of("part parts section sections piece pieces patch patches area stretch portion corner side")
"""Nouns that hand over to what follows "of": a "section of wall" is wall."""

_ARTICLES = _set_of("a an the some this its one")


@lru_cache(maxsize=4096)
def kind_of(category: str | None, description: str | None) -> Kind:
    """`surface` for walls, floors and ceilings, else `thing`.

    The category decides when there is one: a "picture" is a thing whatever its description goes on to mention.
    """
    return "surface" if head_noun(category or description or "") in _SURFACES else "thing"


def head_noun(phrase: str) -> str:
    """The noun that an English noun phrase is about, in lower case; "" when there is none.

    A rule of thumb without a dictionary of nouns: the last word before the first comma, or before the first
    preposition, conjunction or participle that can follow a noun.
    """
    words = _words(phrase)
    end = next((place for place in range(1, len(words)) if _follows_head(words, place)), len(words))
    if end < len(words) and words[end] == "of" and words[end - 1] in _PARTS:
        return head_noun(" ".join(words[end + 1 :]))
    return words[end - 1] if words else ""


def _words(phrase: str) -> list[str]:
    """Lower-case words without articles, quotations and brackets, up to the comma that ends the phrase."""
    text = re.sub(r"\([^)]*\)|\"[^\"]*\"", " ", phrase.lower())
    words: list[str] = []
    for part in re.split(r"[,;:.]", text):
        words += [word for word in re.findall(r"[^\W_][\w'-]*", part) if word not in _ARTICLES]
        if not _ADJECTIVES.issuperset(words):
            break
    return words


def _follows_head(words: list[str], place: int) -> bool:
    """Whether the word at `place` comes after the head noun."""
    if words[place] not in _PARTICIPLES:
        return words[place] in _FOLLOWERS
    after = next((word for word in words[place:] if word not in _ADJECTIVES), None)
    return after is None or after in _FOLLOWERS
