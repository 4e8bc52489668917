"""The command line as a process of its own: streams, signals, pipes that close, disks that fill."""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
import time

from recall4d.store.sqlite import SqliteStore

RECALL4D = (sys.executable, "-c", "from recall4d.cli.main import run; run()")


def start(*arguments, **how):
    return subprocess.Popen(
        [*RECALL4D, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how
    )


def test_standard_output_holds_the_document_alone(short_recording, tmp_path):
    process = start("ingest", short_recording, "--memory", tmp_path / "new", "--json")
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert json.loads(out)["schema"] == "recall4d.ingest/1"
    assert err == ""


def test_a_reader_that_has_enough_ends_it_quietly(ingested):
    process = start("entries", ingested, "--json")
    assert process.stdout.read(10) == '{"schema":'
    process.stdout.close()
    assert process.stderr.read() == ""
    process.stderr.close()
    assert process.wait() == 0


def test_a_full_disk_ends_with_5_and_keeps_every_frame_before(short_recording, tmp_path):
    """No file may grow beyond a limit, as on a disk with a quota."""
    limit = 600_000
    process = start(
        "ingest",
        short_recording,
        "--memory",
        tmp_path / "new",
        "--json",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
    )
    out, err = process.communicate()
    assert (process.returncode, out) == (5, ""), err
    assert err.startswith("recall4d: ")
    assert "refused" in err
    assert err.count("\n") == 1
    n_kept = len(SqliteStore.open(tmp_path / "new").frames())
    assert 0 < n_kept < 15
    again = start("ingest", short_recording, "--memory", tmp_path / "new", "--json")
    out, err = again.communicate()
    assert json.loads(out)["frames_known"] == n_kept


def test_an_interrupted_ingest_ends_with_130_and_keeps_every_frame_before(demo_house, tmp_path):
    process = start("ingest", demo_house, "--memory", tmp_path / "new", "--json")
    deadline_s = time.monotonic() + 60
    while len(list(tmp_path.glob("new/keyframes/*.jpg"))) < 2 and time.monotonic() < deadline_s:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, ""), err
    assert "Traceback" not in err
    n_kept = len(SqliteStore.open(tmp_path / "new").frames())
    assert 0 < n_kept < 72
