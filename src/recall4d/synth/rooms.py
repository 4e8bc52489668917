"""A room that is furnished already, and a way through it."""

from __future__ import annotations

import numpy as np

from recall4d.clock import NS_PER_S
from recall4d.geometry.box import Box
from recall4d.synth.film import Take, look_along
from recall4d.synth.world import Thing, World

TABLE_TOP_M = 0.75


def kitchen() -> World:
    """A kitchen of 4 x 3 x 2.4 m with seven things that never move. The origin is a corner of the floor."""
    rest = Thing.resting
    return World(
        room=Box((0.0, 0.0, 0.0), (4.0, 3.0, 2.4)),
        things=(
            rest("table", "long oak table", (150, 100, 50), (1.4, 0.8, TABLE_TOP_M), (2.0, 1.9, 0.0)),
            rest("cup", "red cup", (200, 30, 30), (0.09, 0.09, 0.11), (1.7, 1.75, TABLE_TOP_M)),
            rest("cup", "white cup", (245, 245, 245), (0.09, 0.09, 0.11), (2.3, 1.7, TABLE_TOP_M)),
            rest("cereal box", "yellow cereal box", (230, 200, 40), (0.2, 0.08, 0.3), (2.05, 2.1, TABLE_TOP_M)),
            rest("fridge", "tall grey fridge", (150, 155, 160), (0.6, 0.6, 1.8), (3.7, 2.7, 0.0)),
            rest("stool", "blue stool", (40, 70, 190), (0.35, 0.35, 0.45), (0.9, 1.3, 0.0)),
            rest("crate", "green crate", (40, 150, 60), (0.4, 0.3, 0.25), (3.1, 1.1, 0.0)),
        ),
    )


def tour(n_frames: int = 12, rate_hz: float = 2.0, start_ns: int = 0, agent: str = "alpha") -> Take:
    """A walk along the near side of the `kitchen`, its table in view.

    Args:
        n_frames: how many frames.
        rate_hz: how many a second.
        start_ns: instant of the first.
        agent: who films.
    """
    share = np.linspace(0.0, 1.0, n_frames)
    eyes = np.column_stack([0.5 + 3.0 * share, 0.35 + 0.25 * np.sin(np.pi * share), 1.5 + 0.1 * np.cos(5 * share)])
    targets = np.column_stack([1.7 + 0.6 * share, np.full(n_frames, 2.0), np.full(n_frames, 0.7)])
    stamps = start_ns + np.rint(np.arange(n_frames) * NS_PER_S / rate_hz).astype(np.int64)
    return Take(agent, stamps, look_along(eyes, targets))
