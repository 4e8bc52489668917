"""Recordings made worse: as much as asked for, the same every time, and untouched where nothing is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from recall4d.bench.noise import (
    DRIFT_S,
    Noise,
    Noisy,
    bled,
    drifted,
    jittered,
    misplaced,
    noisy_depth,
    with_holes,
    with_missing,
)
from recall4d.synth import kitchen, tour

from ..memory.films import Film

RNG = np.random.default_rng


def loaded(noise, seed=0, numbers=(0, 3)):
    source = Noisy(Film(kitchen(), tour(5)), noise, seed)
    headers = list(source.headers())
    return [source.load(headers[n], "alpha") for n in numbers]


EVERYTHING = Noise(
    drift_m=0.05, drift_deg=1, jitter_m=0.01, jitter_deg=0.1, depth=1, holes=0.2, bleed_px=2, missed=0.2
)


def test_no_noise_changes_nothing():
    film = Film(kitchen(), tour(5))
    plain = [film.load(header, "alpha") for header in film.headers()]
    for frame, same in zip(loaded(Noise(), numbers=range(5)), plain, strict=True):
        assert np.array_equal(frame.depth.z_m, same.depth.z_m, equal_nan=True)
        assert np.array_equal(frame.masks.ids, same.masks.ids)
        assert np.allclose(frame.world_from_camera, same.world_from_camera)


def test_the_same_seed_spoils_the_same_frame_alike_in_whatever_order():
    forth, back = loaded(EVERYTHING, numbers=(0, 3)), loaded(EVERYTHING, numbers=(3, 0))[::-1]
    other = loaded(EVERYTHING, seed=1)
    for a, b, c in zip(forth, back, other, strict=True):
        assert np.array_equal(a.depth.z_m, b.depth.z_m, equal_nan=True)
        assert np.array_equal(a.masks.ids, b.masks.ids)
        assert np.array_equal(a.world_from_camera, b.world_from_camera)
        assert not np.array_equal(a.depth.z_m, c.depth.z_m, equal_nan=True)


def test_headers_and_frames_tell_the_same_pose():
    source = Noisy(Film(kitchen(), tour(5)), EVERYTHING)
    for header in source.headers():
        assert np.array_equal(source.load(header, "alpha").world_from_camera, header.world_from_camera)


def test_a_frame_without_a_pose_stays_without():
    class Lost(Film):
        def headers(self):
            for header in super().headers():
                yield header.__class__(header.number, header.stamp_ns, None, "no track", header.locator)

    assert [h.world_from_camera for h in Noisy(Lost(kitchen(), tour(3)), EVERYTHING).headers()] == [None] * 3


def test_drift_starts_at_nothing_wanders_and_stays_bounded():
    stamps = [round(i * 0.5e9) for i in range(4000)]
    errors = drifted(stamps, drift_m=0.1, drift_deg=2.0, rng=RNG(0))
    assert not errors[0].any()
    settled = errors[200:]
    assert np.sqrt(np.square(settled[:, :3]).sum(axis=1).mean()) == pytest.approx(0.1, rel=0.25)
    assert np.degrees(settled[:, 3].std()) == pytest.approx(2.0, rel=0.4)
    steps = np.linalg.norm(np.diff(errors[:, :3], axis=0), axis=1)
    assert steps.max() < 0.1 * 4 * np.sqrt(2 * 0.5 / DRIFT_S)  # from frame to frame it hardly moves


def test_jitter_is_of_the_size_asked_for():
    errors = jittered(5000, jitter_m=0.02, jitter_deg=0.5, rng=RNG(0))
    assert np.sqrt(np.square(errors[:, :3]).sum(axis=1).mean()) == pytest.approx(0.02, rel=0.05)
    assert np.degrees(errors[:, 3].std()) == pytest.approx(0.5, rel=0.05)


def test_a_misplaced_camera_is_shifted_and_turned_about_the_vertical_where_it_stands():
    poses = tour(3).poses
    wrong = misplaced(poses, np.array([[0.1, 0.2, 0.3, np.radians(10)]] * 3))
    assert wrong[:, :3, 3] - poses[:, :3, 3] == pytest.approx(np.tile([0.1, 0.2, 0.3], (3, 1)))
    turns = np.einsum("nij,nkj->nik", wrong[:, :3, :3], poses[:, :3, :3])
    assert turns[:, 2, 2] == pytest.approx([1, 1, 1])
    assert np.degrees(np.arctan2(turns[:, 1, 0], turns[:, 0, 0])) == pytest.approx([10, 10, 10])


@pytest.mark.parametrize(("z", "spread"), [(1.0, 0.0012 + 0.0019 * 0.36), (4.0, 0.0012 + 0.0019 * 12.96)])
def test_depth_noise_grows_with_the_square_of_the_distance(z, spread):
    noisy = noisy_depth(np.full((200, 200), z, dtype=np.float32), 2.0, RNG(0))
    assert noisy.dtype == np.float32
    assert (noisy - z).std() == pytest.approx(2 * spread, rel=0.02)
    assert abs((noisy - z).mean()) < 0.1 * spread


def test_unknown_depth_stays_unknown():
    z_m = np.full((50, 50), 2.0, dtype=np.float32)
    z_m[10:20] = np.nan
    assert np.array_equal(np.isnan(noisy_depth(z_m, 1.0, RNG(0))), np.isnan(z_m))


@pytest.mark.parametrize("share", [0.1, 0.5])
def test_holes_are_blobs_that_take_the_share_asked_for(share):
    holes = np.isnan(with_holes(np.ones((240, 320), dtype=np.float32), share, RNG(0)))
    assert holes.mean() == pytest.approx(share, abs=0.02)
    beside = holes[:, 1:][holes[:, :-1]].mean()
    assert beside > 0.8  # a hole's neighbour is mostly one too


def test_missing_masks_are_missing_whole():
    ids = np.repeat(np.arange(200, dtype=np.uint16), 5).reshape(20, 50)
    left = with_missing(ids, 0.3, RNG(0))
    assert set(np.unique(left[left > 0], return_counts=True)[1]) == {5}
    assert 0.55 < len(np.unique(left)) / 200 < 0.85
    assert left.dtype == ids.dtype


def test_bleed_grows_a_mask_into_what_is_around_it():
    ids = np.zeros((20, 20), dtype=np.uint16)
    ids[8:12, 8:12] = 700
    grown = bled(ids, 2, RNG(0))
    expected = np.zeros_like(ids)
    expected[6:14, 6:14] = 700
    assert np.array_equal(grown, expected)
    assert grown.dtype == ids.dtype


def test_where_two_masks_meet_chance_decides_which_grows():
    ids = np.repeat(np.array([[5, 9]], dtype=np.uint16), 10, axis=1).repeat(20, axis=0)
    winners = {int(bled(ids, 3, RNG(seed))[0, 9]) for seed in range(20)}
    assert winners == {5, 9}


def test_a_full_image_of_one_mask_can_bleed_nowhere():
    ids = np.full((10, 10), 3, dtype=np.uint8)
    assert np.array_equal(bled(ids, 3, RNG(0)), ids)
