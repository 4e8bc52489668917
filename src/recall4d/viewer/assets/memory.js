"use strict";
// The memory: its document, and what it holds to be where at one instant.
// Instants are milliseconds after the memory's first; lengths are metres in the world frame, Z up.

/** Index of the last element whose instant is at or before `instant`; -1 before the first. */
function lastAtOrBefore(instants, instant) {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (instants[middle] <= instant) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Where an entry is held to be from one instant until its next place begins. */
class Place {
  constructor([from, absent, x0, y0, z0, x1, y1, z1, visibility, agent]) {
    this.from = from;
    this.absent = absent === 1;
    this.low = [x0, y0, z0];
    this.high = [x1, y1, z1];
    this.centre = [(x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2];
    this.size = [x1 - x0, y1 - y0, z1 - z0];
    this.visibility = visibility;
    this.agent = agent;
  }
}

/** One thing or surface. */
class Entry {
  constructor(told, colour, agents) {
    Object.assign(this, told);
    this.colour = colour;
    this.places = told.places.map((row) => new Place(row));
    this.begins = this.places.map((place) => place.from);
    this.changes = told.changes.map(([kind, at, from, to]) => ({ kind, at, from, to, entry: this }));
    this.moves = this.changes.filter((change) => change.kind === "moved");
    this.isSurface = told.kind === "surface";
    this.footprint = Math.max(...this.places.map((place) => place.size[0] * place.size[1]));
    // What the search box reads. Agents go by name, so that "alpha" finds what alpha saw.
    this.words = [
      told.id,
      told.category ?? "",
      told.description,
      told.kind,
      ...told.attributes.flat(),
      ...told.agents.map((code) => agents[code].name),
      this.moves.length ? "moved" : "",
    ]
      .join(" ")
      .toLowerCase();
  }

  /** What is held of it at `instant`; `place` is null before it was first seen. */
  at(instant, agents) {
    const place = this.places[lastAtOrBefore(this.begins, instant)] ?? null;
    const inView =
      place !== null &&
      !place.absent &&
      this.sightings.some(([code, from, to]) => from <= instant && instant <= to + agents[code].hold_ms);
    return { entry: this, place, absent: place !== null && place.absent, inView, matches: true };
  }
}

/** One who looked: a path in runs without a gap. */
class Agent {
  constructor(told) {
    Object.assign(this, told);
    this.begins = told.runs.map((run) => run.at[0]);
  }

  /** Position and viewing direction at `instant`, interpolated inside a run; `stale` when it is the last known. */
  at(instant) {
    const run = this.runs[lastAtOrBefore(this.begins, instant)];
    if (run === undefined) return null;
    const index = lastAtOrBefore(run.at, instant);
    const next = Math.min(index + 1, run.at.length - 1);
    const gap = run.at[next] - run.at[index];
    const share = gap > 0 ? (instant - run.at[index]) / gap : 0;
    const mix = (rows) => rows[index].map((value, axis) => value + (rows[next][axis] - value) * share);
    const stale = instant > run.at[run.at.length - 1] + this.hold_ms;
    return { xyz: mix(run.xyz), forward: mix(run.forward), stale };
  }
}

/** Reads the document of the page. */
function readMemory(text) {
  const told = JSON.parse(text);
  const colours = new Map(told.colours.map(([category, light, dark]) => [category, [light, dark]]));
  const agents = told.agents.map((each) => new Agent(each));
  const entries = told.entries.map(
    (each) => new Entry(each, colours.get(each.category) ?? colours.get(null), agents),
  );
  return {
    ...told,
    agents,
    entries,
    byId: new Map(entries.map((entry) => [entry.id, entry])),
    changes: entries.flatMap((entry) => entry.changes).sort((a, b) => a.at - b.at),
  };
}

// How things are written for a person; lengths and durations as the command line writes them.

function formatLength(metres) {
  return Math.abs(metres) < 0.995 ? `${(metres * 100).toFixed(0)} cm` : `${metres.toFixed(2)} m`;
}

function formatPlace(xyz) {
  return xyz.map((value) => value.toFixed(2).replace("-", "−")).join(", ") + " m";
}

function formatSize(xyz) {
  const large = Math.max(...xyz) >= 0.995;
  return (
    xyz.map((value) => (large ? value.toFixed(2) : (value * 100).toFixed(0))).join(" × ") + (large ? " m" : " cm")
  );
}

function formatInstant(milliseconds) {
  const tenths = Math.round(milliseconds / 100);
  if (tenths < 600) return `${(tenths / 10).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Date and time of day in UTC; empty when the memory's clock does not count from 1970. */
function formatWall(memory, instant) {
  if (!memory.clock.is_wall) return "";
  const moment = new Date(memory.origin_ms + instant);
  return Number.isNaN(moment.getTime()) ? "" : moment.toISOString().slice(0, 19).replace("T", " ") + " UTC";
}
