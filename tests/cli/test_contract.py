"""Every command's `--json` is one document of docs/contracts.md on standard output, and nothing else."""

import json
import re
import shutil

import pytest

from . import contract


def read(document, ended, code=0):
    """The one document that a command printed, in the shape that programs rely on."""
    assert ended.code == code, ended.err
    assert ended.out.endswith("\n")
    assert ended.out.count("\n") == 1, "one document, on one line"
    return document.model_validate_json(ended.out)


def test_ingest(recall4d, short_recording, tmp_path):
    ended = recall4d("ingest", short_recording, "--memory", tmp_path / "new", "--json")
    report = read(contract.Ingest, ended)
    assert (report.agent, report.frames_read, report.frames_used) == ("house", 15, 15)
    assert report.stages.keys() == {"decode", "segment", "describe", "embed", "lift", "associate", "commit"}
    assert report.entries_new > 10
    again = read(contract.Ingest, recall4d("ingest", short_recording, "--memory", tmp_path / "new", "--json"))
    assert (again.frames_read, again.observations, again.entries_new) == (0, 0, 0)


def test_doctor(recall4d, short_recording):
    report = read(contract.Doctor, recall4d("doctor", short_recording, "--json"))
    assert report.format == "folder"


def test_entries(recall4d, ingested):
    listed = read(contract.Entries, recall4d("entries", ingested, "--json"))
    assert len(listed.entries) > 10
    assert all((ingested / entry.crop).is_file() for entry in listed.entries)
    earlier = read(contract.Entries, recall4d("entries", ingested, "--now", "0s", "--json"))
    assert 0 < len(earlier.entries) < len(listed.entries)
    assert {entry.n_observations for entry in earlier.entries} == {1}


@pytest.mark.parametrize(
    ("question", "type", "unit"),
    [
        ("Where is the laptop?", "position", "m"),
        ("How many chairs are there?", "count", None),
        ("Is there a bed?", "yesno", None),
        ("When did you last see the laptop?", "time", None),
        ("How far is the laptop from the bed?", "distance", "m"),
        ("What is on the dining table?", "list", None),
        ("Where is the unicorn?", None, None),
        ("", None, None),
        ("?!", None, None),
        ("ou est la tasse", None, None),
    ],
)
def test_ask(recall4d, ingested, question, type, unit):
    answer = read(contract.Answer, recall4d("ask", ingested, question, "--json"))
    assert answer.question == question
    if type is None:
        assert answer.answer.abstained
    else:
        assert (answer.answer.type, answer.answer.abstained) == (type, False)
        assert answer.answer.unit in (unit, None)
        assert answer.evidence


def test_ask_a_file(recall4d, ingested, tmp_path):
    questions = tmp_path / "questions.json"
    questions.write_text(
        json.dumps(
            [
                {"id": "q1", "question": "Where is the laptop?", "now_s": 60, "answer": "ignored", "extra": [1]},
                {"question": "Is there a bed?", "agent": "house"},
                {"id": 7, "question": "Which is it?", "choices": ["the bed", "the laptop"]},
            ]
        )
    )
    ended = recall4d("ask", ingested, "--file", questions, "--json")
    assert ended.code == 0, ended.err
    answers = [contract.Answer.model_validate_json(line) for line in ended.out.splitlines()]
    assert [answer.id for answer in answers] == ["q1", 1, 7]
    assert [answer.question for answer in answers] == ["Where is the laptop?", "Is there a bed?", "Which is it?"]


