"""Checks of sizes, cameras and masks: what the images of a recording are."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from recall4d.geometry.camera import Intrinsics
from recall4d.sources.doctor.look import Look
from recall4d.sources.doctor.report import Verdict, rounded

MAX_OFF_CENTRE = 0.12
MAX_FOCAL_RATIO = 1.06
FIELD_OF_VIEW_DEG = (25.0, 130.0)


def check_resolution(looks: Collection[Look]) -> Verdict:
    """Verdict `resolution`: sizes of colour, depth and masks, and whether they stay the same."""
    sizes = {
        "colour": {(each.width, each.height) for each in looks},
        "depth": {(each.depth.intrinsics.width, each.depth.intrinsics.height) for each in looks if each.depth},
        "masks": {(each.masks.width, each.masks.height) for each in looks if each.masks},
    }
    measured = {what: [list(size) for size in sorted(found)] for what, found in sizes.items()}
    if not looks:
        return Verdict("resolution", "fail", "No frame can be decoded.", measured)
    words = ", ".join(
        f"{what} {' or '.join(f'{width}x{height}' for width, height in sorted(found))}"
        for what, found in sizes.items()
        if found
    )
    changing = [what for what, found in sizes.items() if len(found) > 1]
    if changing:
        message = f"The size of {' and '.join(changing)} changes along the recording: {words}."
        return Verdict("resolution", "warn", message, measured)
    if sizes["masks"] and sizes["masks"] != sizes["colour"]:
        return Verdict("resolution", "fail", f"Masks are not of the size of colour: {words}.", measured)
    return Verdict("resolution", "ok", f"{words[0].upper()}{words[1:]}.", measured)


def check_intrinsics(looks: Collection[Look]) -> Verdict:
    """Verdict `intrinsics`: principal point near the centre, square pixels, a field of view that lenses have."""
    cameras = {"colour": {each.intrinsics for each in looks}}
    cameras["depth"] = {each.depth.intrinsics for each in looks if each.depth}
    measured: dict[str, object] = {}
    problems: list[str] = []
    for what, found in cameras.items():
        if not found:
            continue
        odd = [camera for camera in found if _problems(camera)]
        camera = odd[0] if odd else next(iter(found))
        measured[what] = _numbers(camera) | {"n_cameras": len(found)}
        problems += [f"{what}: {problem}" for problem in _problems(camera)]
    if problems:
        return Verdict("intrinsics", "warn", f"Implausible camera. {'; '.join(problems)}.", measured)
    views = ", ".join(
        f"{what} {_field_of_view_deg(next(iter(found))):.0f}°" for what, found in cameras.items() if found
    )
    return Verdict("intrinsics", "ok", f"Plausible cameras; horizontal field of view: {views}.", measured)


def check_masks(looks: Collection[Look]) -> Verdict:
    """Verdict `masks`: how many instances a frame has stored, and how many of them nothing is said of."""
    masks = [each.masks for each in looks if each.masks is not None]
    n_ids = sum(each.n_ids for each in masks)
    n_unlabelled = sum(each.n_unlabelled for each in masks)
    measured = {
        "frames_with_masks": len(masks),
        "frames_looked_at": len(looks),
        "ids_per_frame": rounded(float(np.median([each.n_ids for each in masks])), 1) if masks else None,
        "share_unlabelled": rounded(n_unlabelled / n_ids) if n_ids else None,
    }
    if not masks:
        message = "No instance masks are stored; a segmenter has to find the instances."
        return Verdict("masks", "ok", message, measured)
    middle = f"{measured['ids_per_frame']:g} instances in the middle"
    message = f"{len(masks)} of {len(looks)} frames have stored masks, {middle}"
    if n_ids == 0:
        return Verdict("masks", "warn", "Masks are stored, but not one instance is in them.", measured)
    if n_unlabelled:
        message += f"; nothing is said of {n_unlabelled / n_ids:.0%} of them"
    few = n_unlabelled > 0.5 * n_ids or len(masks) < 0.5 * len(looks)
    return Verdict("masks", "warn" if few else "ok", f"{message}.", measured)


def _problems(camera: Intrinsics) -> list[str]:
    problems = []
    off_x, off_y = _off_centre(camera)
    if max(abs(off_x), abs(off_y)) > MAX_OFF_CENTRE:
        problems.append(
            f"principal point {camera.cx:.1f}, {camera.cy:.1f} is {abs(off_x):.0%}, {abs(off_y):.0%} off the "
            f"centre of {camera.width}x{camera.height}: intrinsics of another image size?"
        )
    ratio = camera.fy / camera.fx
    if not 1 / MAX_FOCAL_RATIO <= ratio <= MAX_FOCAL_RATIO:
        problems.append(f"fx {camera.fx:.1f} and fy {camera.fy:.1f} differ by {abs(ratio - 1):.0%}")
    low, high = FIELD_OF_VIEW_DEG
    if not low <= _field_of_view_deg(camera) <= high:
        problems.append(f"a horizontal field of view of {_field_of_view_deg(camera):.0f}°")
    return problems


def _numbers(camera: Intrinsics) -> dict[str, object]:
    off_x, off_y = _off_centre(camera)
    return {
        "fx": rounded(camera.fx, 2),
        "fy": rounded(camera.fy, 2),
        "off_centre": [rounded(off_x), rounded(off_y)],
        "field_of_view_deg": rounded(_field_of_view_deg(camera), 1),
    }


def _off_centre(camera: Intrinsics) -> tuple[float, float]:
    """Of the principal point, as a share of the image's width and height."""
    return (camera.cx + 0.5) / camera.width - 0.5, (camera.cy + 0.5) / camera.height - 0.5


def _field_of_view_deg(camera: Intrinsics) -> float:
    return float(np.degrees(2 * np.arctan(camera.width / (2 * camera.fx))))
