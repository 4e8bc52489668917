// The 3D view: boxes in perspective on a 2D canvas, painted from the farthest to the nearest, seen from an orbit.

const EYE_ANGLE_RAD = Math.PI / 4;
const NEAR_M = 0.05;

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a, b, share = 1) => [a[0] + share * b[0], a[1] + share * b[1], a[2] + share * b[2]];

// Corner k of a box takes the high end of axis i where bit i of k is set.
const CORNERS = [0, 1, 2, 3, 4, 5, 6, 7];
const EDGES = CORNERS.flatMap((k) => [1, 2, 4].filter((bit) => !(k & bit)).map((bit) => [k, k | bit]));
// Each face: its axis, whether it is at the high end, its corners in turn, and how light it is.
const FACES = [
  { axis: 0, high: false, corners: [0, 2, 6, 4], light: 0.75 },
  { axis: 0, high: true, corners: [1, 3, 7, 5], light: 0.75 },
  { axis: 1, high: false, corners: [0, 1, 5, 4], light: 0.55 },
  { axis: 1, high: true, corners: [2, 3, 7, 6], light: 0.55 },
  { axis: 2, high: false, corners: [0, 1, 3, 2], light: 0.45 },
  { axis: 2, high: true, corners: [4, 5, 7, 6], light: 1 },
];

function cornersOf({ low, high }) {
  return CORNERS.map((k) => [k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1], k & 4 ? high[2] : low[2]]);
}

class OrbitView {
  constructor(canvas, memory) {
    this.canvas = canvas;
    this.memory = memory;
    this.drawn = [];
    this.frame = new Frame(canvas);
    this.azimuth = -1.8;
    this.elevation = 0.72;
  }

