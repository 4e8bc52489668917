"""Bad input: a clear sentence, the exit status that docs/contracts.md names, and nothing already stored is lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

WORDS, INPUT, STORE = 2, 3, 5


def told(ended, code, *words):
    """A call that was refused: one sentence on standard error, nothing on standard output."""
    assert ended.code == code, ended.err or ended.out
    assert ended.out == ""
    assert "Traceback" not in ended.err
    for word in words:
        assert word in ended.err
    return ended.err


def listed(recall4d, memory):
    ended = recall4d("entries", memory, "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)


# --- the words of a call ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["nonsense"], "No such command"),
        (["ask"], "Missing argument"),
        (["ask", "{memory}"], "give a question or --file, one of the two"),
        (["ask", "{memory}", "where?", "--file", "x"], "give a question or --file, one of the two"),
        (["ask", "{memory}", "where?", "--now", "yesterday"], "cannot read the instant 'yesterday'"),
        (["ask", "{memory}", "where?", "--now", "2026-01-01T00:00:00"], "has no time zone"),
        (["ask", "{memory}", "where?", "--now", "9" * 30], "146 years"),
        (["ask", "{memory}", "where?", "--as-of", "-" + "9" * 30], "146 years"),
        (["ask", "{memory}", "where?", "--agent", "zulu"], "no agent 'zulu'"),
        (["entries", "{memory}", "--now", "nans"], "cannot read the instant"),
        (["ask", "{memory}", "--file", "{questions}"], "146 years"),
        (["query", "{memory}"], "a query needs a key"),
        (["query", "{memory}", "--near", "1,2"], "expected three numbers"),
        (["query", "{memory}", "--near", "nan,0,0"], "finite"),
        (["query", "{memory}", "--near", "0,inf,0"], "finite"),
        (["query", "{memory}", "--near", "0,0,0", "--radius", "-1"], "--radius"),
        (["query", "{memory}", "--near", "0,0,0", "--radius", "nan"], "distance_m"),
        (["query", "{memory}", "--near", "0,0,0", "--radius", "1e9"], "distance_m"),
        (["query", "{memory}", "--semantic", "bed", "--limit", "0"], "--limit"),
        (["query", "{memory}", "--semantic", "bed", "--limit", "100000"], "limit"),
        (["query", "{memory}", "bed", "--near", "0,0,0"], "expected a step such as"),
        (["query", "{memory}", 'x: "bed"; on tabel'], "line 1, column 14: expected an earlier step"),
        (["regions", "{memory}", "--add", "nook"], "--corners"),
        (["regions", "{memory}", "--add", "nook", "--corners", "0,0 1,1"], "at least three corners"),
        (["regions", "{memory}", "--remove", "nook"], "no region is called 'nook'"),
        (["query", "{memory}", "--between", "0s", "soon"], "cannot read the instant 'soon'"),
        (["query", "{memory}", "--between", "0s", "9" * 25], "146 years"),
        (["diff", "{memory}", "--from", "once"], "cannot read the instant 'once'"),
        (["align", "{memory}", "--agent", "house"], "--agent and --world-from-map go together"),
        (["align", "{memory}", "--agent", "zulu", "--world-from-map", ",".join("1" * 16)], "zulu"),
        (["align", "{memory}", "--agent", "house", "--world-from-map", "1,2,3"], "expected 16 numbers"),
        (["reanchor", "{memory}", "--poses", "{recording}/poses.csv", "--agent", "zulu"], "no agent 'zulu'"),
        (["merge", "{memory}", "{memory}"], "name another one"),
        (["reindex", "{memory}", "--embedder", "magic"], "unknown embedder 'magic'"),
        (["reindex", "{memory}"], "--embedder"),
        (["ingest", "{recording}"], "--memory"),
        (["ingest", "{recording}", "--memory", "{memory}", "--segmenter", "magic"], "unknown segmenter 'magic'"),
        (["ingest", "{recording}", "--memory", "{memory}", "--describer", "bard"], "unknown describer 'bard'"),
        (["ingest", "{recording}", "--memory", "{memory}", "--mapper", "magic"], "unknown mapper 'magic'"),
        (
            ["ingest", "{recording}", "--memory", "{memory}", "--segmenter", "sam2"],
            "the segmenter 'sam2' needs a model",
        ),
        (
            ["ingest", "{recording}", "--memory", "{memory}", "--describer", "chat"],
            "the describer 'chat' needs a model",
        ),
        (["ingest", "{recording}", "--memory", "{memory}", "--embedder", "magic"], "unknown embedder 'magic'"),
        (["ingest", "{recording}", "--memory", "{memory}", "--stride", "0"], "--stride"),
        (["ingest", "{recording}", "--memory", "{memory}", "--format", "vhs"], "unknown recording format 'vhs'"),
        (["doctor", "{recording}", "--format", "vhs"], "unknown recording format 'vhs'"),
        (["ingest", "{recording}", "--memory", "{memory}", "--depth-unit", "nan"], "positive depth unit"),
        (["ingest", "{recording}", "--memory", "{memory}", "--rate", "-1"], "positive rate"),
        (["ingest", "{recording}", "--memory", "{memory}", "--keep-frames", "-1"], "--keep-frames"),
        (["ingest", "{recording}", "--memory", "{memory}", "--agent", ""], "cannot be empty"),
        (["ingest", "{recording}", "--memory", "{memory}", "--agent", "  "], "cannot be empty"),
        (["ingest", "{recording}", "--memory", "{memory}", "--min-pose-confidence", "2"], "--min-pose-confidence"),
        (["ingest", "{recording}", "--memory", "{memory}", "--doubtful-below", "2"], "--doubtful-below"),
        (
            ["ingest", "{recording}", "--memory", "{memory}", "--doubtful-below", "0.2"],
            "other association settings",
        ),
        (["ingest", "{recording}", "--memory", "{memory}", "--judge", "oracle:x"], "unknown model"),
        (["show", "{memory}", "--out", "{questions}"], "cannot write to"),
        (["doctor", "{recording}", "--up-axis", "sideways"], "--up-axis"),
    ],
)
def test_words_that_are_off_end_with_2(recall4d, ingested, short_recording, tmp_path, arguments, says):
    questions = tmp_path / "questions.json"
    questions.write_text('[{"question": "where?", "now_s": 1e30}]')
    before = listed(recall4d, ingested)
    call = [each.format(memory=ingested, recording=short_recording, questions=questions) for each in arguments]
    told(recall4d(*call), WORDS, says)
    assert listed(recall4d, ingested) == before


# --- recordings ------------------------------------------------------------------------------------------------


def missing(recording: Path) -> None:
    shutil.rmtree(recording)


def empty(recording: Path) -> None:
    missing(recording)
    recording.mkdir()


def foreign(recording: Path) -> None:
    empty(recording)
    (recording / "letter.txt").write_text("dear madam")


def a_file(recording: Path) -> None:
    missing(recording)
    recording.write_bytes(b"\x00\x01\x02")


def without_poses(recording: Path) -> None:
    (recording / "poses.csv").unlink()


def empty_poses(recording: Path) -> None:
    (recording / "poses.csv").write_bytes(b"")


def binary_poses(recording: Path) -> None:
    (recording / "poses.csv").write_bytes(b"\xff\xfe\x00\x00" * 50)


def truncated_intrinsics(recording: Path) -> None:
    path = recording / "intrinsics.json"
    path.write_text(path.read_text()[:20])


def intrinsics_of_nothing(recording: Path) -> None:
    (recording / "intrinsics.json").write_text('{"width": 0, "height": -1, "fx": 0, "fy": 1, "cx": 0, "cy": 0}')


def truncated_objects(recording: Path) -> None:
    path = recording / "objects.json"
    path.write_text(path.read_text()[:100])


RECORDINGS = [
    missing, empty, foreign, a_file, without_poses, empty_poses, binary_poses, truncated_intrinsics,
    intrinsics_of_nothing, truncated_objects,
]  # fmt: skip


@pytest.mark.parametrize("spoil", RECORDINGS)
def test_a_recording_that_cannot_be_read_ends_with_3(recall4d, recording, memory, spoil):
    before = listed(recall4d, memory)
    spoil(recording)
    told(recall4d("ingest", recording, "--memory", memory, "--json"), INPUT, str(recording.name))
    told(recall4d("doctor", recording, "--json"), INPUT, str(recording.name))
    assert listed(recall4d, memory) == before


@pytest.mark.parametrize("spoil", RECORDINGS)
def test_a_recording_that_cannot_be_read_leaves_no_memory_behind(recall4d, recording, tmp_path, spoil):
    spoil(recording)
    told(recall4d("ingest", recording, "--memory", tmp_path / "new"), INPUT)
    assert not (tmp_path / "new").exists()


def image(recording: Path, kind: str, number: int) -> Path:
    (path,) = (recording / kind).glob(f"{number:06d}.*")
    return path


def with_poses(recording: Path, value: str) -> None:
    """Put a value into the pose of frame 5."""
    path = recording / "poses.csv"
    heading, first, second, *others = path.read_text().splitlines()
    number, stamp_ns, _, *rest = second.split(",")
    path.write_text("\n".join([heading, first, ",".join([number, stamp_ns, value, *rest]), *others]) + "\n")


def nan_pose(recording: Path) -> None:
    with_poses(recording, "nan")


def inf_pose(recording: Path) -> None:
    with_poses(recording, "-inf")


def skewed_pose(recording: Path) -> None:
    with_poses(recording, "7.5")


def without_colour(recording: Path) -> None:
    image(recording, "color", 5).unlink()


def empty_colour(recording: Path) -> None:
    image(recording, "color", 5).write_bytes(b"")


def truncated_colour(recording: Path) -> None:
    path = image(recording, "color", 5)
    path.write_bytes(path.read_bytes()[:3000])


def foreign_colour(recording: Path) -> None:
    image(recording, "color", 5).write_text("dear madam")


def without_depth(recording: Path) -> None:
    image(recording, "depth", 5).unlink()


def blank_depth(recording: Path) -> None:
    rewrite(image(recording, "depth", 5), np.zeros_like)


def truncated_depth(recording: Path) -> None:
    path = image(recording, "depth", 5)
    path.write_bytes(path.read_bytes()[:3000])


def masks_of_another_size(recording: Path) -> None:
    rewrite(image(recording, "instance", 5), lambda ids: ids[::2, ::2])


def truncated_masks(recording: Path) -> None:
    path = image(recording, "instance", 5)
    path.write_bytes(path.read_bytes()[:500])


def rewrite(path: Path, change) -> None:
    with Image.open(path) as old:
        Image.fromarray(np.ascontiguousarray(change(np.asarray(old)))).save(path)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (nan_pose, "pose not finite"),
        (inf_pose, "pose not finite"),
        (skewed_pose, "pose not a rotation"),
        (without_colour, "colour image missing"),
        (empty_colour, "colour image unreadable"),
        (truncated_colour, "colour image unreadable"),
        (foreign_colour, "colour image unreadable"),
        (without_depth, "no depth"),
        (blank_depth, "no depth"),
        (truncated_depth, "depth image unreadable"),
        (masks_of_another_size, "mask size differs from colour image"),
        (truncated_masks, "mask image unreadable"),
    ],
)
def test_a_frame_that_cannot_be_used_is_counted_with_its_reason(recall4d, recording, tmp_path, spoil, reason):
    spoil(recording)
    ended = recall4d("ingest", recording, "--memory", tmp_path / "new", "--json")
    assert ended.code == 0, ended.err
    report = json.loads(ended.out)
    assert (report["frames_read"], report["frames_used"], report["skipped"]) == (15, 14, {reason: 1})
    stats = json.loads(recall4d("stats", tmp_path / "new", "--json").out)
    assert stats["skipped"] == {"house": {reason: 1}}


def test_a_pose_that_the_tracker_does_not_trust_writes_nothing(recall4d, recording, tmp_path):
    path = recording / "poses.csv"
    heading, first, second, *others = path.read_text().splitlines()
    path.write_text("\n".join([f"{heading},confidence", f"{first},0.9", f"{second},0.2", *others]) + "\n")
    report = json.loads(recall4d("ingest", recording, "--memory", tmp_path / "new", "--json").out)
    assert (report["frames_used"], report["skipped"]) == (14, {"pose not trusted": 1})
    trusting = ("--min-pose-confidence", "0.1")
    report = json.loads(recall4d("ingest", recording, "--memory", tmp_path / "all", *trusting, "--json").out)
    assert (report["frames_used"], report["skipped"]) == (15, {})


def test_a_confidence_that_is_none_makes_a_line_unreadable(recall4d, recording, tmp_path):
    path = recording / "poses.csv"
    heading, first, second, *others = path.read_text().splitlines()
    path.write_text("\n".join([f"{heading},confidence", f"{first},80", f"{second},nan", *others]) + "\n")
    ended = recall4d("ingest", recording, "--memory", tmp_path / "new", "--json")
    assert json.loads(ended.out)["frames_used"] == 13
    assert "2 lines of poses.csv cannot be read: left out" in json.loads(ended.out)["notes"]


def test_no_masks_in_a_frame_is_no_fault(recall4d, recording, tmp_path):
    rewrite(image(recording, "instance", 5), np.zeros_like)
    report = json.loads(recall4d("ingest", recording, "--memory", tmp_path / "new", "--json").out)
    assert (report["frames_used"], report["skipped"]) == (15, {})


def test_a_mended_recording_adds_what_was_missing(recall4d, recording, short_recording, tmp_path):
    truncated_colour(recording)
    recall4d("ingest", recording, "--memory", tmp_path / "new")
    shutil.copy(image(short_recording, "color", 5), recording / "color")
    report = json.loads(recall4d("ingest", recording, "--memory", tmp_path / "new", "--json").out)
    assert (report["frames_read"], report["frames_used"], report["skipped"]) == (1, 1, {})
    assert json.loads(recall4d("stats", tmp_path / "new", "--json").out)["skipped"] == {}


# --- memories --------------------------------------------------------------------------------------------------


def execute(memory: Path, statement: str) -> None:
    with sqlite3.connect(memory / "memory.sqlite") as connection:
        connection.execute(statement)
    connection.close()


def no_directory(memory: Path) -> None:
    shutil.rmtree(memory)


def no_memory(memory: Path) -> None:
    (memory / "memory.sqlite").unlink()


def empty_memory(memory: Path) -> None:
    (memory / "memory.sqlite").write_bytes(b"")


def no_database(memory: Path) -> None:
    (memory / "memory.sqlite").write_bytes(b"dear madam, " * 200)


def foreign_database(memory: Path) -> None:
    no_memory(memory)
    execute(memory, "CREATE TABLE theirs (x)")


def truncated_memory(memory: Path) -> None:
    path = memory / "memory.sqlite"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def newer_schema(memory: Path) -> None:
    execute(memory, "PRAGMA user_version = 99")


def a_file_for_a_memory(memory: Path) -> None:
    shutil.rmtree(memory)
    memory.write_text("dear madam")


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (no_directory, "no memory in"),
        (no_memory, "no memory in"),
        (empty_memory, "no memory in"),
        (no_database, "not a readable SQLite database"),
        (foreign_database, "not a recall4d memory"),
        (truncated_memory, "not a readable SQLite database"),
        (newer_schema, "schema 99"),
        (a_file_for_a_memory, "no memory in"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        ("ask", "{memory}", "where is the bed?"),
        ("query", "{memory}", "--semantic", "bed"),
        ("entries", "{memory}"),
        ("diff", "{memory}"),
        ("stats", "{memory}"),
        ("show", "{memory}"),
        ("align", "{memory}"),
        ("rebuild", "{memory}"),
        ("reindex", "{memory}", "--embedder", "wordllama"),
        ("reanchor", "{memory}", "--poses", "{recording}/poses.csv"),
        ("merge", "{memory}", "{other}"),
        ("merge", "{other}", "{memory}"),
    ],
    ids=lambda command: " ".join(command[:2]),
)
def test_what_is_no_memory_ends_with_5(recall4d, memory, ingested, short_recording, spoil, says, command):
    spoil(memory)
    before = sorted(memory.rglob("*"))
    call = [each.format(memory=memory, other=ingested, recording=short_recording) for each in command]
    told(recall4d(*call), STORE, says)
    assert sorted(memory.rglob("*")) == before


def test_a_memory_of_another_embedder_ends_with_5(recall4d, memory, ingested, short_recording):
    execute(memory, "UPDATE facts SET value = 'other (12)' WHERE name = 'embedder'")
    for call in (
        ("ask", memory, "where?"),
        ("ingest", short_recording, "--memory", memory),
        ("merge", ingested, memory),
    ):
        told(recall4d(*call), STORE, "embedder other (12)")


@pytest.mark.parametrize("spoil", [foreign_database, no_database, newer_schema, a_file_for_a_memory])
def test_ingest_never_writes_into_what_is_not_its_own(recall4d, memory, short_recording, spoil):
    spoil(memory)
    path = memory / "memory.sqlite" if memory.is_dir() else memory
    before = path.read_bytes()
    told(recall4d("ingest", short_recording, "--memory", memory), STORE)
    assert path.read_bytes() == before


# --- other files -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (None, "cannot read"),
        (b"", "not JSON"),
        (b"[", "not JSON"),
        (b"{}", "expected a JSON list"),
        (b'[{"q": 1}]', "item 0"),
        (b'[{"question": "where?", "now_ns": "soon"}]', "item 0"),
        (b'[{"question": "where?", "now_s": NaN}]', "item 0"),
        (b'[{"question": "where?", "now_s": 1e999}]', "item 0"),
        (b'[{"question": "where?", "now_s": {}}]', "item 0"),
        (b'[{"question": "where?", "agent": 5}]', "item 0"),
        (b'[{"question": "where?", "choices": 5}]', "item 0"),
        (b"\xff\xfe\x00", "cannot read"),
    ],
)
def test_a_file_that_holds_no_questions_ends_with_3(recall4d, ingested, tmp_path, content, says):
    path = tmp_path / "questions.json"
    if content is not None:
        path.write_bytes(content)
    told(recall4d("ask", ingested, "--file", path, "--json"), INPUT, says)


@pytest.mark.parametrize(
    "content",
    [None, b"", b"[]", b'{"steps": 5}', b"\xff\xfe", b'{"steps": [{"name": "a", "semantic": {"text": 5}}]}'],
)
def test_a_file_that_holds_no_plan_ends_with_3(recall4d, ingested, tmp_path, content):
    path = tmp_path / "plan.json"
    if content is not None:
        path.write_bytes(content)
    told(recall4d("query", ingested, "--plan", path, "--json"), INPUT, "plan")


@pytest.mark.parametrize("content", [None, b"", b"frame,stamp_ns\n", b"\xff\xfe", b"h\n5,1,nan" + b",0" * 15])
def test_a_file_that_holds_no_poses_moves_nothing(recall4d, memory, tmp_path, content):
    before = listed(recall4d, memory)
    path = tmp_path / "poses.csv"
    if content is not None:
        path.write_bytes(content)
    ended = recall4d("reanchor", memory, "--poses", path, "--json")
    told(ended, ended.code, "poses")
    assert ended.code in (WORDS, INPUT)
    assert listed(recall4d, memory) == before


@pytest.mark.parametrize("hostile", ["purple teapot \x00 x", "purple teapot [/b]\nforged"])
def test_a_description_of_any_characters_is_kept_and_shown(recall4d, recording, tmp_path, hostile):
    things = json.loads((recording / "objects.json").read_text())
    for thing in things.values():
        if "teapot" in thing["description"]:
            thing["description"] = hostile
    (recording / "objects.json").write_text(json.dumps(things))
    directory = tmp_path / "memory"
    assert recall4d("ingest", recording, "--memory", directory).code == 0
    shown = recall4d("entries", directory)
    assert shown.code == 0
    assert "teapot" in shown.out
    assert recall4d("ask", directory, "where is the teapot?").code == 0
    assert recall4d("rebuild", directory).code == 0
