"""Arrays in a file come back as they were, or not at all."""

import numpy as np
import pytest

from recall4d.store.arrays import read_arrays, read_meta, write_arrays

ARRAYS = {
    "stamps": np.array([0, 2**62, -5], dtype=np.int64),
    "codes": np.array([[1, -1], [300, 4]], dtype=np.int32),
    "boxes": np.array([[0.1, np.inf, -1 / 3]]),
    "none": np.zeros((0, 3)),
    "text": np.frombuffer(b"red cup", dtype=np.uint8),
    "flags": np.array([True, False]),
    "strided": np.arange(10)[::2],
}


def test_arrays_come_back_equal_and_of_the_same_type(tmp_path):
    path = tmp_path / "known.arrays"
    write_arrays(path, ARRAYS, {"mark": "ö"})
    again = read_arrays(path)
    assert read_meta(path) == {"mark": "ö"}
    assert again.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert again[name].dtype == array.dtype, name
        assert np.array_equal(again[name], array), name


@pytest.mark.parametrize("at", [0, 10, 40, -70, -1])
def test_a_file_with_one_wrong_byte_is_not_read(tmp_path, at):
    path = tmp_path / "known.arrays"
    write_arrays(path, ARRAYS, {})
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)
    read = read_arrays(path)
    assert read is None or all(np.array_equal(read[name], ARRAYS[name]) for name in ARRAYS)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99])
def test_a_torn_file_is_not_read(tmp_path, share):
    path = tmp_path / "known.arrays"
    write_arrays(path, ARRAYS, {})
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    assert read_arrays(path) is None
    assert read_arrays(tmp_path / "missing") is None


def test_a_disk_that_refuses_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "known.arrays"
    write_arrays(path, ARRAYS, {"first": True})
    monkeypatch.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OSError, match="No space"):
        write_arrays(path, ARRAYS, {"second": True})
    assert read_meta(path) == {"first": True}
    assert [each.name for each in tmp_path.iterdir()] == ["known.arrays"]
