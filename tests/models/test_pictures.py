from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from recall4d.errors import ModelRequestError
from recall4d.models.conformance import picture
from recall4d.models.pictures import contact_sheet, fit_pictures
from recall4d.records import ChatRequest, Message, Picture

COLOURS = ("red", "lime", "blue", "white", "yellow", "cyan", "magenta")


def showing(*counts: int) -> ChatRequest:
    return ChatRequest(tuple(Message("user", "?", tuple(picture(c) for c in COLOURS[:count])) for count in counts))


def colour_at(encoded: bytes, x: float, y: float) -> tuple[int, ...]:
    """Colour at shares x and y of width and height."""
    image = np.asarray(Image.open(io.BytesIO(encoded)).convert("RGB"))
    return tuple(int(v) for v in image[int(y * image.shape[0]), int(x * image.shape[1])])


def test_pictures_that_fit_are_left_alone():
    assert fit_pictures(showing(0, 3), 3) == showing(0, 3)


def test_a_sheet_shows_every_picture_in_its_tile_with_its_number():
    sheet = contact_sheet([picture(colour) for colour in COLOURS[:4]], first_number=1)
    lower_right = [colour_at(sheet.encoded, x, y) for y in (0.45, 0.95) for x in (0.45, 0.95)]
    expected = [(255, 0, 0), (0, 255, 0), (0, 0, 255), (255, 255, 255)]
    assert np.allclose(lower_right, expected, atol=12)
    assert sheet.label == "1: red; 2: lime; 3: blue; 4: white"
    image = np.asarray(Image.open(io.BytesIO(sheet.encoded)).convert("RGB")).astype(int)
    corner = image[: image.shape[0] // 4, : image.shape[1] // 4]
    assert (corner.sum(axis=2) < 60).any(), "the black plate of the number"


@pytest.mark.parametrize(
    ("counts", "limit", "shown"),
    [((5,), 1, [1]), ((5,), 2, [2]), ((4, 2), 3, [2, 1]), ((1, 0, 6), 4, [1, 0, 3]), ((3, 3), 6, [3, 3])],
)
def test_the_budget_is_shared_where_tiles_are_most(counts, limit, shown):
    fitted = fit_pictures(showing(*counts), limit)
    assert [len(message.pictures) for message in fitted.messages] == shown


def test_the_message_says_which_picture_is_where():
    (message,) = fit_pictures(showing(5), 2).messages
    assert "image 1 is a sheet of pictures 1 to 2; image 2 is a sheet of pictures 3 to 5" in message.text
    assert message.text.endswith("\n?")
    assert [each.label for each in message.pictures] == ["1: red; 2: lime", "3: blue; 4: white; 5: yellow"]


@pytest.mark.parametrize(
    ("limit", "told"), [(0, "m reads text only"), (1, "m takes 1 pictures, and 2 messages show")]
)
def test_what_cannot_be_shown_is_refused_and_not_left_out(limit, told):
    with pytest.raises(ModelRequestError, match=told):
        fit_pictures(showing(1, 2), limit, model="m")


def test_what_is_no_picture_is_refused():
    request = ChatRequest((Message("user", "?", (Picture(b"GIF89a nonsense", label="frame 3"),)),))
    with pytest.raises(ModelRequestError, match="'frame 3' cannot be decoded"):
        fit_pictures(request, 1)
