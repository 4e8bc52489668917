"""Images that are what they should be, and images that are not."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from recall4d.errors import FrameError
from recall4d.sources.images import (
    decode_colour,
    decode_depth,
    decode_ids,
    first_image_size,
    read_colour,
    read_depth,
    read_ids,
)

RGB = np.arange(6 * 8 * 3, dtype=np.uint8).reshape(6, 8, 3)
DEPTH = np.arange(48, dtype=np.uint16).reshape(6, 8) * 1000


def encoded(values: np.ndarray, format: str = "PNG", mode: str | None = None) -> bytes:
    file = io.BytesIO()
    image = Image.fromarray(values)
    (image.convert(mode) if mode else image).save(file, format)
    return file.getvalue()


def test_a_jpeg_keeps_its_bytes_and_a_png_has_none() -> None:
    jpeg = encoded(RGB, "JPEG")
    assert decode_colour(jpeg, "a").jpeg == jpeg
    png = decode_colour(encoded(RGB), "a")
    assert png.jpeg is None
    assert np.array_equal(png.rgb, RGB)


@pytest.mark.parametrize("mode", ["L", "RGBA", "P"])
def test_colour_of_any_kind_is_rgb(mode: str) -> None:
    rgb = decode_colour(encoded(RGB, mode=mode), "a").rgb
    assert (rgb.shape, rgb.dtype) == ((6, 8, 3), np.uint8)


def test_depth_and_ids_keep_their_numbers() -> None:
    assert np.array_equal(decode_depth(encoded(DEPTH), "a"), DEPTH)
    assert np.array_equal(decode_ids(encoded(DEPTH), "a"), DEPTH)
    small = decode_ids(encoded(RGB[..., 0]), "a")
    assert small.dtype == np.uint8
    assert np.array_equal(small, RGB[..., 0])


@pytest.mark.parametrize("decode", [decode_colour, decode_depth, decode_ids])
@pytest.mark.parametrize("broken", [b"", b"<html>404</html>", encoded(DEPTH)[:60], b"\x89PNG\r\n\x1a\n"])
def test_what_is_no_image_is_refused_by_name(decode: object, broken: bytes) -> None:
    with pytest.raises(FrameError, match=r"image unreadable: 000007\.png"):
        decode(broken, "000007.png")  # type: ignore[operator]


def test_eight_bits_are_no_depth() -> None:
    with pytest.raises(FrameError, match="expected a 16-bit grey image, got PNG of mode L"):
        decode_depth(encoded(RGB[..., 0]), "a")


def test_a_picture_is_no_mask() -> None:
    with pytest.raises(FrameError, match="mask image unreadable"):
        decode_ids(encoded(RGB), "a")


def test_missing_colour_is_an_error_and_missing_depth_is_none(tmp_path: Path) -> None:
    with pytest.raises(FrameError) as caught:
        read_colour(tmp_path / "0.jpg")
    assert caught.value.reason == "colour image missing"
    assert read_depth(tmp_path / "0.png") is None
    assert read_ids(tmp_path / "0.png") is None


def test_the_first_image_that_can_be_read_tells_the_size(tmp_path: Path) -> None:
    (tmp_path / "0.png").write_bytes(b"")
    (tmp_path / "1.png").write_bytes(encoded(RGB))
    assert first_image_size(tmp_path / name for name in ("0.png", "absent.png", "1.png")) == (8, 6)
    assert first_image_size([tmp_path / "0.png"]) is None
