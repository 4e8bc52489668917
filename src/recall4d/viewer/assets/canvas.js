// What both maps share: a canvas as sharp as the screen, pointer and keys, and labels that never overlap.

const LABEL_FONT = "11px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const LABEL_HEIGHT = 14;
const MOST_LABELS = 500; // Past these a map is full, and asking on would only cost.
const FIELD_OF_VIEW_RAD = Math.PI / 3; // A snapshot keeps poses, not lenses: every wedge is drawn 60 degrees wide.

/** The colours in force, read from the style sheet; `index` picks the memory's colours for this ground. */
function readTheme() {
  const style = getComputedStyle(document.documentElement);
  const named = (name) => style.getPropertyValue(`--${name}`).trim();
  const names = ["paper", "panel", "ink", "muted", "line", "grid", "surface", "accent", "absent", "moved"];
  const index = matchMedia("(prefers-color-scheme: dark)").matches ? 1 : 0;
  return { ...Object.fromEntries(names.map((name) => [name, named(name)])), index };
}

/** Fits a canvas to its box and the screen; its context in CSS pixels, cleared, or null when it has no size. */
function prepared(canvas) {
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return null;
  const ratio = window.devicePixelRatio || 1;
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== wide || canvas.height !== high) Object.assign(canvas, { width: wide, height: high });
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.lineJoin = "round";
  return context;
}

/** What a map is fitted to: after a resize it is fitted again, unless a person has moved it since. */
class Frame {
  constructor(canvas) {
    this.canvas = canvas;
    this.bounds = null;
    this.size = null;
    this.following = true;
  }

  fitted(bounds) {
    Object.assign(this, { bounds, size: this.currentSize, following: true });
  }

  moved() {
    this.following = false;
  }

  get currentSize() {
    return `${this.canvas.clientWidth} x ${this.canvas.clientHeight}`;
  }

  get stale() {
    return this.following && this.size !== this.currentSize;
  }
}

/** The smallest of 1, 2, 5, 10, 20, ... times a power of ten that is at least `least`. */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * 0.999);
}

/** Which parts of a map are taken, on a coarse grid: asking is quick however many labels there are. */
class LabelField {
  constructor(width, height, cell = 5) {
    this.cell = cell;
    this.columns = Math.ceil(width / cell);
    this.rows = Math.ceil(height / cell);
    this.taken = new Uint8Array(this.columns * this.rows);
  }

  /** Takes a rectangle; false, and nothing taken, when some of it is taken or outside and `must` is not set. */
  take(x, y, width, height, must = false) {
    const [left, top] = [Math.floor(x / this.cell), Math.floor(y / this.cell)];
    const [right, bottom] = [Math.floor((x + width) / this.cell), Math.floor((y + height) / this.cell)];
    if (!must) {
      if (left < 0 || top < 0 || right >= this.columns || bottom >= this.rows) return false;
      for (let row = top; row <= bottom; row += 1) {
        for (let column = left; column <= right; column += 1) {
          if (this.taken[row * this.columns + column]) return false;
        }
      }
    }
    for (let row = Math.max(top, 0); row <= Math.min(bottom, this.rows - 1); row += 1) {
      const start = row * this.columns;
      this.taken.fill(1, start + Math.max(left, 0), start + Math.min(right, this.columns - 1) + 1);
    }
    return true;
  }
}

/**
 * Writes labels where there is room, in the order given.
 * Each wish: text, rectangle [left, top, right, bottom] of what it names, colour, struck, must (written in any case).
 */
