"""The space that a memory knows, and the file it is kept in."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from recall4d import Memory
from recall4d.cli.map import map_command
from recall4d.config import AssociationSettings
from recall4d.geometry import voxels
from recall4d.geometry.box import Box
from recall4d.geometry.pose import inverse, pose_from_axis_angle
from recall4d.geometry.voxels import FREE, OCCUPIED, UNSEEN, VoxelGrid
from recall4d.memory import space as space_module
from recall4d.memory.agents import move_agent
from recall4d.memory.space import FILE_NAME, space_of
from recall4d.store.sqlite import SqliteStore
from recall4d.synth import kitchen, tour

from .films import Film, blank, ingest, without_depth

FRIDGE = next(thing for thing in kitchen().things if thing.category == "fridge").box_at(0)
TURN = pose_from_axis_angle((0, 0, np.radians(90.0)), (1.0, 2.0, 0.0))


@pytest.fixture(scope="module")
def walk(tmp_path_factory):
    """A memory of the kitchen, walked through once; its near wall, behind the camera, was never looked at."""
    directory = tmp_path_factory.mktemp("memories") / "kitchen"
    ingest(Film(), directory)[0].close()
    return directory


@pytest.fixture
def remembered(walk, tmp_path):
    """Its store, this test's own."""
    store = SqliteStore.open(Path(shutil.copytree(walk, tmp_path / "kitchen")))
    yield store
    store.close()


@pytest.fixture
def integrated(monkeypatch):
    """Poses of the frames that were counted."""
    poses, integrate = [], VoxelGrid.integrate

    def counted(self, depth_m, intrinsics, world_from_camera):
        poses.append(world_from_camera)
        integrate(self, depth_m, intrinsics, world_from_camera)

    monkeypatch.setattr(VoxelGrid, "integrate", counted)
    return poses


def same(one, other):
    assert (one.n_frames, one.grid.corner, one.grid.edge_m) == (
        other.n_frames,
        other.grid.corner,
        other.grid.edge_m,
    )
    np.testing.assert_array_equal(one.grid.hits, other.grid.hits)
    np.testing.assert_array_equal(one.grid.passes, other.grid.passes)


def test_a_kitchen(remembered):
    space = space_of(remembered)
    assert (space.state_at(tour().poses[:, :3, 3]) == FREE).all()  # the way that was walked
    assert space.state_at([(2.0, 3.0, 1.6), (2.0, 1.9, 0.75), (2.0, 1.0, 0.0)]).tolist() == [OCCUPIED] * 3
    assert space.state_at([(2.0, 2.5, 1.5), (2.0, 3.5, 1.5)]).tolist() == [FREE, UNSEEN]
    assert space.grid.floor_height_m() == pytest.approx(0.0)
    assert sum(space.counts().values()) == space.grid.hits.size


def test_what_is_hidden_and_what_was_never_looked_at(remembered):
    space = space_of(remembered)
    inside = Box.from_arrays(np.array(FRIDGE.min_xyz) + 0.2, np.array(FRIDGE.max_xyz) - 0.2)
    assert space.never_looked(inside)
    assert space.never_looked(FRIDGE.centroid_xyz)
    assert not space.never_looked(FRIDGE)
    assert 0.0 < space.seen_share(FRIDGE) < 1.0
    assert space.never_looked((2.0, 0.0, 1.5))  # behind whoever walked
    behind = np.array(FRIDGE.centroid_xyz) + (0.0, 0.6, 0.0)
    eye = (3.0, 0.6, 1.5)
    assert not space.line_of_sight(eye, behind).clear
    assert space.line_of_sight(eye, (2.3, 1.7, 0.9)).clear  # the white cup
    assert space.line_of_sight(eye, (2.0, 2.8, 1.2)).unseen_m == 0.0


