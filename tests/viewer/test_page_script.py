"""What the page's script makes of the document, run by Node where there is one."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.resources import files
from typing import Any

import pytest
from small_worlds import entry, snapshot, state, walk

from recall4d.viewer.crops import CropBudget
from recall4d.viewer.document import document_of
from recall4d.viewer.page import SCRIPTS, json_for_script

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not on this machine")


def run(script: str) -> Any:
    done = subprocess.run([str(NODE), "-"], input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def asset(name: str) -> str:
    return files("recall4d.viewer").joinpath("assets", name).read_text(encoding="utf-8")


def look(tmp_path: Any, memory: Any, expression: str) -> Any:
    """The value of a JavaScript expression about `memory`, as the page has read it."""
    told = json_for_script(document_of(memory, tmp_path, CropBudget()))
    read = f"const memory = readMemory({json.dumps(told)});"
    return run(f"{asset('memory.js')}\n{read}\nconsole.log(JSON.stringify({expression}));")


def test_the_scripts_share_one_tag_without_a_clash():
    joined = "\n".join(asset(name) for name in SCRIPTS)

    assert "</script" not in joined
    assert run(f"new Function({json.dumps(joined)}); console.log(true);") is True


def test_a_thing_is_shown_where_it_was_held_to_be(tmp_path):
    cup = entry(
        "e1",
        state(2, 5, (0.0, 0.0, 0.5)),
        state(5, 7, (0.0, 0.0, 0.5), "absent"),
        state(7, None, (2.0, 0.0, 0.5)),
        seen_s=[(2, 3), (7, 8)],
    )
    memory = snapshot(cup, path=walk(*range(11)))

    held = look(
        tmp_path,
        memory,
        """[0, 2000, 3900, 4100, 5000, 7000, 10000].map((at) => {
             const { place, absent, inView } = memory.entries[0].at(at, memory.agents);
             return [place && place.centre[0], absent, inView];
           })""",
    )

    assert held == [
        [None, False, False],  # not yet seen
        [0, False, True],
        [0, False, True],  # one frame shows what was in view until the next one
        [0, False, False],
        [0, True, False],
        [2, False, True],
        [2, False, False],
    ]


def test_an_agent_moves_between_its_poses_and_stays_where_it_was_last(tmp_path):
    memory = snapshot(path=walk(0, 1, 2, 8, 9))

    seen = look(tmp_path, memory, "[500, 2500, 5000, 8500].map((at) => memory.agents[0].at(at))")

    assert [each["xyz"][0] for each in seen] == [0.5, 2, 2, 3.5]
    assert [each["stale"] for each in seen] == [False, False, True, False]


def test_text_is_written_as_the_command_line_writes_it(tmp_path):
    written = look(
        tmp_path,
        snapshot(),
        "[formatInstant(12500), formatInstant(59940), formatInstant(125000), formatInstant(3780000),"
        " formatLength(0.35), formatLength(1.27), formatWall(memory, 0)]",
    )

    assert written == [
        "12.5 s", "59.9 s", "2 min 5 s", "1 h 3 min", "35 cm", "1.27 m", "2025-10-09 08:53:20 UTC",
    ]  # fmt: skip
