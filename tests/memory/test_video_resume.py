"""A video segmenter through the ingest: a tiny SAM 2 follows things, is killed, and goes on with their numbers."""

from __future__ import annotations

import json

import pytest

from recall4d.perception.segmenters import sam2_video
from recall4d.synth import tour
from tests.perception.tiny_models import prepare, write_sam2_video

from .films import Film, ingest

OPTIONS = "points=2&score=0&stability=0&window=4"


class Killed:
    """A segmenter that dies in the middle of a window."""

    def __init__(self, segmenter, after):
        self.name, self.state, self.resume = segmenter.name, segmenter.state, segmenter.resume
        self._segmenter, self._left = segmenter, after

    def segment(self, frame):
        if self._left == 0:
            raise RuntimeError("the power went out")
        self._left -= 1
        return self._segmenter.segment(frame)


def test_a_killed_ingest_goes_on_with_the_tracks_that_were_committed(tmp_path):
    prepare()
    checkpoint = write_sam2_video(tmp_path / "sam2")
    film = Film(take=tour(n_frames=6))
    with pytest.raises(RuntimeError, match="power"):
        ingest(film, tmp_path / "memory", segmenter=Killed(sam2_video.create(f"{checkpoint}?{OPTIONS}"), after=3))
    again = sam2_video.create(f"{checkpoint}?{OPTIONS}")

    store, report = ingest(film, tmp_path / "memory", segmenter=again)

    assert (report.frames_known, report.frames_used) == (3, 3)
    kept = json.loads(store.fact(f"segmenter {again.name} of alpha"))
    assert kept == json.loads(again.state())
    assert all(sum(runs) == kept["height"] * kept["width"] for runs in kept["runs"].values())
    assert all(int(track) < kept["next_track"] for track in kept["runs"])
