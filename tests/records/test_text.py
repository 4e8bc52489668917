"""Text as memory keeps it."""

import pytest

from recall4d.records.text import one_line


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a blue mug", "a blue mug"),
        ("  a\tblue\n\nmug ", "a blue mug"),
        ("purple teapot \x00 x", "purple teapot x"),
        ("mug\ud800", "mug"),
        ("mug\u202egum", "mug gum"),
        ("tasse à café, чашка, 杯子", "tasse à café, чашка, 杯子"),
        ("\x00", ""),
    ],
)
def test_a_text_is_one_line_of_characters_that_can_be_written(text, kept):
    assert one_line(text) == kept