  /** Shows everything, or the box [low, high] when given, keeping the direction of view. */
  fit(bounds = this.memory.bounds) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const [low, high] = bounds;
    this.target = low.map((value, axis) => (value + high[axis]) / 2);
    const corners = cornersOf({ low, high });
    this.distance = 4 * Math.max(Math.hypot(...minus(high, low)), 0.5);
    // Perspective puts the middle of a box off the middle of its outline: aim, come closer, and aim again.
    for (let round = 0; round < 12; round += 1) {
      this.place();
      const seen = corners.map((corner) => this.project(corner));
      if (seen.includes(null)) {
        this.distance *= 1.5;
        continue;
      }
      const [xs, ys] = [0, 1].map((axis) => seen.map((at) => at[axis]));
      const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const metres = this.distance / this.focal;
      this.target = plus(this.target, this.right, ((left + right) / 2 - width / 2) * metres);
      this.target = plus(this.target, this.up, (height / 2 - (top + bottom) / 2) * metres);
      this.distance *= Math.max((right - left) / (0.9 * width), (bottom - top) / (0.86 * height));
    }
    this.distance = Math.max(this.distance, 0.3);
    this.place();
    this.frame.fitted(bounds);
  }

  /** Sets the eye and its axes (right, up, forward) from azimuth, elevation, distance and target. */
  place() {
    const [ca, sa] = [Math.cos(this.azimuth), Math.sin(this.azimuth)];
    const [ce, se] = [Math.cos(this.elevation), Math.sin(this.elevation)];
    this.forward = [-ce * ca, -ce * sa, -se];
    this.right = [-sa, ca, 0];
    this.up = [-se * ca, -se * sa, ce];
    this.eye = plus(this.target, this.forward, -this.distance);
    this.middle = [this.canvas.clientWidth / 2, this.canvas.clientHeight / 2];
    this.focal = this.middle[1] / Math.tan(EYE_ANGLE_RAD / 2);
  }

  drag(dx, dy, sideways) {
    this.frame.moved();
    if (sideways) {
      const metres = this.distance / this.focal;
      this.target = plus(plus(this.target, this.right, -dx * metres), this.up, dy * metres);
    } else {
      this.azimuth -= dx * 0.006;
      this.elevation = Math.min(Math.max(this.elevation + dy * 0.006, -0.3), 1.55);
    }
    this.place();
  }

  zoom(factor) {
    this.frame.moved();
    this.distance = Math.min(Math.max(this.distance / factor, 0.2), 5000);
    this.place();
  }

  /** Screen x, y and depth of a point; null at or behind the eye. */
  project(point) {
    const ray = minus(point, this.eye);
    const depth = dot(ray, this.forward);
    if (depth < NEAR_M) return null;
    const scale = this.focal / depth;
    return [this.middle[0] + dot(ray, this.right) * scale, this.middle[1] - dot(ray, this.up) * scale, depth];
  }

  /** The thing with the smallest outline that holds the point, since small things stand before large ones. */
  pick(x, y) {
    let best = null;
    for (const { entry, rectangle } of this.drawn) {
      const [left, top, right, bottom] = rectangle;
      if (x < left - 2 || x > right + 2 || y < top - 2 || y > bottom + 2) continue;
      const size = (right - left) * (bottom - top);
      if (best === null || size < best.size) best = { entry, size };
    }
    return best === null ? null : best.entry;
  }

  draw(picture) {
    const context = prepared(this.canvas);
    if (context === null) return;
    if (this.frame.stale) this.fit(this.frame.bounds ?? undefined);
    this.place();
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.drawn = [];
    this.drawFloor(context, picture.theme);
    const known = picture.held.filter(({ place }) => place !== null);
    for (const each of known) if (each.entry.isSurface) this.drawSurface(context, each, picture);
    for (const agent of this.memory.agents) this.drawPath(context, agent, picture);
    const things = known
      .filter(({ entry }) => !entry.isSurface)
      .map((each) => ({ each, away: this.away(each.place) }))
      .sort((a, b) => b.away - a.away);
    for (const { each } of things) this.drawThing(context, each, picture);
    for (const { each } of things) this.drawTrail(context, each, picture);
    for (const agent of this.memory.agents) this.drawEye(context, agent, picture);
    this.drawNames(context, width, height, picture);
  }

  /** Distance to the nearest point of a box: the order that puts a mug before the table it stands on. */
  away({ low, high }) {
    return Math.hypot(...this.eye.map((value, axis) => value - Math.min(Math.max(value, low[axis]), high[axis])));
  }

  /** A line between two points of the world, cut off at the eye. */
  segment(context, from, to) {
    const depths = [from, to].map((point) => dot(minus(point, this.eye), this.forward) - 2 * NEAR_M);
    if (depths[0] < 0 && depths[1] < 0) return;
    const cut = plus(from, minus(to, from), depths[0] / (depths[0] - depths[1]));
    const [start, end] = [depths[0] < 0 ? cut : from, depths[1] < 0 ? cut : to].map((point) => this.project(point));
    if (start !== null && end !== null) line(context, start, end);
  }

  drawFloor(context, theme) {
    const [low, high] = this.memory.bounds;
    const step = roundStep(Math.max(high[0] - low[0], high[1] - low[1], 1) / 24);
    const [left, right] = [Math.floor(low[0] / step) * step, Math.ceil(high[0] / step) * step];
    const [near, far] = [Math.floor(low[1] / step) * step, Math.ceil(high[1] / step) * step];
    context.strokeStyle = theme.line;
    context.globalAlpha = 0.6;
    context.lineWidth = 1;
    for (let x = left; x <= right + step / 2; x += step) this.segment(context, [x, near, low[2]], [x, far, low[2]]);
    for (let y = near; y <= far + step / 2; y += step) this.segment(context, [left, y, low[2]], [right, y, low[2]]);
    context.globalAlpha = 1;
  }

  drawSurface(context, { entry, place }, { theme, selected }) {
    const corners = cornersOf(place);
    context.strokeStyle = entry === selected ? theme.accent : theme.surface;
    context.globalAlpha = entry === selected ? 1 : 0.3;
    context.lineWidth = entry === selected ? 2.5 : 1;
    for (const [from, to] of EDGES) this.segment(context, corners[from], corners[to]);
    context.globalAlpha = 1;
  }

  drawThing(context, { entry, place, absent, inView, matches }, { theme, selected, hovered }) {
    const corners = cornersOf(place).map((corner) => this.project(corner));
    if (corners.includes(null)) return; // Beside or behind the eye.
    const xs = corners.map((corner) => corner[0]);
    const ys = corners.map((corner) => corner[1]);
    const rectangle = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    this.drawn.push({ entry, rectangle, absent, matches, inView });
    const picked = entry === selected || entry === hovered;
    const shown = matches || picked ? 1 : 0.12;
    const colour = absent ? theme.absent : entry.colour[theme.index];
    context.strokeStyle = picked ? theme.accent : colour;
    context.fillStyle = colour;
    context.lineWidth = picked ? 2.5 : inView ? 1.8 : 1;
    if (absent) context.setLineDash([3, 3]);
    // Large boxes are pale, so that what stands in and behind them is seen.
    const side = Math.sqrt((rectangle[2] - rectangle[0]) * (rectangle[3] - rectangle[1]));
    const solid = Math.max(0.1, Math.min(0.6, 14 / side)) + (inView ? 0.15 : 0);
    const edges = new Path2D();
    for (const { axis, high, corners: turn, light } of FACES) {
      const towards = high ? this.eye[axis] > place.high[axis] : this.eye[axis] < place.low[axis];
      if (!towards) continue;
      const face = new Path2D();
      for (const corner of turn) face.lineTo(corners[corner][0], corners[corner][1]);
      face.closePath();
      edges.addPath(face);
      context.globalAlpha = shown * light * (absent ? 0.08 : solid);
      context.fill(face);
    }
    context.globalAlpha = shown * (absent ? 0.8 : 0.9);
    context.stroke(edges);
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  drawTrail(context, { entry, matches }, { theme, selected, hovered, instant }) {
    const picked = entry === selected || entry === hovered;
    for (const { from, to, at } of entry.moves) {
      if (at > instant) break;
      const [start, end] = [this.project(from), this.project(to)];
      if (start === null || end === null) continue;
      context.globalAlpha = picked ? 1 : matches ? 0.6 : 0.1;
      arrow(context, start, end, entry.colour[theme.index], picked ? 2.5 : 1.5);
    }
    context.globalAlpha = 1;
  }

  drawPath(context, agent, { theme, instant }) {
    context.strokeStyle = agent.colour[theme.index];
    context.lineWidth = 1.5;
    for (const run of agent.runs) {
      const n = lastAtOrBefore(run.at, instant) + 1;
      const seen = run.xyz.map((point) => this.project(point));
      for (const [points, alpha] of [
        [seen, 0.15],
        [seen.slice(0, n), 0.6],
      ]) {
        context.globalAlpha = alpha;
        context.beginPath();
        // What passes behind the eye breaks the line.
        points.forEach(
          (at, k) => at && (k > 0 && points[k - 1] ? context.lineTo(at[0], at[1]) : context.moveTo(at[0], at[1])),
        );
        context.stroke();
      }
    }
    context.globalAlpha = 1;
  }

  /** The agent's field of view as a pyramid; only a ring where it was last known. */
  drawEye(context, agent, { theme, instant }) {
    const seen = agent.at(instant);
    if (seen === null) return;
    const at = this.project(seen.xyz);
    if (at === null) return;
    context.strokeStyle = context.fillStyle = agent.colour[theme.index];
    context.lineWidth = 1.5;
    context.beginPath();
    context.arc(at[0], at[1], 5, 0, 2 * Math.PI);
    if (seen.stale) context.stroke();
    else context.fill();
    if (seen.stale) return;
    const { forward } = seen;
    const level = Math.hypot(forward[0], forward[1]) || 1;
    const right = [forward[1] / level, -forward[0] / level, 0];
    const up = [right[1] * forward[2], -right[0] * forward[2], right[0] * forward[1] - right[1] * forward[0]];
    const wide = 0.8 * Math.tan(FIELD_OF_VIEW_RAD / 2);
    const tips = [
      [1, 1],
      [1, -1],
      [-1, -1],
      [-1, 1],
    ].map(([x, y]) => plus(plus(plus(seen.xyz, forward, 0.8), right, x * wide), up, y * wide * 0.75));
    tips.forEach((tip, k) => {
      this.segment(context, seen.xyz, tip);
      this.segment(context, tip, tips[(k + 1) % 4]);
    });
  }

  drawNames(context, width, height, picture) {
    const { theme, selected, hovered } = picture;
    const field = new LabelField(width, height);
    field.take(0, 0, 60, 24, true);
    const agents = [];
    for (const agent of this.memory.agents) {
      const seen = agent.at(picture.instant);
      const at = seen === null ? null : this.project(seen.xyz);
      if (at === null) continue;
      const rectangle = [at[0] - 6, at[1] - 6, at[0] + 6, at[1] + 6];
      agents.push({ text: agent.name, rectangle, colour: agent.colour[theme.index], must: true, bold: true });
    }
    const named = this.drawn.filter(({ matches }) => matches);
    const wishes = labelOrder(named, picture).map(({ entry, rectangle, absent }) => ({
      text: entry.label,
      rectangle,
      colour: absent ? theme.muted : theme.ink,
      struck: absent,
      must: entry === selected || entry === hovered,
      bold: entry === selected,
    }));
    drawLabels(context, width, height, [...agents, ...wishes], field, theme);
  }
}
