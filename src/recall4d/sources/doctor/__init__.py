"""The doctor: is a recording what its reader takes it for?

Most broken maps come from a recording that was read wrongly: depth in another unit, poses inverted, camera axes of
OpenGL, a world whose Y is up, stamps in another unit, depth that does not lie on colour. Each check measures one
of these and says, with numbers, what it found and which flag mends it.
"""

from __future__ import annotations

import numpy as np

from recall4d.ports import Source
from recall4d.sources.common import PoseConvention
from recall4d.sources.doctor.alignment import check_alignment
from recall4d.sources.doctor.completeness import check_assumptions, check_dropped
from recall4d.sources.doctor.conventions import check_camera_axes, check_pose_direction
from recall4d.sources.doctor.depth_scale import check_depth_scale
from recall4d.sources.doctor.images import check_intrinsics, check_masks, check_resolution
from recall4d.sources.doctor.look import look
from recall4d.sources.doctor.poses import check_orthonormality, check_poses
from recall4d.sources.doctor.report import Level, Report, Verdict
from recall4d.sources.doctor.reprojection import fit
from recall4d.sources.doctor.stamps import check_stamps
from recall4d.sources.doctor.survey import choose, survey
from recall4d.sources.doctor.up_axis import check_up_axis, measure_up

__all__ = ["Level", "Report", "Verdict", "examine"]


def examine(source: Source, *, convention: PoseConvention | None = None, n_frames: int = 24) -> Report:
    """Examine a recording: every header, and about twice `n_frames` decoded frames, one at a time.

    Args:
        source: the recording as its reader reads it.
        convention: as which it reads the poses, so that suggestions name the right flag. By default the source's
            own attribute `convention`, and else what recall4d itself uses.
        n_frames: frames to look at, spread over the recording; half of them get up to two partners each.

    Raises:
        RecordingError: the source has no frames, or cannot be read at all.
    """
    convention = convention or _convention_of(source)
    surveyed = survey(source)
    sample = choose(surveyed, n_frames)
    by_index, unusable = look(source, sample)
    fitted = fit(surveyed, by_index, sample.pairs, convention)
    looks = list(by_index.values())
    depths = [each.depth for each in looks if each.depth is not None]
    placed = [
        (each.depth, fitted.mended(surveyed.poses[each.index]) @ each.depth.colour_from_depth)
        for each in looks
        if each.depth is not None and surveyed.posed[each.index]
    ]
    mended = np.array([fitted.mended(pose) for pose in surveyed.spread_poses()])
    verdicts = (
        check_resolution(looks),
        check_intrinsics(looks),
        check_depth_scale(depths, fitted, _depth_unit_of(source)),
        check_pose_direction(fitted),
        check_camera_axes(fitted),
        check_up_axis(measure_up(placed, mended) if placed else None, convention),
        check_orthonormality(surveyed),
        check_poses(surveyed, fitted),
        check_stamps(surveyed),
        check_alignment([each.edges for each in looks if each.edges], [each.skew_ns for each in depths]),
        check_dropped(looks, unusable),
        check_masks(looks),
        check_assumptions(source),
    )
    return Report(source.format, verdicts)


def _depth_unit_of(source: Source) -> float | None:
    """Metres per stored unit, where the reader of the format knows it."""
    unit_m = getattr(getattr(source, "depth", None), "unit_m", None)
    return unit_m if isinstance(unit_m, float) else None


def _convention_of(source: Source) -> PoseConvention:
    convention = getattr(source, "convention", None)
    return convention if isinstance(convention, PoseConvention) else PoseConvention()
