"""A synthetic memory of any size: clustered as real ones are, and the questions asked of it.

500 kinds of things stand in rooms of 200; rooms are visited one after the other, with gaps between visits that
follow a power law; every thing has a description of its own and an embedding of 384 numbers near its kind's.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from recall4d.clock import NS_PER_S, Interval
from recall4d.geometry.box import Box
from recall4d.geometry.camera import Intrinsics
from recall4d.ports import StoredFrame
from recall4d.records import Claim, Description, Entry, Observation, Sighting, State, View

DIMENSION = 384
N_KINDS = 500
ROOM_ENTRIES = 200
FRAME_ENTRIES = 20
ROOM_M = 6.0
PITCH_M = 7.0
SPREAD = 0.6
"""Length of what sets a thing's embedding apart from its kind's, before it is made a unit vector."""

AGENT = "surveyor"
CAMERA = Intrinsics(640, 480, 500.0, 500.0, 319.5, 239.5)
CV_FROM_LEVEL = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])
_COLOURS = ("red", "blue", "green", "white", "black", "grey", "brown", "yellow", "orange", "purple")
_SYLLABLES = [a + b for a in "bdfgklmnprstvz" for b in ("a", "e", "i", "o", "u", "ar", "en", "il", "on")]


def _words(n: int, seed: int) -> list[str]:
    """Words that mean nothing, so that no rule of English touches them."""
    random = np.random.default_rng(seed)
    found: dict[str, None] = {}
    while len(found) < n:
        found["".join(random.choice(_SYLLABLES, 3)) + "k"] = None
    return list(found)


NOUNS = _words(N_KINDS, 1)
MARKS = _words(1000, 2)


class LoadEmbedder:
    """Unit vectors near that of a text's kind; anything else is near the kind that its checksum points at."""

    name = "synthetic load"
    dimension = DIMENSION

    def __init__(self) -> None:
        self._kind_of = {noun: kind for kind, noun in enumerate(NOUNS)}
        self._asked: dict[str, NDArray[np.float32]] = {}

    @cached_property
    def centres(self) -> NDArray[np.float32]:
        """(500, 384) unit vectors of the kinds."""
        return _unit(np.random.default_rng(0).normal(size=(N_KINDS, DIMENSION)))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """(n, 384)."""
        if len(texts) == 1 and (known := self._asked.get(texts[0])) is not None:
            return known
        vectors = np.empty((len(texts), DIMENSION))
        for vector, text in zip(vectors, texts, strict=True):
            seed = zlib.crc32(text.encode())
            words = text.split()
            kind = self._kind_of.get(words[1] if len(words) > 1 else text, seed % N_KINDS)
            apart = np.random.default_rng(seed).normal(size=DIMENSION)
            vector[:] = self.centres[kind] + SPREAD * apart / np.sqrt(DIMENSION)
        return _unit(vectors)

    def expect(self, text: str) -> None:
        """Have the embedding of a question at hand: what a model takes for that is not measured."""
        self._asked[text] = self.embed([text])