function drawLabels(context, width, height, wishes, field, theme) {
  context.textAlign = "left";
  context.textBaseline = "middle";
  for (const { text, rectangle, colour, struck, must, bold } of wishes.slice(0, MOST_LABELS)) {
    context.font = bold ? `600 ${LABEL_FONT}` : LABEL_FONT;
    const [left, top, right, bottom] = rectangle;
    const wide = context.measureText(text).width + 4;
    const [middleX, middleY] = [(left + right) / 2, (top + bottom) / 2];
    const inside = right - left > wide + 4 && bottom - top > LABEL_HEIGHT;
    const middle = [middleX - wide / 2, middleY - LABEL_HEIGHT / 2];
    const corners = [top + 2, bottom - LABEL_HEIGHT - 2].flatMap((y) => [
      [left + 2, y],
      [right - wide - 2, y],
    ]);
    // What stands on a large thing stands about its middle: its own name belongs in a corner.
    const large = right - left > 2.5 * wide && bottom - top > 4 * LABEL_HEIGHT;
    const spots = [
      ...(inside ? (large ? [...corners, middle] : [middle, ...corners]) : []),
      [right + 2, middleY - LABEL_HEIGHT / 2],
      [left - wide - 2, middleY - LABEL_HEIGHT / 2],
      [middleX - wide / 2, top - LABEL_HEIGHT - 1],
      [middleX - wide / 2, bottom + 1],
    ];
    let spot = spots.find(([x, y]) => field.take(x, y, wide, LABEL_HEIGHT));
    if (spot === undefined && must && right > 0 && left < width && bottom > 0 && top < height) {
      spot = [Math.min(Math.max(right + 2, 2), width - wide - 2), middleY - LABEL_HEIGHT / 2];
      field.take(spot[0], spot[1], wide, LABEL_HEIGHT, true);
    }
    if (spot === undefined) continue;
    const [x, y] = [spot[0] + 2, spot[1] + LABEL_HEIGHT / 2];
    context.strokeStyle = theme.paper;
    context.lineWidth = 3;
    context.strokeText(text, x, y);
    context.fillStyle = colour;
    context.fillText(text, x, y);
    if (struck) {
      context.strokeStyle = theme.absent;
      context.lineWidth = 1;
      line(context, [x, y], [x + wide - 4, y]);
    }
  }
}

/** Order in which labels ask for room: what is picked out, then what changed, then large before small. */
function labelOrder(held, picture) {
  const rank = ({ entry, inView }) =>
    (entry === picture.selected ? 8 : 0) +
    (entry === picture.hovered ? 4 : 0) +
    (entry.moves.length ? 2 : 0) +
    (inView ? 1 : 0);
  return [...held].sort((a, b) => rank(b) - rank(a) || b.entry.footprint - a.entry.footprint);
}

function line(context, from, to) {
  context.beginPath();
  context.moveTo(from[0], from[1]);
  context.lineTo(to[0], to[1]);
  context.stroke();
}

/** A dashed line that ends in an arrow head. */
function arrow(context, from, to, colour, width) {
  const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
  const reach = 4 + 2 * width;
  context.strokeStyle = context.fillStyle = colour;
  context.lineWidth = width;
  context.setLineDash([5, 4]);
  line(context, from, to);
  context.setLineDash([]);
  context.beginPath();
  context.moveTo(to[0], to[1]);
  for (const turn of [2.7, -2.7]) {
    context.lineTo(to[0] + reach * Math.cos(angle + turn), to[1] + reach * Math.sin(angle + turn));
  }
  context.fill();
}

/**
 * Pointer and keys of a map. `map` has drag(dx, dy, sideways), zoom(factor, x, y), fit(), pick(x, y);
 * `on` has hover(entry), select(entry), focus() and changed().
 */
function listen(canvas, map, on) {
  let pressed = null;
  const local = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    pressed = { x: event.clientX, y: event.clientY, moved: false, sideways: event.button !== 0 || event.shiftKey };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (pressed === null) {
      const entry = map.pick(...local(event));
      canvas.classList.toggle("pointing", entry !== null);
      on.hover(entry);
      return;
    }
    const [dx, dy] = [event.clientX - pressed.x, event.clientY - pressed.y];
    // A hand trembles: a few pixels are still a click.
    if (!pressed.moved && Math.hypot(dx, dy) < 4) return;
    Object.assign(pressed, { x: event.clientX, y: event.clientY, moved: true });
    map.drag(dx, dy, pressed.sideways);
    on.changed();
  });
  canvas.addEventListener("pointerup", (event) => {
    if (pressed !== null && !pressed.moved) on.select(map.pick(...local(event)));
    pressed = null;
  });
  canvas.addEventListener("pointercancel", () => {
    pressed = null;
  });
  canvas.addEventListener("pointerleave", () => on.hover(null));
  canvas.addEventListener("dblclick", () => on.focus());
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const pixels = event.deltaMode === 0 ? event.deltaY : event.deltaY * 30;
      map.zoom(Math.exp(-Math.max(-200, Math.min(200, pixels)) * 0.002), ...local(event));
      on.changed();
    },
    { passive: false },
  );
  canvas.addEventListener("keydown", (event) => {
    const step = 40;
    const moves = { ArrowLeft: [step, 0], ArrowRight: [-step, 0], ArrowUp: [0, step], ArrowDown: [0, -step] };
    const middle = [canvas.clientWidth / 2, canvas.clientHeight / 2];
    if (moves[event.key]) map.drag(...moves[event.key], event.shiftKey);
    else if (event.key === "+" || event.key === "=") map.zoom(1.25, ...middle);
    else if (event.key === "-") map.zoom(0.8, ...middle);
    else return;
    event.preventDefault();
    on.changed();
  });
}
