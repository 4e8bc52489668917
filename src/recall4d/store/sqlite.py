"""The default store: one SQLite file in WAL mode inside the memory's directory.

One process writes at a time and any number read meanwhile, from other processes too. A transaction is a frame:
committed whole or not at all, and on disk when it is committed. SQLite's locks need a local disk: not NFS.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recall4d.errors import NotAMemoryError, StoreError
from recall4d.geometry.camera import Intrinsics
from recall4d.ports import Changes, StoredFrame, StoredObservation
from recall4d.records import Description, Entry, Glimpse, Observation, Revision
from recall4d.store.entry_json import entry_from_bytes, entry_to_bytes
from recall4d.store.schema import check_tables, create_tables, is_blank
from recall4d.store.vector_file import KEPT_AS, VectorFile, vector_file_name

FILE_NAME = "memory.sqlite"

BUSY_TIMEOUT_S = 300.0
"""How long a writer waits for another one before it gives up: a rebuild of a large memory is one transaction."""


FOLD_AT = 4096
"""So many embeddings lie in the database before they move into their file."""

VECTORS_REPLACED = "vectors_replaced"
"""Fact: how often all embeddings were replaced; it numbers the vector file."""

DIMENSION = "vector_dimension"
"""Fact: the length of the embeddings in the vector file."""

REASSIGNED = "reassigned_at"
"""Fact: the `sequence` at which everything was last concluded anew."""


class SqliteStore:
    """A store in `directory`/memory.sqlite; see `ports.Store`."""

    def __init__(self, connection: sqlite3.Connection, directory: Path) -> None:
        self.directory = directory
        self._file = directory / FILE_NAME
        self._connection = connection
        self._vector_files: dict[str, VectorFile] = {}
        self._n_without_slot = 0

    @classmethod
    def open(cls, directory: Path, create: bool = False) -> SqliteStore:
        """Open the memory in `directory`, or lay out a new one there.

        Raises:
            NotAMemoryError: there is none and `create` is False, or the file is something else.
            SchemaMismatchError: another version of recall4d wrote it.
            StoreError: the file cannot be opened.
        """
        path = directory / FILE_NAME
        if create:
            _make_directory(directory)
        elif not path.exists():
            raise _no_memory(directory)
        with _refusals(path):
            connection = sqlite3.connect(
                _uri(path), timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False, uri=True
            )
            try:
                # Nothing is written to a file before it is known to be ours.
                if is_blank(connection):
                    if not create:
                        raise _no_memory(directory)
                    create_tables(connection)
                check_tables(connection, str(path))
                connection.execute("PRAGMA synchronous = FULL")
                connection.execute("PRAGMA foreign_keys = ON")
            except BaseException:
                connection.close()
                raise
        return cls(connection, directory)

    def fact(self, name: str) -> str | None:
        """See `ports.Store`."""
        rows = self._rows("SELECT value FROM facts WHERE name = ?", (name,))
        return str(rows[0][0]) if rows else None

    def set_fact(self, name: str, value: str) -> None:
        """See `ports.Store`."""
        with self.writing() as writer:
            writer.set_fact(name, value)

    @contextmanager
    def writing(self) -> Iterator[SqliteWriter]:
        """See `ports.Store`."""
        with _refusals(self._file):
            # Immediate: match and write must see the same entries, or two agents insert the same thing twice.
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                writer = SqliteWriter(self._connection)
                yield writer
                if self._n_without_slot + writer.n_texts >= FOLD_AT:
                    self._give_slots()
                    writer.n_texts = -self._n_without_slot
                self._connection.execute("COMMIT")
                self._n_without_slot += writer.n_texts
                if writer.n_replaced:
                    self._drop_old_vectors()
            except BaseException:
                # SQLite has rolled back by itself when the disk is full.
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def reading(self) -> Iterator[None]:
        """See `ports.Store`."""
        if self._connection.in_transaction:
            yield
            return
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    def version(self) -> tuple[int, int]:
        """See `ports.Store`."""
        # A rebuild writes entries, so that moved frames are noticed, too.
        ((frame_id, sequence),) = self._rows(
            "SELECT coalesce((SELECT max(frame_id) FROM frames), 0),"
            " coalesce((SELECT max(sequence) FROM entries), 0)"
        )
        return int(frame_id), int(sequence)

    def pulse(self) -> tuple[int, int]:
        """See `ports.Store`."""
        # The first counts other connections' commits, the second what this one has written.
        ((others,),) = self._rows("PRAGMA data_version")
        return int(others), self._connection.total_changes

    def fingerprint(self) -> str:
        """See `ports.FilesVectors`."""
        version = self.version()
        latest = self._rows("SELECT agent, stamp_ns, world_from_camera FROM frames WHERE frame_id = ?", version[:1])
        written = self._rows(
            "SELECT entry_id, retired_into, body FROM entries WHERE sequence = ? ORDER BY entry_id LIMIT 64",
            version[1:],
        )
        return blake2b(repr((version, latest, written)).encode(), digest_size=16).hexdigest()

    def changes(self, since: int = 0) -> Changes:
        """See `ports.Store`."""
        with _refusals(self._file):
            return _changes(self._connection, since)

    def stamps(self, agent: str) -> set[int]:
        """See `ports.Store`."""
        return {stamp for (stamp,) in self._rows("SELECT stamp_ns FROM frames WHERE agent = ?", (agent,))}

    def frames(self, since: int = 0) -> list[StoredFrame]:
        """See `ports.Store`."""
        rows = self._rows(
            "SELECT agent, stamp_ns, number, world_from_camera, intrinsics, image FROM frames"
            " WHERE frame_id > ? ORDER BY stamp_ns, agent",
            (since,),
        )
        return [
            StoredFrame(agent, stamp_ns, number, _pose(pose), Intrinsics(*json.loads(intrinsics)), image)
            for agent, stamp_ns, number, pose, intrinsics, image in rows
        ]

    def depth(self, agent: str, stamp_ns: int) -> bytes | None:
        """See `ports.Store`."""
        rows = self._rows("SELECT depth FROM frames WHERE agent = ? AND stamp_ns = ?", (agent, stamp_ns))
        return rows[0][0] if rows else None

    def sighted(self, since: int = 0) -> list[tuple[str, str, int]]:
        """See `ports.Store`."""
        return self._rows(
            "SELECT entry_id, agent, stamp_ns FROM observations JOIN frames USING (frame_id)"
            " WHERE frame_id > ? ORDER BY stamp_ns, agent",
            (since,),
        )

    def glimpses(self, since: int = 0) -> list[Glimpse]:
        """See `ports.Store`."""
        rows = self._rows(
            "SELECT agent, stamp_ns, category, description, rectangle FROM glimpses JOIN frames USING (frame_id)"
            " WHERE frame_id > ? ORDER BY stamp_ns, agent, glimpses.rowid",
            (since,),
        )
        return [
            Glimpse(agent, stamp_ns, category, description, tuple(json.loads(rectangle)))
            for agent, stamp_ns, category, description, rectangle in rows
        ]

    def observations(
        self, until_ns: int | None = None, entry_ids: Iterable[str] | None = None, since: int = 0
    ) -> list[StoredObservation]:
        """See `ports.Store`."""
        where, values = ["observations.frame_id > ?"], list[object]([since])
        if until_ns is not None:
            where.append("frames.stamp_ns <= ?")
            values.append(until_ns)
        if entry_ids is not None:
            where.append("entry_id IN (SELECT value FROM json_each(?))")
            values.append(json.dumps(list(entry_ids)))
        rows = self._rows(
            "SELECT agent, stamp_ns, world_from_camera, idx, entry_id, category, description, attributes, kind,"
            " score, surface_centroid_camera, hull_camera, n_points, distance_m, occluded, truncated, rectangle"
            f" FROM observations JOIN frames USING (frame_id) WHERE {' AND '.join(where)}"
            " ORDER BY stamp_ns, agent, idx",
            values,
        )
        return [_stored_observation(row) for row in rows]

    def vectors(self, texts: Iterable[str]) -> dict[str, NDArray[np.float32]]:
        """See `ports.Store`."""
        rows = self._rows(
            "SELECT text, slot, crc FROM texts WHERE text IN (SELECT value FROM json_each(?))",
            (json.dumps(list(texts)),),
        )
        found: dict[str, NDArray[np.float32]] = {}
        filed = [row for row in rows if row[1] >= 0]
        if len(filed) < len(rows):
            new = self._rows(
                "SELECT text, vector FROM new_vectors WHERE rowid IN (SELECT value FROM json_each(?))",
                (json.dumps([-slot for _, slot, _ in rows if slot < 0]),),
            )
            found |= {text: np.frombuffer(vector, dtype=KEPT_AS).astype(np.float32) for text, vector in new}
        if filed:
            names, slots, crcs = zip(*filed, strict=True)
            file = self._vector_file()
            for text, vector in zip(names, file.at(slots, crcs, self._dimension()), strict=True):
                if vector is None:
                    raise StoreError(
                        f"{file.path} does not hold the embedding of {text!r} that was committed: "
                        "bring the file back from a copy, or ingest the recordings again"
                    )
                found[text] = vector.astype(np.float32)
        return found

    def vector_slots(self, texts: Sequence[str]) -> tuple[NDArray[np.float16], NDArray[np.int64]]:
        """See `ports.FilesVectors`."""
        if self._rows("SELECT 1 FROM new_vectors LIMIT 1"):
            if self._connection.in_transaction:
                raise StoreError("embeddings get their slots between transactions, not within one")
            self._n_without_slot = FOLD_AT
            with self.writing():
                pass
        slot_of = dict(self._rows("SELECT text, slot FROM texts WHERE slot >= 0"))
        slots = np.array([slot_of[text] for text in texts], dtype=np.int64)
        return self.filed_vectors(), slots

    def filed_vectors(self) -> NDArray[np.float16]:
        """See `ports.FilesVectors`."""
        return self._vector_file().all(self._dimension())

    def _vector_file(self) -> VectorFile:
        """The file that the embeddings in use lie in; others take its place when all are replaced."""
        name = vector_file_name(int(self.fact(VECTORS_REPLACED) or 0))
        if name not in self._vector_files:
            self._vector_files = {name: VectorFile(self.directory / name)}
        return self._vector_files[name]

    def _drop_old_vectors(self) -> None:
        current = self._vector_file().path
        for path in self.directory.glob(vector_file_name("*")):
            if path != current:
                with suppress(OSError):
                    path.unlink()

    def _dimension(self) -> int:
        """Length of the vectors in the file; 1 while there are none."""
        return int(self.fact(DIMENSION) or 1)

    def _give_slots(self) -> None:
        """Move the vectors of a transaction, and of those before, from the database into their file."""
        rows = self._connection.execute("SELECT text, vector FROM new_vectors ORDER BY rowid").fetchall()
        known = self._connection.execute("SELECT value FROM facts WHERE name = ?", (DIMENSION,)).fetchone()
        if not rows:
            return
        length = int(known[0]) * KEPT_AS.itemsize if known else len(rows[0][1])
        if any(len(vector) != length for _, vector in rows):
            raise StoreError(
                f"expected embeddings of {length // KEPT_AS.itemsize} numbers, as the others in this memory have"
            )
        if known is None:
            self._connection.execute(
                "INSERT INTO facts VALUES (?, ?)", (DIMENSION, str(length // KEPT_AS.itemsize))
            )
        vectors = np.frombuffer(b"".join(vector for _, vector in rows), dtype=KEPT_AS).reshape(len(rows), -1)
        try:
            first, crcs = self._vector_file().append(vectors)
        except OSError as error:
            raise StoreError(f"{self._vector_file().path} refused: {error.strerror or error}") from error
        self._connection.executemany(
            "UPDATE texts SET slot = ?, crc = ? WHERE text = ?",
            [(first + row, crc, text) for row, (crc, (text, _)) in enumerate(zip(crcs, rows, strict=True))],
        )
        self._connection.execute("DELETE FROM new_vectors")

    def verdicts(self) -> dict[tuple[str, str], bool]:
        """See `ports.Store`."""
        return {(text, other): bool(same) for text, other, same in self._rows("SELECT * FROM verdicts")}

    def revisions(self) -> list[Revision]:
        """See `ports.Store`."""
        rows = self._rows(
            "SELECT kind, entry_id, other_id, description, at_ns, agent FROM revisions ORDER BY revision_id"
        )
        return [Revision(*row) for row in rows]

    def add_skips(self, agent: str, skips: Iterable[tuple[int, int, str]]) -> None:
        """See `ports.Store`."""
        with self.writing() as writer:
            writer.add_skips(agent, skips)

    def skipped(self) -> list[tuple[str, int, int, str]]:
        """See `ports.Store`."""
        return self._rows("SELECT agent, stamp_ns, number, reason FROM skips ORDER BY stamp_ns, agent, number")

    def skips(self) -> dict[str, dict[str, int]]:
        """See `ports.Store`."""
        counts: dict[str, dict[str, int]] = {}
        for agent, reason, count in self._rows(
            "SELECT agent, reason, count(*) FROM skips GROUP BY agent, reason ORDER BY agent, reason"
        ):
            counts.setdefault(agent, {})[reason] = count
        return counts

    def close(self) -> None:
        """See `ports.Store`."""
        self._connection.close()

    def _rows(self, statement: str, values: Sequence[object] = ()) -> list[Any]:
        with _refusals(self._file):
            return self._connection.execute(statement, values).fetchall()


class SqliteWriter:
    """One transaction; see `ports.StoreWriter`.

    Attributes:
        n_texts: how many embeddings it added.
        n_replaced: how often it replaced all embeddings.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.n_texts = 0
        self.n_replaced = 0
        row = connection.execute("SELECT coalesce(max(sequence), 0) + 1 FROM entries").fetchone()
        self.sequence = int(row[0])

    def changes(self, since: int) -> Changes:
        """See `ports.StoreWriter`."""
        return _changes(self._connection, since)

    def holds(self, agent: str, stamp_ns: int) -> bool:
        """See `ports.StoreWriter`."""
        found = self._connection.execute(
            "SELECT 1 FROM frames WHERE agent = ? AND stamp_ns = ?", (agent, stamp_ns)
        ).fetchone()
        return found is not None

    def add_frame(
        self,
        frame: StoredFrame,
        observations: Sequence[tuple[Observation, str]],
        glimpses: Sequence[Glimpse] = (),
    ) -> bool:
        """See `ports.StoreWriter`."""
        camera = frame.intrinsics
        cursor = self._connection.execute(
            "INSERT OR IGNORE INTO frames (agent, stamp_ns, number, world_from_camera, intrinsics, image, depth)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                frame.agent,
                frame.stamp_ns,
                frame.number,
                frame.world_from_camera.astype(np.float64).tobytes(),
                json.dumps([camera.width, camera.height, camera.fx, camera.fy, camera.cx, camera.cy]),
                frame.image,
                frame.depth,
            ),
        )
        if cursor.rowcount == 0:
            return False
        frame_id = cursor.lastrowid
        self._connection.executemany(
            f"INSERT INTO observations VALUES ({', '.join('?' * 15)})",
            [(frame_id, *_observation_row(observation, entry_id)) for observation, entry_id in observations],
        )
        self._connection.executemany(
            "INSERT INTO glimpses VALUES (?, ?, ?, ?)",
            [(frame_id, each.category, each.description, json.dumps(each.rectangle)) for each in glimpses],
        )
        self._connection.execute(
            "DELETE FROM skips WHERE agent = ? AND stamp_ns = ?", (frame.agent, frame.stamp_ns)
        )
        return True

    def add_skips(self, agent: str, skips: Iterable[tuple[int, int, str]]) -> None:
        """See `ports.StoreWriter`."""
        self._connection.executemany(
            "INSERT OR REPLACE INTO skips VALUES (?, ?, ?, ?)", [(agent, *skip) for skip in skips]
        )

    def add_texts(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """See `ports.StoreWriter`."""
        for text, vector in vectors.items():
            known = self._connection.execute("SELECT 1 FROM texts WHERE text = ?", (text,)).fetchone()
            if known is None:
                row = (text, vector.astype(KEPT_AS).tobytes())
                at = self._connection.execute("INSERT INTO new_vectors VALUES (?, ?)", row).lastrowid or 0
                self._connection.execute("INSERT INTO texts (text, slot) VALUES (?, ?)", (text, -at))
                self.n_texts += 1

    def replace_texts(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """See `ports.StoreWriter`."""
        for table in ("texts", "new_vectors"):
            self._connection.execute(f"DELETE FROM {table}")
        # Slots are never written twice: other embeddings lie in another file, perhaps of other lengths.
        self._connection.execute("DELETE FROM facts WHERE name = ?", (DIMENSION,))
        self._connection.execute(
            "INSERT INTO facts VALUES (?, '1') ON CONFLICT (name) DO UPDATE SET value = value + 1",
            (VECTORS_REPLACED,),
        )
        self.n_replaced += 1
        self.add_texts(vectors)

    def add_verdicts(self, verdicts: Mapping[tuple[str, str], bool]) -> None:
        """See `ports.StoreWriter`."""
        self._connection.executemany(
            "INSERT OR IGNORE INTO verdicts VALUES (?, ?, ?)",
            [(*pair, int(same)) for pair, same in verdicts.items()],
        )

    def put_entries(self, entries: Iterable[Entry]) -> None:
        """See `ports.StoreWriter`."""
        self._connection.executemany(
            "INSERT INTO entries (entry_id, sequence, body) VALUES (?, ?, ?) ON CONFLICT (entry_id)"
            " DO UPDATE SET sequence = excluded.sequence, body = excluded.body, retired_into = NULL",
            [(entry.entry_id, self.sequence, entry_to_bytes(entry)) for entry in entries],
        )

    def retire(self, entry_id: str, into: str) -> None:
        """See `ports.StoreWriter`."""
        self._connection.execute("UPDATE observations SET entry_id = ? WHERE entry_id = ?", (into, entry_id))
        self._connection.execute(
            "UPDATE entries SET retired_into = ?1, sequence = ?2 WHERE entry_id = ?3 OR retired_into = ?3",
            (into, self.sequence, entry_id),
        )

    def add_revisions(self, revisions: Iterable[Revision]) -> None:
        """See `ports.StoreWriter`."""
        self._connection.executemany(
            "INSERT INTO revisions (kind, entry_id, other_id, description, at_ns, agent) VALUES (?, ?, ?, ?, ?, ?)",
            [astuple(revision) for revision in revisions],
        )

    def reassign(self, entry_ids: Mapping[tuple[str, int, int], str]) -> None:
        """See `ports.StoreWriter`."""
        self._connection.executemany(
            "UPDATE observations SET entry_id = ?4 WHERE idx = ?3 AND frame_id ="
            " (SELECT frame_id FROM frames WHERE agent = ?1 AND stamp_ns = ?2)",
            [(*name, entry_id) for name, entry_id in entry_ids.items()],
        )
        self._connection.execute(
            "UPDATE entries SET retired_into = '', sequence = ? WHERE retired_into IS NULL", (self.sequence,)
        )
        self.set_fact(REASSIGNED, str(self.sequence))

    def move_frames(self, poses: Mapping[tuple[str, int], NDArray[np.float64]]) -> int:
        """See `ports.StoreWriter`."""
        cursor = self._connection.executemany(
            "UPDATE frames SET world_from_camera = ?3 WHERE agent = ?1 AND stamp_ns = ?2",
            [(*name, pose.astype(np.float64).tobytes()) for name, pose in poses.items()],
        )
        return cursor.rowcount

    def set_fact(self, name: str, value: str) -> None:
        """See `ports.StoreWriter`."""
        self._connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (name, value))


@contextmanager
def _refusals(path: Path) -> Iterator[None]:
    """Say what SQLite and the disk refuse in the words of this package."""
    try:
        yield
    except sqlite3.OperationalError as error:
        busy = "locked" in str(error) or "busy" in str(error)
        hint = (
            f"another process has been writing to it for more than {BUSY_TIMEOUT_S:.0f} s" if busy else str(error)
        )
        raise StoreError(f"{path} refused: {hint}") from error
    except sqlite3.DatabaseError as error:
        raise NotAMemoryError(f"{path} is not a readable SQLite database ({error})") from error


def _make_directory(directory: Path) -> None:
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise StoreError(f"{directory} is a file, expected a directory for the memory") from error
    except OSError as error:
        raise StoreError(f"{directory} cannot be made: {error.strerror or error}") from error


def _uri(path: Path) -> str:
    """How SQLite is to open the file: for reading alone where the directory cannot be written to."""
    if os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK)):
        return path.resolve().as_uri()
    # Readers of a WAL keep their index in a file beside it. Where they cannot, and nobody writes, none is needed.
    at_rest = not path.with_name(f"{FILE_NAME}-wal").exists()
    return f"{path.resolve().as_uri()}?mode=ro" + ("&immutable=1" if at_rest else "")