def test_what_was_known_earlier_is_what_a_shorter_walk_would_have_given(tmp_path, remembered):
    take = tour()
    until = int(take.stamps_ns[6])
    short = replace(take, stamps_ns=take.stamps_ns[:7], poses=take.poses[:7])
    same(space_of(remembered, until), space_of(ingest(Film(take=short), tmp_path / "short")[0]))
    assert space_of(remembered).n_frames == space_of(remembered, int(take.stamps_ns[-1])).n_frames == 12


def test_it_is_kept_and_only_new_frames_are_added(tmp_path, integrated):
    store, _ = ingest(Film(take=tour(6)), tmp_path)
    space_of(store)
    assert len(integrated) == 6
    space_of(store)
    assert len(integrated) == 6
    ingest(Film(take=tour(9, start_ns=10**12)), tmp_path)[0].close()
    grown = space_of(store)
    assert len(integrated) == 6 + 9
    (tmp_path / FILE_NAME).unlink()
    same(grown, space_of(store))


def test_a_corrected_trajectory_moves_the_space(remembered, integrated):
    space_of(remembered)
    poses = {
        ("alpha", stamp): TURN @ pose for stamp, pose in zip(tour().stamps_ns.tolist(), tour().poses, strict=True)
    }
    with remembered.writing() as writer:
        writer.move_frames(poses)
    moved = space_of(remembered)
    assert len(integrated) == 2 * 12
    wall = np.array([2.0, 3.0, 1.6, 1.0])
    assert moved.state_at([wall[:3], (TURN @ wall)[:3]]).tolist() != [OCCUPIED, UNSEEN]
    assert moved.state_at((TURN @ wall)[:3])[0] == OCCUPIED
    (remembered.directory / FILE_NAME).unlink()
    same(moved, space_of(remembered))


def test_an_agent_whose_map_is_not_aligned_is_left_out_until_it_is(tmp_path):
    ingest(Film(take=tour(6)), tmp_path)[0].close()
    take = tour(6, start_ns=10**12, agent="bravo")
    store, _ = ingest(Film(take=replace(take, reported=TURN @ take.poses)), tmp_path)
    alone = space_of(store)
    assert alone.n_frames == 6
    move_agent(store, "bravo", inverse(TURN), AssociationSettings())
    both = space_of(store)
    assert both.n_frames == 12
    assert both.grid.hits.max() == 2 * alone.grid.hits.max()


@pytest.mark.parametrize("spoil", [without_depth, blank])
def test_without_depth_nothing_is_known(tmp_path, spoil):
    store, _ = ingest(Film(spoil=spoil, take=tour(2)), tmp_path)
    space = space_of(store)
    assert space.counts()["occupied"] == 0
    assert space.never_looked((2.0, 2.0, 1.0))
    assert space.export_ply(tmp_path / "none.ply") == 0


