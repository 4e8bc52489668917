"""Disks that are full, copies without their write-ahead log, damaged files, directories that may only be read."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from recall4d.errors import NotAMemoryError, StoreError
from recall4d.store.sqlite import FILE_NAME, SqliteStore
from recall4d.synth import tour
from tests.memory.scenes import Scene

from .invariants import broken
from .processes import context, open_memory, take_in, undisturbed

NOBODY = 65534


def test_a_full_disk_stops_the_ingest_and_costs_no_frame_before(tmp_path):
    expected, counts = undisturbed(tmp_path / "in peace", tour(8))
    memory = open_memory(tmp_path / "full")
    take_in(memory, Scene(take=beginning(tour(8), 2)))
    (page_count,) = memory.store._connection.execute("PRAGMA page_count").fetchone()
    memory.store._connection.execute(f"PRAGMA max_page_count = {page_count + 4}")
    with pytest.raises(StoreError, match=r"memory\.sqlite refused: database or disk is full"):
        take_in(memory, Scene(take=tour(8)))
    memory.close()
    reopened = open_memory(tmp_path / "full")
    assert 2 <= len(reopened.store.frames()) < 8
    assert broken(reopened.store, counts) == []
    take_in(reopened, Scene(take=tour(8)))
    assert reopened.store.changes().entries == expected.changes().entries


@pytest.mark.parametrize("folder", ["keyframes", "crops"])
def test_no_room_for_a_picture_is_told_like_no_room_for_a_row(tmp_path, monkeypatch, folder):
    write_bytes = Path.write_bytes

    def full(path, content):
        if path.parent.name == folder:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write_bytes(path, content)

    memory = open_memory(tmp_path)
    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StoreError, match=rf"{folder}/.*\.jpg cannot be written: No space left on device"):
        take_in(memory, Scene(take=tour(1)))
    assert memory.store.frames() == []
    monkeypatch.undo()
    assert take_in(memory, Scene(take=tour(1))).frames_used == 1
    assert not list(tmp_path.rglob("*.part"))


def test_a_copy_with_its_log_holds_every_committed_frame(tmp_path):
    memory = open_memory(tmp_path / "live")
    take_in(memory, Scene(take=tour(4)))
    assert (tmp_path / "live" / f"{FILE_NAME}-wal").stat().st_size > 0
    shutil.copytree(tmp_path / "live", tmp_path / "copy", ignore=shutil.ignore_patterns("*-shm"))
    copy = SqliteStore.open(tmp_path / "copy")
    assert len(copy.frames()) == 4
    assert broken(copy) == []


def test_a_copy_without_its_log_is_an_earlier_memory_or_none(tmp_path):
    memory = open_memory(tmp_path / "live")
    take_in(memory, Scene(take=tour(2)))
    memory.store._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    take_in(memory, Scene(take=tour(4)))
    shutil.copytree(tmp_path / "live", tmp_path / "copy", ignore=shutil.ignore_patterns("*-wal", "*-shm"))
    copy = SqliteStore.open(tmp_path / "copy")
    assert len(copy.frames()) == 2
    assert broken(copy) == []


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_truncated_memory_is_told_in_a_sentence(tmp_path, share):
    with open_memory(tmp_path) as memory:
        take_in(memory, Scene(take=tour(6)))
    path = tmp_path / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(NotAMemoryError, match="malformed"):
        open_memory(tmp_path).snapshot()


def test_asking_an_empty_file_does_not_make_it_a_memory(tmp_path):
    (tmp_path / FILE_NAME).touch()
    with pytest.raises(NotAMemoryError, match="no memory in"):
        SqliteStore.open(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == [FILE_NAME]
    assert (tmp_path / FILE_NAME).stat().st_size == 0


def test_closing_leaves_one_file_that_can_be_copied_alone(tmp_path):
    with open_memory(tmp_path) as memory:
        take_in(memory, Scene(take=tour(2)))
    assert {each.name for each in tmp_path.iterdir()} == {FILE_NAME, "keyframes", "crops"}


@pytest.fixture
def locked() -> Iterator[Path]:
    """A directory with a memory that this user may read and not write; outside tmp_path, which is root's alone."""
    directory = Path(tempfile.mkdtemp(prefix="recall4d-"))
    with open_memory(directory) as memory:
        take_in(memory, Scene(take=tour(2)))
    _chmod(directory, 0o555, 0o444)
    yield directory
    _chmod(directory, 0o755, 0o644)
    shutil.rmtree(directory)


def test_a_memory_that_may_only_be_read_answers(locked):
    assert as_nobody(_ask, locked) == "2 frames"
    assert {each.name for each in locked.iterdir()} == {FILE_NAME, "keyframes", "crops"}


def test_a_memory_that_may_only_be_read_refuses_to_be_written(locked):
    assert as_nobody(_add, locked).startswith(f"StoreError: {locked}")
    assert len(SqliteStore.open(locked).frames()) == 2


def as_nobody(act, directory):
    """What a function returns, or the error it ends with, in a process of a user whom the disk may refuse."""
    receiving, sending = context.Pipe(duplex=False)
    process = context.Process(target=_as_nobody, args=(act, directory, sending))
    process.start()
    result = receiving.recv()
    process.join()
    return result


def _as_nobody(act, directory, sending):
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    try:
        sending.send(act(directory))
    except Exception as error:
        sending.send(f"{type(error).__name__}: {error}")


def beginning(take, n):
    return replace(take, stamps_ns=take.stamps_ns[:n], poses=take.poses[:n])


def _ask(directory):
    with open_memory(directory) as memory:
        track = memory.snapshot().trajectories["alpha"]
        assert memory.ask("where is the red cup?").abstained is False
        return f"{len(track.stamps_ns)} frames"


def _add(directory):
    with open_memory(directory) as memory:
        take_in(memory, Scene(take=tour(3)))


def _chmod(directory: Path, folders: int, files: int) -> None:
    for path in [directory, *directory.rglob("*")]:
        path.chmod(folders if path.is_dir() else files)