def test_ask_a_text_file(recall4d, ingested, tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_text("Where is the laptop?\n\nIs there a bed?\n")
    ended = recall4d("ask", ingested, "--file", questions, "--json")
    answers = [contract.Answer.model_validate_json(line) for line in ended.out.splitlines()]
    assert [answer.question for answer in answers] == ["Where is the laptop?", "Is there a bed?"]


@pytest.mark.parametrize(
    "keys",
    [
        ("--semantic", "chair"),
        ("--near", "1.0,0.2,0.8", "--radius", "2"),
        ("--between", "0s", "30s"),
        ("--semantic", "bed", "--near", "1,2,3", "--between", "0s", "500s", "--limit", "2", "--agent", "house"),
        ("--semantic", "unicorn", "--near", "1e6,0,0", "--radius", "0"),
    ],
)
def test_query(recall4d, ingested, keys):
    rows = read(contract.Rows, recall4d("query", ingested, *keys, "--json"))
    assert rows.explain
    if "unicorn" in keys:
        assert rows.rows == []


def test_query_with_a_plan_as_text(recall4d, ingested, tmp_path):
    text = 'bed: "bed" | near: within 4 m of bed; limit 2\nmeasure count near\nmeasure distance bed near'
    rows = read(contract.Rows, recall4d("query", ingested, text, "--json"))
    assert [each.unit for each in rows.measured] == ["entries", "m"]
    assert rows.measured[0].value == len(rows.rows) == 2
    for name, content in (("plan.txt", rows.plan_text), ("plan.json", json.dumps(rows.plan))):
        (tmp_path / name).write_text(content)
        again = read(contract.Rows, recall4d("query", ingested, "--plan", tmp_path / name, "--json"))
        assert again.rows == rows.rows
    shown = recall4d("query", ingested, text, "--explain").out
    assert 'bed: "bed"\nnear: within 4 m of bed; limit 2\n' in shown
    assert re.search(r"step +key +rows in +rows out +ms\n", shown)
    assert re.search(r"^\d\.\d\d \(spatial \d\.\d\d\)  ", shown, re.MULTILINE)


def test_the_schemas_of_plans_are_printed_without_a_memory(recall4d):
    assert "steps" in json.loads(recall4d("query", "--schema").out)["properties"]
    assert "ask" in json.loads(recall4d("query", "--keys-schema").out)["properties"]


def test_regions(recall4d, memory):
    assert recall4d("regions", memory, "--add", "all", "--corners", "-99,-99 99,-99 99,99 -99,99").code == 0
    kept = json.loads(recall4d("regions", memory, "--json").out)["regions"]
    assert [each["name"] for each in kept] == ["all"]
    inside = read(contract.Rows, recall4d("query", memory, 'x: inside region "All"', "--json"))
    assert len(inside.rows) > 3
    assert json.loads(recall4d("regions", memory, "--remove", "all", "--json").out)["regions"] == []


def test_query_with_a_plan(recall4d, ingested, tmp_path):
    rows = read(contract.Rows, recall4d("query", ingested, "--semantic", "bed", "--json"))
    (tmp_path / "plan.json").write_text(json.dumps(rows.plan))
    again = read(contract.Rows, recall4d("query", ingested, "--plan", tmp_path / "plan.json", "--json"))
    assert again.rows == rows.rows


def test_diff(recall4d, ingested):
    everything = read(contract.Diff, recall4d("diff", ingested, "--json"))
    assert everything.events
    assert read(contract.Diff, recall4d("diff", ingested, "--from", "10000s", "--json")).events == []


def test_align_and_merge(recall4d, memory, short_recording, tmp_path):
    other = tmp_path / "other"
    read(contract.Ingest, recall4d("ingest", short_recording, "--memory", other, "--agent", "bravo", "--json"))
    merged = read(contract.Merge, recall4d("merge", memory, other, "--json"))
    assert (merged.frames_added, merged.agents_added, merged.agents_apart) == (15, ["bravo"], ["bravo"])
    again = read(contract.Merge, recall4d("merge", memory, other, "--json"))
    assert (again.frames_added, again.frames_known, again.entries_after) == (0, 15, merged.entries_after)
    aligned = read(contract.Alignment, recall4d("align", memory, "--json"))
    assert aligned.agents["bravo"].accepted
    assert aligned.agents["bravo"].residual_m < 0.01
    assert read(contract.Entries, recall4d("entries", memory, "--json")).entries[0].agents == ["bravo", "house"]


def test_rebuild_and_reanchor(recall4d, memory, short_recording):
    rebuilt = read(contract.Refolded, recall4d("rebuild", memory, "--json"))
    assert (rebuilt.schema_, rebuilt.observations_reassigned) == ("recall4d.rebuild/1", 0)
    poses = short_recording / "poses.csv"
    moved = read(contract.Refolded, recall4d("reanchor", memory, "--poses", poses, "--json"))
    assert (moved.schema_, moved.entries_after) == ("recall4d.reanchor/1", rebuilt.entries_after)


def test_reindex(recall4d, memory):
    entries = read(contract.Entries, recall4d("entries", memory, "--json"))
    same = read(contract.Refolded, recall4d("reindex", memory, "--embedder", "wordllama", "--json"))
    assert (same.schema_, same.observations_reassigned) == ("recall4d.reindex/1", 0)
    assert read(contract.Entries, recall4d("entries", memory, "--json")) == entries


def test_map(recall4d, ingested, tmp_path):
    whole = read(contract.Map, recall4d("map", ingested, "--at", "1,-1,1.5", "--ply", tmp_path / "a.ply", "--json"))
    assert (whole.frames, whole.at.state, whole.ply) == (15, "free", str(tmp_path / "a.ply"))
    assert whole.cells.keys() == {"free", "occupied", "unseen"}
    earlier = read(contract.Map, recall4d("map", ingested, "--now", "30s", "--json"))
    assert earlier.frames == 6
    assert earlier.cells["free"] < whole.cells["free"]


def test_stats(recall4d, ingested, tmp_path):
    stats = read(contract.Stats, recall4d("stats", ingested, "--json"))
    assert (stats.agents, stats.frames, stats.skipped) == (["house"], 15, {})
    elsewhere = shutil.copytree(ingested, tmp_path / "crops" / "keyframes")
    moved = read(contract.Stats, recall4d("stats", elsewhere, "--json"))
    n_keyframes = len(list((ingested / "keyframes").iterdir()))
    assert stats.keyframes == moved.keyframes == n_keyframes
    assert stats.crops == moved.crops > 10


def test_show(recall4d, ingested, tmp_path):
    shown = read(contract.Show, recall4d("show", ingested, "--out", tmp_path / "out", "--json"))
    assert shown.page == str(tmp_path / "out" / "memory.html")


def test_an_empty_memory(recall4d, recording, tmp_path):
    """A memory whose every frame was unusable answers everything, and knows nothing; its ingest is no success."""
    for image in (recording / "color").iterdir():
        image.write_bytes(b"")
    empty = tmp_path / "memory"
    ended = recall4d("ingest", recording, "--memory", empty, "--json")
    report = read(contract.Ingest, ended, code=3)
    assert (report.frames_used, report.skipped) == (0, {"colour image unreadable": 15})
    assert "none of 15 frames could be used" in ended.err
    assert read(contract.Entries, recall4d("entries", empty, "--json")).entries == []
    assert read(contract.Answer, recall4d("ask", empty, "Where is the bed?", "--json")).answer.abstained
    assert read(contract.Rows, recall4d("query", empty, "--semantic", "bed", "--json")).rows == []
    assert read(contract.Diff, recall4d("diff", empty, "--json")).events == []
    assert read(contract.Alignment, recall4d("align", empty, "--json")).agents["house"].accepted
    assert read(contract.Refolded, recall4d("rebuild", empty, "--json")).observations == 0
    assert read(contract.Stats, recall4d("stats", empty, "--json")).skipped == {
        "house": {"colour image unreadable": 15}
    }
    assert read(contract.Map, recall4d("map", empty, "--json")).box_min_xyz is None
    read(contract.Show, recall4d("show", empty, "--json"))


def test_ask_explains_the_plan_it_read(recall4d, ingested):
    shown = recall4d("ask", ingested, "where is the bed?", "--explain").out
    assert '  plan: bed: "bed"\n  plan: ask where bed\n' in shown


def test_a_plan_may_ask_what_was_known_at_a_time(recall4d, ingested):
    everything = read(contract.Rows, recall4d("query", ingested, "x: anything", "--json")).rows
    early = read(contract.Rows, recall4d("query", ingested, "known at 0 s | x: anything", "--json"))
    assert 0 < len(early.rows) < len(everything)
    assert early.plan["known_at"] == {"kind": "elapsed", "seconds": 0.0}
