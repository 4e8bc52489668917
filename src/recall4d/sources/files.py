"""What a recording's files hold besides images: numbered names, text, matrices, JSON, the name of its agent."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from recall4d.errors import RecordingError
from recall4d.geometry.pose import Floats
from recall4d.sources.common import NO_POSE

POSE_UNREADABLE = "pose unreadable"
NAMES_THAT_SAY_NOTHING = frozenset(
    {"", "capture", "color", "data", "frames", "images", "keyframes", "recording", "rgb"}
)

Finite = Annotated[float, Field(allow_inf_nan=False)]
Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
PositiveInt = Annotated[int, Field(gt=0)]
JsonT = TypeVar("JsonT")


def numbered_files(root: Path, folder: str, pattern: str) -> dict[int, str]:
    """Path below `root` by number, of the files in `root / folder` ("" for `root` itself), by number.

    Args:
        root: the recording.
        folder: where to look; one that is not there holds no files.
        pattern: of the whole file name, upper or lower case; its first group is the number.
    """
    matcher = re.compile(pattern, re.IGNORECASE)
    try:
        names = sorted(os.listdir(root / folder))
    except OSError:
        return {}
    found: dict[int, str] = {}
    for name in names:
        if match := matcher.fullmatch(name):
            found.setdefault(int(match.group(1)), f"{folder}/{name}" if folder else name)
    return dict(sorted(found.items()))


def read_json(path: Path, shape: type[JsonT]) -> JsonT:
    """The content of a JSON file, validated by pydantic against a type.

    Raises:
        RecordingError: missing, not JSON, or of another shape: the first fault, expected against actual.
    """
    try:
        return TypeAdapter(shape).validate_json(path.read_bytes())
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from error
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"])) or "the file"
        got = repr(fault["input"])[:80]
        raise RecordingError(f"{path}: {where}: {fault['msg']}, got {got}") from error


def lines_of(path: Path) -> list[str]:
    """The lines of a text file without comments (#) and blanks.

    Raises:
        RecordingError: missing or not text.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        raise RecordingError(f"cannot read {path}: expected text, {error}") from error
    return [line for line in map(str.strip, lines) if line and not line.startswith("#")]


def pose_from_text(path: Path) -> Floats | str:
    """The (4, 4) or (3, 4) matrix written as plain numbers in a file; or why there is none."""
    try:
        numbers = np.array(path.read_text(encoding="utf-8").split(), dtype=np.float64)
        return numbers.reshape(-1, 4) if numbers.size in (12, 16) else POSE_UNREADABLE
    except FileNotFoundError:
        return NO_POSE
    except (OSError, ValueError):
        return POSE_UNREADABLE


def matrix_from_text(path: Path) -> Floats:
    """The matrix (n, m) written as plain numbers in a file, such as a camera calibration.

    Raises:
        RecordingError: missing, or not a matrix of numbers.
    """
    try:
        return np.array([[float(word) for word in line.split()] for line in lines_of(path)], ndmin=2)
    except ValueError as error:
        raise RecordingError(f"{path}: expected a matrix of numbers: {error}") from error


def agent_name(path: Path) -> str | None:
    """The recording's own name, which is its agent's unless the user says otherwise; None if it says nothing."""
    name = path.resolve().name if path.is_dir() else path.stem
    return None if name.lower() in NAMES_THAT_SAY_NOTHING else name
