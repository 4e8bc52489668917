"""The tables of a memory, and what opening one checks."""

from __future__ import annotations

import sqlite3
import time

from recall4d.errors import NotAMemoryError, SchemaMismatchError

SCHEMA_VERSION = 4

APPLICATION_ID = 0x5234_4434
"""Marks the file as ours ("R4D4"), so that a foreign database is refused rather than written to."""

WAL_TIMEOUT_S = 5.0
"""How long a new file may be kept from WAL by others who make the same memory."""

TABLES = """
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS frames (
    frame_id INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    stamp_ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    world_from_camera BLOB NOT NULL,  -- 16 float64, row-major
    intrinsics TEXT NOT NULL,         -- [width, height, fx, fy, cx, cy]
    image TEXT,                       -- path of the kept keyframe inside the directory
    depth BLOB,                       -- small copy of what was measured, see geometry.depth.pack_depth
    UNIQUE (agent, stamp_ns)
);

CREATE TABLE IF NOT EXISTS texts (
    text TEXT PRIMARY KEY,
    slot INTEGER NOT NULL,            -- of the vector file; below 0, the rowid in new_vectors times -1
    crc INTEGER                       -- of what lies in the slot
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS new_vectors (text TEXT NOT NULL, vector BLOB NOT NULL);  -- float16, unit length

-- Facts: appended, never edited, but for entry_id, which is a conclusion.
CREATE TABLE IF NOT EXISTS observations (
    frame_id INTEGER NOT NULL REFERENCES frames,
    idx INTEGER NOT NULL,
    entry_id TEXT NOT NULL,
    category TEXT,
    description TEXT NOT NULL,
    attributes TEXT NOT NULL,         -- JSON
    kind TEXT NOT NULL,
    score REAL NOT NULL,
    surface_centroid_camera BLOB NOT NULL,  -- 3 float64
    hull_camera BLOB NOT NULL,        -- 26 x 3 float32
    n_points INTEGER NOT NULL,
    distance_m REAL NOT NULL,
    occluded INTEGER NOT NULL,
    truncated INTEGER NOT NULL,
    rectangle TEXT NOT NULL,          -- [top, left, bottom, right]
    PRIMARY KEY (frame_id, idx)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS observations_by_entry ON observations (entry_id);

-- Conclusions: folded from observations, and can be folded again.
-- Facts as well: what was seen and not measured.
CREATE TABLE IF NOT EXISTS glimpses (
    frame_id INTEGER NOT NULL REFERENCES frames,
    category TEXT,
    description TEXT,
    rectangle TEXT NOT NULL           -- [top, left, bottom, right], pixels
);

CREATE TABLE IF NOT EXISTS entries (
    entry_id TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL,        -- grows with every write; readers ask for what is newer than they know
    retired_into TEXT,                -- the entry it turned out to be
    body BLOB NOT NULL                -- see entry_json
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entries_by_sequence ON entries (sequence);

CREATE TABLE IF NOT EXISTS revisions (
    revision_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,               -- merged, split
    entry_id TEXT NOT NULL,
    other_id TEXT NOT NULL,
    description TEXT NOT NULL,
    at_ns INTEGER NOT NULL,
    agent TEXT
);

CREATE TABLE IF NOT EXISTS verdicts (
    text TEXT NOT NULL,
    other TEXT NOT NULL,              -- the later one in the alphabet
    same INTEGER NOT NULL,
    PRIMARY KEY (text, other)
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS skips (
    agent TEXT NOT NULL,
    stamp_ns INTEGER NOT NULL,
    number INTEGER NOT NULL,
    reason TEXT NOT NULL,
    PRIMARY KEY (agent, stamp_ns, number)
) WITHOUT ROWID;
"""


def is_blank(connection: sqlite3.Connection) -> bool:
    """Whether the database holds nothing at all: just made, or an empty file."""
    return bool(connection.execute("SELECT count(*) = 0 FROM sqlite_master").fetchone()[0])


def create_tables(connection: sqlite3.Connection) -> None:
    """Lay out an empty memory, in one transaction. What another process laid out meanwhile is left as it is."""
    _use_wal(connection)
    connection.executescript(
        f"BEGIN IMMEDIATE; {TABLES} PRAGMA application_id = {APPLICATION_ID};"
        f" PRAGMA user_version = {SCHEMA_VERSION}; COMMIT;"
    )


def _use_wal(connection: sqlite3.Connection) -> None:
    """Switch a new file to WAL. SQLite never waits here for others who do the same, whatever the busy timeout."""
    deadline_s = time.monotonic() + WAL_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline_s:
                raise
            time.sleep(0.005)


def check_tables(connection: sqlite3.Connection, path: str) -> None:
    """Refuse what this version cannot read.

    Raises:
        NotAMemoryError: the file is a database of something else.
        SchemaMismatchError: another version of recall4d wrote it.
    """
    if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise NotAMemoryError(f"{path} is a database, but not a recall4d memory")
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found != SCHEMA_VERSION:
        raise SchemaMismatchError(
            f"{path} has schema {found}, this recall4d reads schema {SCHEMA_VERSION}: "
            + ("update recall4d" if found > SCHEMA_VERSION else "ingest the recording into a new memory")
        )
