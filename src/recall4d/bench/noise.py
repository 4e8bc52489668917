"""A recording made worse, in known steps: poses, depth and masks as real systems deliver them.

```python
memory.ingest(Noisy(open_recording("house_4d/alpha"), Noise(depth=1.0, holes=0.1)))
```

The same seed spoils the same frame in the same way, in whatever order frames are read.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from scipy.spatial.transform import Rotation

from recall4d.clock import ns_to_seconds
from recall4d.geometry.pose import Floats
from recall4d.ports import Source
from recall4d.records import Frame, FrameHeader, StoredMasks

DRIFT_S = 20.0
"""How long a drifting pose remembers its error: that of a tracker which keeps finding known places again."""

NOISE_PX = 1.0
"""Depth errors of neighbouring pixels are alike over about so many: a range camera matches blocks, not pixels."""

HOLE_PX = 8
"""Holes in the depth image are blobs of about this size."""


@dataclass(frozen=True, slots=True)
class Noise:
    """How much worse a recording becomes; nothing, by default.

    Attributes:
        drift_m, drift_deg: root mean square of a slow error of the camera's place and heading, see `drifted`.
        jitter_m, jitter_deg: root mean square of an error drawn anew for every frame.
        depth: standard deviation of the depth noise in that of a Kinect, see `noisy_depth`.
        holes: share of the depth image that is unknown.
        bleed_px: masks are grown by so many pixels.
        missed: share of the masks that are missing.
    """

    drift_m: float = 0.0
    drift_deg: float = 0.0
    jitter_m: float = 0.0
    jitter_deg: float = 0.0
    depth: float = 0.0
    holes: float = 0.0
    bleed_px: int = 0
    missed: float = 0.0


class Noisy:
    """A `recall4d.ports.Source` that delivers another one's frames with noise."""

    def __init__(self, source: Source, noise: Noise, seed: int = 0) -> None:
        self._source, self._noise, self._seed = source, noise, seed
        self.format, self.agent, self.notes = source.format, source.agent, source.notes
        self._poses: dict[int, Floats] = {}

    def headers(self) -> Iterator[FrameHeader]:
        """See `recall4d.ports.Source`."""
        headers = list(self._source.headers())
        posed = [header for header in headers if header.world_from_camera is not None]
        poses = [header.world_from_camera for header in posed if header.world_from_camera is not None]
        noise, rng = self._noise, np.random.default_rng(self._seed)
        if poses:
            stamps = [header.stamp_ns for header in posed]
            off = drifted(stamps, noise.drift_m, noise.drift_deg, rng) + jittered(
                len(stamps), noise.jitter_m, noise.jitter_deg, rng
            )
            self._poses = dict(zip(stamps, misplaced(np.stack(poses), off), strict=True))
        return (
            replace(header, world_from_camera=self._poses.get(header.stamp_ns, header.world_from_camera))
            for header in headers
        )

    def load(self, header: FrameHeader, agent: str) -> Frame:
        """See `recall4d.ports.Source`."""
        frame = self._source.load(header, agent)
        noise, rng = self._noise, np.random.default_rng([self._seed, header.stamp_ns])
        if frame.depth is not None:
            z_m = with_holes(noisy_depth(frame.depth.z_m, noise.depth, rng), noise.holes, rng)
            frame = replace(frame, depth=replace(frame.depth, z_m=z_m))
        if frame.masks is not None:
            ids = bled(with_missing(frame.masks.ids, noise.missed, rng), noise.bleed_px, rng)
            frame = replace(frame, masks=StoredMasks(ids, frame.masks.labels))
        return replace(frame, world_from_camera=self._poses.get(header.stamp_ns, frame.world_from_camera))


