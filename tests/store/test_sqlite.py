"""The SQLite store conforms, survives kill -9, and refuses what is not its own."""

import sqlite3
import subprocess
import sys
import textwrap

import pytest

from recall4d.errors import NotAMemoryError, SchemaMismatchError, StoreError
from recall4d.store.conformance import StoreConformance, frame
from recall4d.store.sqlite import FILE_NAME, SqliteStore


class TestSqliteStore(StoreConformance):
    def open(self, directory):
        return SqliteStore.open(directory, create=True)


def test_there_is_no_memory_where_there_is_none(tmp_path):
    with pytest.raises(NotAMemoryError, match="recall4d ingest"):
        SqliteStore.open(tmp_path / "nothing")


def test_another_schema_is_refused(tmp_path):
    SqliteStore.open(tmp_path, create=True).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("PRAGMA user_version = 99")
    with pytest.raises(SchemaMismatchError, match="has schema 99, this recall4d reads schema"):
        SqliteStore.open(tmp_path)


def test_a_foreign_database_is_refused_and_not_touched(tmp_path):
    with sqlite3.connect(tmp_path / FILE_NAME) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    with pytest.raises(NotAMemoryError, match="not a recall4d memory"):
        SqliteStore.open(tmp_path, create=True)
    tables = sqlite3.connect(tmp_path / FILE_NAME).execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("theirs",)]


@pytest.mark.parametrize("content", [b"this is no database, but it is long enough to look like one" * 20])
def test_a_file_that_is_no_database_is_refused(tmp_path, content):
    (tmp_path / FILE_NAME).write_bytes(content)
    with pytest.raises(NotAMemoryError, match="not a readable SQLite database"):
        SqliteStore.open(tmp_path)


def test_a_file_in_the_place_of_the_directory(tmp_path):
    (tmp_path / "memory").write_text("a file")
    with pytest.raises(StoreError, match="expected a directory"):
        SqliteStore.open(tmp_path / "memory", create=True)


def test_a_writer_killed_in_the_middle_loses_only_its_open_frame(tmp_path):
    script = textwrap.dedent(
        f"""
        import os, signal
        from pathlib import Path
        from recall4d.store.conformance import frame, observation
        from recall4d.store.sqlite import SqliteStore

        store = SqliteStore.open(Path({str(tmp_path)!r}), create=True)
        for stamp in range(5):
            with store.writing() as writer:
                writer.add_frame(frame(stamp), [(observation(stamp), "cup-1")])
        with store.writing() as writer:
            writer.add_frame(frame(5), [(observation(5), "cup-1")])
            os.kill(os.getpid(), signal.SIGKILL)
        """
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9
    store = SqliteStore.open(tmp_path)
    assert [each.stamp_ns for each in store.frames()] == [0, 1, 2, 3, 4]
    assert len(store.observations()) == 5


def test_readers_read_while_a_writer_writes(tmp_path):
    writer_store, reader = (SqliteStore.open(tmp_path, create=True) for _ in range(2))

    with writer_store.writing() as writer:
        writer.add_frame(frame(1), [])
        assert reader.frames() == []
    assert len(reader.frames()) == 1