@dataclass(frozen=True)
class Load:
    """`n` things, the same for every n up to where the smaller load ends.

    Attributes:
        n: how many entries.
    """

    n: int

    @cached_property
    def kind(self) -> NDArray[np.intp]:
        """(n,)"""
        return np.random.default_rng(10).integers(N_KINDS, size=self.n)

    @cached_property
    def texts(self) -> list[str]:
        """A description each, no two alike."""
        random = np.random.default_rng(11)
        colours = random.integers(len(_COLOURS), size=self.n).tolist()
        marks = random.integers(len(MARKS), size=(self.n, 3)).tolist()
        found = [
            f"{_COLOURS[colour]} {NOUNS[kind]} with {MARKS[a]} {MARKS[b]} {MARKS[c]}"
            for colour, kind, (a, b, c) in zip(colours, self.kind.tolist(), marks, strict=True)
        ]
        return found

    @cached_property
    def low(self) -> NDArray[np.float64]:
        """(n, 3) lower corners, metres."""
        random = np.random.default_rng(12)
        room = np.arange(self.n) // ROOM_ENTRIES
        across = max(int(np.ceil(np.sqrt(self.n / ROOM_ENTRIES))), 1)
        corner = np.stack([room % across, room // across, np.zeros(self.n)], axis=1) * PITCH_M
        return np.round(corner + random.uniform(0.0, (ROOM_M, ROOM_M, 2.0), size=(self.n, 3)), 4)

    @cached_property
    def high(self) -> NDArray[np.float64]:
        """(n, 3) upper corners, metres."""
        sizes = np.minimum(0.05 * (1.0 + np.random.default_rng(13).pareto(2.0, size=(self.n, 3))), 2.0)
        return np.round(self.low + sizes, 4)

    @cached_property
    def from_ns(self) -> NDArray[np.int64]:
        """(n,) first sight: frames of a visit 0.5 s apart, power-law gaps between visits."""
        rooms = -(-self.n // ROOM_ENTRIES)
        gaps_s = np.minimum(10.0 * (1.0 + np.random.default_rng(14).pareto(1.2, size=rooms)), 3e4)
        visit_s = np.cumsum(gaps_s)
        frame = np.arange(self.n) % ROOM_ENTRIES // FRAME_ENTRIES
        return ((visit_s[np.arange(self.n) // ROOM_ENTRIES] + 0.5 * frame) * NS_PER_S).astype(np.int64)

    @cached_property
    def to_ns(self) -> NDArray[np.int64]:
        """(n,) last sight: power-law stretches, an hour at most."""
        seen_s = np.minimum(np.random.default_rng(15).pareto(1.0, size=self.n), 3600.0)
        return self.from_ns + (seen_s * NS_PER_S).astype(np.int64)

    def entry_id(self, row: int) -> str:
        """Name of an entry."""
        return f"{NOUNS[int(self.kind[row])]}-{zlib.crc32(str(row).encode()):08x}"

    def entries(self, start: int = 0, end: int | None = None) -> Iterator[Entry]:
        """Entries from one row to another."""
        rows = slice(start, self.n if end is None else end)
        columns = (self.low, self.high, self.from_ns, self.to_ns, self.kind)
        for row, (low, high, from_ns, to_ns, kind) in enumerate(
            zip(*(column[rows].tolist() for column in columns), strict=True), start
        ):
            box = Box(tuple(low), tuple(high))
            text = self.texts[row]
            view = View(AGENT, from_ns, (100, 120, 180, 200), f"crops/{AGENT}-{from_ns}-{row % FRAME_ENTRIES}.jpg")
            yield Entry(
                entry_id=self.entry_id(row),
                category=NOUNS[kind],
                description=text,
                kind="thing",
                states=(State(Interval(from_ns, None), box, box.centroid_xyz, "visible", AGENT),),
                sightings=(Sighting(AGENT, from_ns, to_ns),),
                n_observations=1,
                agents=(AGENT,),
                attributes={"colour": text.split()[0]},
                best_view=view,
                claims=(Claim(AGENT, text, 1, 1, 1.5, to_ns),),
            )

    def frame(self, row: int) -> tuple[StoredFrame, list[tuple[Observation, str]]]:
        """The frame in which the entries from `row` on, `FRAME_ENTRIES` of them, were observed."""
        rows = range(row, min(row + FRAME_ENTRIES, self.n))
        eye = self.low[row // ROOM_ENTRIES * ROOM_ENTRIES] * (1.0, 1.0, 0.0) + (1.0, 1.0, 1.5)
        stamp_ns = int(self.from_ns[row])
        pose = np.eye(4)
        pose[:3, :3] = CV_FROM_LEVEL
        pose[:3, 3] = eye
        random = np.random.default_rng(row)
        hulls = random.uniform(-0.1, 0.1, size=(len(rows), 26, 3)).astype(np.float32)
        observations = []
        for index, each in enumerate(rows):
            text = self.texts[each]
            observations.append(
                (
                    Observation(
                        agent=AGENT,
                        stamp_ns=stamp_ns,
                        index=index,
                        category=NOUNS[int(self.kind[each])],
                        description=Description(text, {"colour": text.split()[0]}),
                        kind="thing",
                        score=0.9,
                        surface_centroid_camera=hulls[index].mean(axis=0).astype(np.float64),
                        hull_camera=hulls[index],
                        n_points=500,
                        distance_m=1.5,
                        occluded=False,
                        truncated=False,
                        rectangle=(100, 120, 180, 200),
                    ),
                    self.entry_id(each),
                )
            )
        return StoredFrame(AGENT, stamp_ns, row // FRAME_ENTRIES, pose, CAMERA), observations


def _unit(vectors: NDArray[np.floating]) -> NDArray[np.float32]:
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
