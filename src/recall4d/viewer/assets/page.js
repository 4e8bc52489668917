// The page: one instant, one selection, and every view drawn from them.

const PLAYED_IN_S = 24; // The whole memory, however long it is.

const byId = (id) => document.getElementById(id);
const memory = readMemory(byId("memory").textContent);

const shown = { instant: memory.span_ms, selected: null, hovered: null, query: "", theme: readTheme() };
let held = [];
let drawing = false;

const on = { select, hover, show, focus: focusSelected, changed: redraw };
const plan = new PlanView(byId("plan"), memory);
const orbit = new OrbitView(byId("orbit"), memory);
const timeline = new Timeline(byId("strip"), byId("slider"), memory);
const list = new EntryList(byId("list"), byId("found"), memory, on);
const details = new Details(byId("details"), memory, on);
listen(byId("plan"), plan, on);
listen(byId("orbit"), orbit, on);

// Changing what is shown.

function draw() {
  drawing = false;
  const picture = currentPicture();
  plan.draw(picture);
  orbit.draw(picture);
  timeline.draw(picture);
}

/** Draws once before the next frame, however many changes ask for it. */
function redraw() {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(draw);
}

/** What every view is given. */
function currentPicture() {
  return { ...shown, held, searching: shown.query.trim() !== "" };
}

/** After a change of instant, query or selection: what is held, and the written parts. */
function update() {
  const matches = matcher(shown.query);
  held = memory.entries.map((entry) => entry.at(shown.instant, memory.agents));
  for (const each of held) each.matches = matches(each);
  const picture = currentPicture();
  list.update(picture);
  details.update(picture);
  const slider = byId("slider");
  slider.value = String(shown.instant);
  slider.setAttribute("aria-valuetext", formatInstant(shown.instant));
  byId("instant").replaceChildren(
    make("strong", {}, formatInstant(shown.instant)),
    shown.instant >= memory.span_ms ? " · now" : ` of ${formatInstant(memory.span_ms)}`,
    make("small", {}, formatWall(memory, shown.instant)),
  );
  redraw();
}

function show(instant) {
  shown.instant = Math.min(Math.max(Math.round(instant), 0), memory.span_ms);
  update();
}

function select(entry) {
  shown.selected = entry;
  update();
  if (entry === null) return;
  list.reveal(entry);
  plan.reveal(entry.at(shown.instant, memory.agents).place);
}

function hover(entry) {
  if (shown.hovered === entry) return;
  shown.hovered = entry;
  document.querySelectorAll(".row.hovered").forEach((row) => row.classList.remove("hovered"));
  if (entry !== null) list.rows.get(entry).row.classList.add("hovered");
  redraw();
}

/** Zooms both maps to the selected entry, with a metre about it. */
function focusSelected() {
  const place = shown.selected?.at(shown.instant, memory.agents).place;
  if (!place) return;
  const bounds = [place.low.map((value) => value - 1), place.high.map((value) => value + 1)];
  plan.fit(bounds);
  orbit.fit(bounds);
  redraw();
}

function fitAll() {
  plan.fit();
  orbit.fit();
  redraw();
}

function setLayout(layout) {
  if (!["plan", "both", "orbit"].includes(layout)) return;
  byId("maps").dataset.layout = layout;
  for (const button of byId("layout").children) {
    button.setAttribute("aria-pressed", String(button.dataset.layout === layout));
  }
  fitAll();
}

// Playing.

let playing = null;

function play(start) {
  if (!start) playing = null;
  else if (playing === null) {
    if (shown.instant >= memory.span_ms) show(0);
    playing = { last: performance.now(), instant: shown.instant };
    requestAnimationFrame(step);
  }
  byId("play").classList.toggle("playing", playing !== null);
  byId("play").setAttribute("aria-label", playing === null ? "Play" : "Pause");
}

function step(now) {
  if (playing === null) return;
  // Kept apart from the rounded instant, so that a short memory still moves.
  playing.instant += ((now - playing.last) / 1000) * (memory.span_ms / PLAYED_IN_S);
  playing.last = now;
  show(playing.instant);
  if (shown.instant >= memory.span_ms) play(false);
  else requestAnimationFrame(step);
}

/** The instant as a person sets it: playing stops. */
function go(instant) {
  play(false);
  show(instant);
}

// Controls.

byId("slider").addEventListener("input", (event) => go(Number(event.target.value)));
byId("slider").addEventListener("keydown", (event) => {
  // A step of one millisecond suits the pointer, not the arrow keys.
  const shares = {
    ArrowLeft: -0.005,
    ArrowDown: -0.005,
    ArrowRight: 0.005,
    ArrowUp: 0.005,
    PageDown: -0.05,
    PageUp: 0.05,
  };
  if (!(event.key in shares)) return;
  event.preventDefault();
  go(shown.instant + shares[event.key] * memory.span_ms);
});
byId("previous").addEventListener("click", () => go(timeline.change(shown.instant, -1, shown.selected)));
byId("next").addEventListener("click", () => go(timeline.change(shown.instant, 1, shown.selected)));
byId("play").addEventListener("click", () => play(playing === null));
byId("fit").addEventListener("click", fitAll);
byId("layout").addEventListener("click", (event) => {
  if (event.target.dataset.layout) setLayout(event.target.dataset.layout);
});
byId("search").addEventListener("input", (event) => {
  shown.query = event.target.value;
  update();
});
byId("search").addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown") list.focus();
  else if (event.key === "Enter") select(held.find((each) => each.matches)?.entry ?? null);
  else return;
  event.preventDefault();
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target.id === "search";
  if (event.key === "Escape") {
    if (typing) event.target.blur();
    else select(null);
    return;
  }
  if (typing) return;
  const pressing = event.target.tagName === "BUTTON";
  const actions = {
    "/": () => byId("search").focus(),
    "[": () => byId("previous").click(),
    "]": () => byId("next").click(),
    f: focusSelected,
    0: fitAll,
    ...(pressing ? {} : { " ": () => byId("play").click() }),
  };
  if (!(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
});

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  shown.theme = readTheme();
  drawLegend(byId("legend"), memory, shown.theme);
  redraw();
});
// At once, not in the next frame: until it is drawn anew, a canvas of another size is stretched.
const resized = new ResizeObserver(draw);
for (const name of ["plan", "orbit", "strip"]) resized.observe(byId(name));

/**
 * A link may name what to show: page.html#entry=e7&t=12.5&view=plan. `t` is seconds after the memory's first instant;
 * views are plan, both and orbit.
 */
function followLink() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has("view")) setLayout(wanted.get("view"));
  if (wanted.has("t")) shown.instant = Math.min(Math.max(Number(wanted.get("t")) * 1000 || 0, 0), memory.span_ms);
  if (wanted.has("entry")) select(memory.byId.get(wanted.get("entry")) ?? null);
  update();
}
window.addEventListener("hashchange", followLink);

// The start.

const [low, high] = memory.bounds;
byId("counts").textContent = memory.counts;
byId("empty").hidden = memory.entries.length > 0;
// A wide world is easier to read with one map above the other.
byId("maps").dataset.stacked = String(high[0] - low[0] > 1.15 * (high[1] - low[1]));
drawLegend(byId("legend"), memory, shown.theme);
setLayout("both");
followLink();