@pytest.mark.parametrize(
    "spoil", [lambda whole: b"", lambda whole: whole[: len(whole) // 2], lambda whole: b"x" * 99]
)
def test_a_file_that_cannot_be_read_is_built_again(remembered, spoil):
    first = space_of(remembered)
    path = remembered.directory / FILE_NAME
    whole = path.read_bytes()
    path.write_bytes(spoil(whole))
    same(first, space_of(remembered))
    assert path.read_bytes() == whole


def test_a_file_of_another_format_is_built_again(remembered, monkeypatch, integrated):
    space_of(remembered)
    monkeypatch.setattr(space_module, "FORMAT", space_module.FORMAT + 1)
    space_of(remembered)
    assert len(integrated) == 2 * 12


def test_where_nothing_can_be_written_it_is_only_not_kept(remembered, monkeypatch):
    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(space_module.np, "savez_compressed", refuse)
    assert space_of(remembered).n_frames == 12
    assert not [path.name for path in remembered.directory.iterdir() if path.name.startswith(FILE_NAME)]


def test_a_space_too_large_for_its_cells_gets_larger_ones(tmp_path, monkeypatch):
    store, _ = ingest(Film(take=tour(3)), tmp_path)
    fine = space_of(store)
    monkeypatch.setattr(voxels, "MAX_CELLS", fine.grid.hits.size)
    far = tour(3, start_ns=10**12)
    away = replace(far, reported=pose_from_axis_angle((0, 0, 0), (8.0, 0.0, 0.0)) @ far.poses)
    ingest(Film(take=away), tmp_path)[0].close()
    coarse = space_of(store)
    assert coarse.grid.edge_m == 2 * fine.grid.edge_m
    assert coarse.grid.hits.size <= fine.grid.hits.size
    assert coarse.state_at([(2.0, 3.0, 1.6), (10.0, 3.0, 1.6)]).tolist() == [OCCUPIED] * 2
    (tmp_path / FILE_NAME).unlink()
    same(coarse, space_of(store))


def test_a_ply_holds_the_occupied_cells(remembered, tmp_path):
    space = space_of(remembered)
    n = space.export_ply(tmp_path / "space.ply")
    header, body = (tmp_path / "space.ply").read_bytes().split(b"end_header\n", 1)
    lines = header.decode("ascii").splitlines()
    assert lines[:2] == ["ply", "format binary_little_endian 1.0"]
    assert f"element vertex {n}" in lines
    assert n == space.counts()["occupied"]
    assert [line.split()[1:] for line in lines if line.startswith("property")] == [
        ["float", "x"], ["float", "y"], ["float", "z"],
        ["uchar", "red"], ["uchar", "green"], ["uchar", "blue"], ["ushort", "hits"],
    ]  # fmt: skip
    vertices = np.frombuffer(body, dtype="<f4, <f4, <f4, u1, u1, u1, <u2")
    assert len(vertices) == n
    points = np.stack([vertices[axis] for axis in ("f0", "f1", "f2")], axis=1)
    assert (space.state_at(points) == OCCUPIED).all()
    assert vertices["f6"].sum() == space.grid.hits[space.grid.states() == OCCUPIED].sum()


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A memory of the demo house."""
    from tests.conftest import REPOSITORY

    directory = tmp_path_factory.mktemp("memories") / "house"
    with Memory.open(directory) as memory:
        memory.ingest(REPOSITORY / "examples" / "demo_house")
    return directory


def test_the_demo_house(house):
    with Memory.open(house, create=False) as memory:
        space = space_of(memory.store)
        eyes = np.stack([frame.world_from_camera[:3, 3] for frame in memory.store.frames()])
    assert (space.state_at(eyes) == FREE).all()
    assert (space.state_at(eyes * (1, 1, 0)) != FREE).all()  # the floor below them
    assert space.grid.floor_height_m() == pytest.approx(0.0, abs=0.05)
    assert (house / FILE_NAME).stat().st_size < 200_000
    wall = space.line_of_sight((-1.5, -4.0, 1.0), (-4.0, -4.0, 1.0)).blocked_at_xyz
    assert wall == pytest.approx((-2.5, -4.0, 1.0), abs=0.15)


def test_the_command_line(house, tmp_path):
    ply = tmp_path / "house.ply"
    ended = CliRunner().invoke(map_command, [str(house), "--ply", str(ply), "--at", "1,-1,1.5", "--json"])
    assert ended.exit_code == 0, ended.output
    document = json.loads(ended.output)
    assert document["schema"] == "recall4d.map/1"
    assert document["cells"].keys() == {"free", "occupied", "unseen"}
    assert document["at"] == {"xyz": [1.0, -1.0, 1.5], "state": "free"}
    assert f"element vertex {document['cells']['occupied']}\n".encode() in ply.read_bytes()
    said = CliRunner().invoke(map_command, [str(house), "--at", "1,-1,99"])
    assert said.output == "at (1.00 -1.00 99.00): never seen\n"
    listed = CliRunner().invoke(map_command, [str(house)])
    assert "cells of 0.10 m from 72 frames" in listed.output
    assert CliRunner().invoke(map_command, [str(house), "--at", "1,nan,2"]).exit_code == 2