def drifted(stamps_ns: Sequence[int], drift_m: float, drift_deg: float, rng: np.random.Generator) -> Floats:
    """Slow errors (n, 4): x, y, z in metres and heading in radians.

    A first-order Gauss-Markov process, as inertial navigation models its biases (Gelb, Applied Optimal Estimation,
    1974): it starts at none, wanders, and forgets within `DRIFT_S`.

    Args:
        stamps_ns: (n,) rising.
        drift_m, drift_deg: root mean square that it tends to.
        rng: where chance comes from.
    """
    spread = _spread(drift_m, drift_deg)
    errors = np.zeros((len(stamps_ns), 4))
    for i in range(1, len(stamps_ns)):
        kept = math.exp(-ns_to_seconds(stamps_ns[i] - stamps_ns[i - 1]) / DRIFT_S)
        errors[i] = kept * errors[i - 1] + math.sqrt(1 - kept**2) * spread * rng.standard_normal(4)
    return errors


def jittered(n: int, jitter_m: float, jitter_deg: float, rng: np.random.Generator) -> Floats:
    """Errors (n, 4) that know nothing of each other: x, y, z in metres and heading in radians."""
    return np.asarray(_spread(jitter_m, jitter_deg) * rng.standard_normal((n, 4)))


def misplaced(poses: Floats, errors: Floats) -> Floats:
    """Poses (n, 4, 4) `world_from_camera` with their place shifted and their heading turned about the vertical."""
    wrong = poses.copy()
    wrong[:, :3, :3] = Rotation.from_euler("z", errors[:, 3:]).as_matrix() @ poses[:, :3, :3]
    wrong[:, :3, 3] += errors[:, :3]
    return wrong


def noisy_depth(z_m: NDArray[np.float32], factor: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Depth (h, w) with axial noise that grows with the square of the distance.

    For a Kinect the standard deviation is 1.2 mm + 1.9 mm (z - 0.4)^2 (Nguyen, Izadi and Lovell, Modeling Kinect
    Sensor Noise for Improved 3D Reconstruction and Tracking, 3DIMPVT 2012); `factor` times that is added.
    """
    if factor == 0:
        return z_m
    smooth = ndimage.gaussian_filter(rng.standard_normal(z_m.shape, dtype=np.float32), NOISE_PX)
    spread_m = factor * (0.0012 + 0.0019 * np.square(z_m - 0.4))
    return np.asarray(np.maximum(z_m + spread_m * smooth / smooth.std(), 0.01), dtype=np.float32)


def with_holes(z_m: NDArray[np.float32], share: float, rng: np.random.Generator) -> NDArray[np.float32]:
    """Depth (h, w) with blobs, together about this share of the image, unknown."""
    if share == 0:
        return z_m
    coarse = tuple(-(-n // HOLE_PX) + 2 for n in z_m.shape)
    field = ndimage.zoom(rng.standard_normal(coarse), HOLE_PX, order=1)[: z_m.shape[0], : z_m.shape[1]]
    return np.where(field < np.quantile(field, share), np.float32(np.nan), z_m)


def with_missing(
    ids: NDArray[np.unsignedinteger], share: float, rng: np.random.Generator
) -> NDArray[np.unsignedinteger]:
    """Instance ids (h, w) with each mask missing at this chance."""
    if share == 0:
        return ids
    numbers = np.unique(ids)
    return np.where(np.isin(ids, numbers[rng.random(len(numbers)) < share]), ids.dtype.type(0), ids)


def bled(ids: NDArray[np.unsignedinteger], bleed_px: int, rng: np.random.Generator) -> NDArray[np.unsignedinteger]:
    """Instance ids (h, w) with each mask grown by a square of `bleed_px`; where two meet, chance decides which."""
    if bleed_px == 0:
        return ids
    numbers, places = np.unique(np.append(ids, ids.dtype.type(0)), return_inverse=True)
    rank = np.concatenate([[0], 1 + rng.permutation(len(numbers) - 1)])  # 0, no mask, is the first of the numbers
    grown = ndimage.maximum_filter(rank[places[:-1]].reshape(ids.shape), size=2 * bleed_px + 1)
    of_rank = np.empty_like(numbers)
    of_rank[rank] = numbers
    return np.asarray(of_rank[grown])


def _spread(distance_m: float, angle_deg: float) -> Floats:
    """Standard deviations (4,) of x, y, z and heading, whose place is off by `distance_m` at root mean square."""
    return np.array([*[distance_m / math.sqrt(3)] * 3, math.radians(angle_deg)])
