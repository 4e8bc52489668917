"""Named arrays in one file: written once, mapped into memory, never trusted unless whole.

Integers take the fewest bytes that hold them, and come back as they were.

Layout: `MAGIC`, the length of the header (8 bytes, little endian), the header as JSON, then the arrays, each from a
multiple of 64 bytes on. The header says where each array lies, and the CRC-32 of everything after it.
"""

from __future__ import annotations

import json
import mmap
import os
import zlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"R4DARRAY"
ALIGNMENT = 64


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], meta: Mapping[str, Any]) -> None:
    """Write arrays and what is to be known of them; whoever opens `path` sees all of it or what was there before.

    Raises:
        OSError: the disk refuses; nothing is left behind.
    """
    crc, offset, layout = 0, 0, {}
    parts: list[bytes | memoryview] = []
    for name, array in arrays.items():
        whole = np.ascontiguousarray(_narrow(array))
        content = whole.data.cast("B") if whole.size else memoryview(b"")
        padding = bytes(-len(content) % ALIGNMENT)
        layout[name] = {
            "dtype": whole.dtype.str,
            "was": array.dtype.str,
            "shape": whole.shape,
            "offset": offset,
        }
        for part in (content, padding):
            crc = zlib.crc32(part, crc)
            parts.append(part)
        offset += len(content) + len(padding)
    header = json.dumps({"meta": meta, "crc": crc, "length": offset, "arrays": layout}).encode()
    header += b" " * (-(len(MAGIC) + 8 + len(header)) % ALIGNMENT)
    temporary = path.with_name(f".{path.name}-{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(MAGIC + len(header).to_bytes(8, "little") + header)
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise


def read_meta(path: Path) -> dict[str, Any] | None:
    """What a file says of its arrays; None where there is no such file or it is something else."""
    header = _header(path)
    return None if header is None else header[0]["meta"]


def read_arrays(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays, mapped into memory, read-only; None where the file is missing, torn or damaged."""
    found = _header(path)
    if found is None:
        return None
    header, start = found
    try:
        with path.open("rb") as file:
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))[start:]
    except (OSError, ValueError):
        return None
    if len(mapped) != header["length"] or zlib.crc32(mapped) != header["crc"]:
        return None
    arrays = {}
    for name, each in header["arrays"].items():
        dtype, shape = np.dtype(each["dtype"]), tuple(each["shape"])
        length = int(np.prod(shape)) * dtype.itemsize
        content = mapped[each["offset"] : each["offset"] + length]
        arrays[name] = np.frombuffer(content, dtype=dtype).reshape(shape).astype(each["was"], copy=False)
    return arrays


def _narrow(array: NDArray[Any]) -> NDArray[Any]:
    """Integers in the fewest bytes that hold them all."""
    if array.dtype.kind not in "iu" or array.size == 0:
        return array
    ends = np.array([array.min(), array.max()])
    small = next(d for d in ("i1", "i2", "i4", "i8") if (ends.astype(d) == ends).all())
    return array.astype(small) if np.dtype(small).itemsize < array.dtype.itemsize else array


def _header(path: Path) -> tuple[dict[str, Any], int] | None:
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                return None
            length = int.from_bytes(file.read(8), "little")
            header = json.loads(file.read(length))
    except (OSError, ValueError, MemoryError, OverflowError):
        return None
    return (header, len(MAGIC) + 8 + length) if isinstance(header, dict) and "arrays" in header else None