def _no_memory(directory: Path) -> NotAMemoryError:
    return NotAMemoryError(f"no memory in {directory}: expected {FILE_NAME}; make one with `recall4d ingest`")


def _changes(connection: sqlite3.Connection, since: int) -> Changes:
    rows = connection.execute(
        "SELECT entry_id, sequence, retired_into, body FROM entries WHERE sequence > ? ORDER BY sequence, entry_id",
        (since,),
    ).fetchall()
    reassigned = connection.execute("SELECT value FROM facts WHERE name = ?", (REASSIGNED,)).fetchone()
    return Changes(
        entries=[entry_from_bytes(entry_id, body) for entry_id, _, retired, body in rows if retired is None],
        retired={entry_id: retired for entry_id, _, retired, _ in rows if retired is not None},
        sequence=max((sequence for _, sequence, _, _ in rows), default=since),
        reassigned=reassigned is not None and int(reassigned[0]) > since,
    )


def _pose(blob: bytes) -> NDArray[np.float64]:
    return np.frombuffer(blob, dtype=np.float64).reshape(4, 4)


def _observation_row(observation: Observation, entry_id: str) -> tuple[object, ...]:
    return (
        observation.index,
        entry_id,
        observation.category,
        observation.description.text,
        json.dumps(observation.description.attributes, ensure_ascii=False),
        observation.kind,
        observation.score,
        observation.surface_centroid_camera.astype(np.float64).tobytes(),
        observation.hull_camera.astype(np.float32).tobytes(),
        observation.n_points,
        observation.distance_m,
        int(observation.occluded),
        int(observation.truncated),
        json.dumps(observation.rectangle),
    )


def _stored_observation(row: tuple[Any, ...]) -> StoredObservation:
    (agent, stamp_ns, pose, index, entry_id, category, text, attributes, kind, score,
     centroid, hull, n_points, distance_m, occluded, truncated, rectangle) = row  # fmt: skip
    observation = Observation(
        agent=agent,
        stamp_ns=stamp_ns,
        index=index,
        category=category,
        description=Description(text, json.loads(attributes)),
        kind=kind,
        score=score,
        surface_centroid_camera=np.frombuffer(centroid, dtype=np.float64),
        hull_camera=np.frombuffer(hull, dtype=np.float32).reshape(-1, 3),
        n_points=n_points,
        distance_m=distance_m,
        occluded=bool(occluded),
        truncated=bool(truncated),
        rectangle=tuple(json.loads(rectangle)),
    )
    return StoredObservation(observation, _pose(pose), entry_id)
