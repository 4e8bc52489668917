// The plan: the world seen from above, x to the right and y up the page.

const SMALLEST_PX = 6; // A mug in a house is a pixel wide; it is drawn, and can be hit, at this size.
const SIGHT_M = 1.6; // Length of the wedge that shows where an agent looks.

class PlanView {
  constructor(canvas, memory) {
    this.canvas = canvas;
    this.memory = memory;
    this.picture = null;
    this.frame = new Frame(canvas);
  }

  /** Shows everything, or the box [low, high] when given. */
  fit(bounds = this.memory.bounds) {
    const [low, high] = bounds;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (width === 0 || height === 0) return;
    const margin = Math.min(30, width / 8, height / 8);
    const [across, along] = [Math.max(high[0] - low[0], 0.5), Math.max(high[1] - low[1], 0.5)];
    this.scale = Math.min((width - 2 * margin) / across, (height - 2 * margin) / along);
    this.centre = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2];
    this.frame.fitted(bounds);
  }

  drag(dx, dy) {
    this.frame.moved();
    this.centre = [this.centre[0] - dx / this.scale, this.centre[1] + dy / this.scale];
  }

  zoom(factor, x, y) {
    this.frame.moved();
    const before = this.world(x, y);
    this.scale = Math.min(Math.max(this.scale * factor, 0.01), 5000);
    const after = this.world(x, y);
    this.centre = this.centre.map((value, axis) => value + before[axis] - after[axis]);
  }

  screen([x, y]) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return [width / 2 + (x - this.centre[0]) * this.scale, height / 2 - (y - this.centre[1]) * this.scale];
  }

  world(x, y) {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    return [this.centre[0] + (x - width / 2) / this.scale, this.centre[1] - (y - height / 2) / this.scale];
  }

  /** Moves just far enough for the place to be seen. */
  reveal(place) {
    if (this.picture === null || place === null) return;
    const [x, y] = this.screen(place.centre);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (x > 20 && y > 20 && x < width - 20 && y < height - 20) return;
    this.frame.moved();
    this.centre = place.centre.slice(0, 2);
  }

  /** [left, top, right, bottom] of a place on the screen, never smaller than can be seen. */
  rectangle(place) {
    const [left, bottom] = this.screen(place.low);
    const [right, top] = this.screen(place.high);
    const growX = Math.max(SMALLEST_PX - (right - left), 0) / 2;
    const growY = Math.max(SMALLEST_PX - (bottom - top), 0) / 2;
    return [left - growX, top - growY, right + growX, bottom + growY];
  }

  /** The smallest thing under a point, since small things lie on large ones; null when there is none. */
  pick(x, y) {
    if (this.picture === null) return null;
    let best = null;
    for (const { entry, place } of this.picture.held) {
      if (place === null || entry.isSurface || (best !== null && best.footprint <= entry.footprint)) continue;
      const [left, top, right, bottom] = this.rectangle(place);
      if (x >= left - 2 && x <= right + 2 && y >= top - 2 && y <= bottom + 2) best = entry;
    }
    return best;
  }

  draw(picture) {
    const context = prepared(this.canvas);
    if (context === null) return;
    this.picture = picture;
    if (this.frame.stale) this.fit(this.frame.bounds ?? undefined);
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const known = picture.held.filter(({ place }) => place !== null);
    this.drawGrid(context, width, height, picture.theme);
    const surfaces = known.filter(({ entry }) => entry.isSurface);
    const things = known.filter(({ entry }) => !entry.isSurface);
    for (const each of surfaces) this.drawSurface(context, each, picture);
    // From the floor up, as they would hide each other.
    things.sort((a, b) => a.place.high[2] - b.place.high[2]);
    for (const each of things) this.drawThing(context, each, picture);
    for (const each of things) this.drawTrail(context, each, picture);
    for (const agent of this.memory.agents) this.drawAgent(context, agent, picture);
    this.drawNames(context, width, height, things, surfaces, picture);
    this.drawScale(context, width, height, picture.theme);
  }

  drawGrid(context, width, height, theme) {
    const step = roundStep(44 / this.scale);
    const [left, top] = this.world(0, 0);
    const [right, bottom] = this.world(width, height);
    context.lineWidth = 1;
    context.strokeStyle = theme.grid;
    for (let x = Math.ceil(left / step) * step; x <= right; x += step) {
      const [at] = this.screen([x, 0]);
      line(context, [Math.round(at) + 0.5, 0], [Math.round(at) + 0.5, height]);
    }
    for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
      const [, at] = this.screen([0, y]);
      line(context, [0, Math.round(at) + 0.5], [width, Math.round(at) + 0.5]);
    }
  }

  drawSurface(context, { entry, place, matches }, { theme, selected }) {
    const [left, top, right, bottom] = this.rectangle(place);
    context.globalAlpha = entry === selected ? 0.35 : matches ? 0.1 : 0.04;
    context.fillStyle = theme.surface;
    context.fillRect(left, top, right - left, bottom - top);
    context.globalAlpha = entry === selected ? 1 : 0.3;
    context.strokeStyle = entry === selected ? theme.accent : theme.surface;
    context.lineWidth = entry === selected ? 2 : 1;
    context.strokeRect(left, top, right - left, bottom - top);
    context.globalAlpha = 1;
  }

  drawThing(context, { entry, place, absent, inView, matches }, { theme, selected, hovered }) {
    const [left, top, right, bottom] = this.rectangle(place);
    const [wide, high] = [right - left, bottom - top];
    const picked = entry === selected || entry === hovered;
    const colour = absent ? theme.absent : entry.colour[theme.index];
    const shown = matches || picked ? 1 : 0.15;
    context.fillStyle = colour;
    // Large boxes are pale, so that what stands on them is seen.
    const pale = Math.max(0.14, Math.min(0.75, 12 / Math.sqrt(wide * high)));
    context.globalAlpha = shown * (absent ? 0.06 : inView ? Math.min(pale + 0.15, 0.9) : pale);
    context.fillRect(left, top, wide, high);
    context.globalAlpha = shown * (absent ? 0.7 : inView ? 1 : 0.75);
    context.strokeStyle = colour;
    context.lineWidth = inView ? 2 : 1;
    if (absent) context.setLineDash([3, 3]);
    context.strokeRect(left, top, wide, high);
    context.setLineDash([]);
    if (absent) {
      context.lineWidth = 1;
      line(context, [left, top], [right, bottom]);
      line(context, [left, bottom], [right, top]);
    }
    context.globalAlpha = 1;
    if (picked) {
      context.strokeStyle = theme.accent;
      context.lineWidth = entry === selected ? 3 : 2;
      context.strokeRect(left - 3, top - 3, wide + 6, high + 6);
    }
  }

  /** From where to where a thing went, up to the instant shown. */
  drawTrail(context, { entry, matches }, { theme, selected, hovered, instant }) {
    const picked = entry === selected || entry === hovered;
    context.globalAlpha = picked ? 1 : matches ? 0.7 : 0.1;
    for (const { from, to, at } of entry.moves) {
      if (at > instant) break;
      const [start, end] = [this.screen(from), this.screen(to)];
      arrow(context, start, end, entry.colour[theme.index], picked ? 2.5 : 1.5);
      context.lineWidth = 1.5;
      context.beginPath();
      context.arc(start[0], start[1], 3.5, 0, 2 * Math.PI);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  drawAgent(context, agent, { theme, instant }) {
    const colour = agent.colour[theme.index];
    context.strokeStyle = colour;
    for (const run of agent.runs) {
      const n = lastAtOrBefore(run.at, instant) + 1;
      context.lineWidth = 1;
      context.globalAlpha = 0.16;
      this.path(context, run.xyz);
      context.lineWidth = 1.5;
      context.globalAlpha = 0.55;
      this.path(context, run.xyz.slice(0, n));
    }
    context.globalAlpha = 1;
    const seen = agent.at(instant);
    if (seen === null) return;
    const [x, y] = this.screen(seen.xyz);
    if (!seen.stale) {
      const angle = Math.atan2(-seen.forward[1], seen.forward[0]);
      const reach = Math.max(SIGHT_M * this.scale, 26);
      const fade = context.createRadialGradient(x, y, 0, x, y, reach);
      fade.addColorStop(0, colour);
      fade.addColorStop(1, `${colour}00`);
      context.globalAlpha = 0.5;
      context.fillStyle = fade;
      context.beginPath();
      context.moveTo(x, y);
      context.arc(x, y, reach, angle - FIELD_OF_VIEW_RAD / 2, angle + FIELD_OF_VIEW_RAD / 2);
      context.fill();
      context.globalAlpha = 1;
    }
    context.fillStyle = seen.stale ? theme.paper : colour;
    context.strokeStyle = seen.stale ? colour : theme.paper;
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x, y, 6, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }

  path(context, points) {
    context.beginPath();
    for (const point of points) context.lineTo(...this.screen(point));
    context.stroke();
  }

  drawNames(context, width, height, things, surfaces, picture) {
    const { theme, selected, hovered } = picture;
    const field = new LabelField(width, height);
    field.take(0, 0, 130, 24, true);
    field.take(0, height - 62, 70, 62, true);
    field.take(width - 160, height - 34, 160, 34, true);
    const agents = [];
    for (const agent of this.memory.agents) {
      const seen = agent.at(picture.instant);
      if (seen === null) continue;
      const [x, y] = this.screen(seen.xyz);
      field.take(x - 7, y - 7, 14, 14, true);
      const colour = agent.colour[theme.index];
      agents.push({ text: agent.name, rectangle: [x - 7, y - 7, x + 7, y + 7], colour, must: true, bold: true });
    }
    // A label may lie on a table, but not on a mug.
    for (const { place, matches } of things) {
      const [left, top, right, bottom] = this.rectangle(place);
      if (matches && right - left < 16 && bottom - top < 16)
        field.take(left, top, right - left, bottom - top, true);
    }
    const named = [...things, ...surfaces.filter(({ entry }) => entry === selected || entry === hovered)];
    const wishes = labelOrder(
      named.filter(({ matches }) => matches),
      picture,
    ).map((each) => ({
      text: each.entry.label,
      rectangle: this.rectangle(each.place),
      colour: each.absent ? theme.muted : theme.ink,
      struck: each.absent,
      must: each.entry === selected || each.entry === hovered,
      bold: each.entry === selected,
    }));
    drawLabels(context, width, height, [...agents, ...wishes], field, theme);
  }

  /** Scale bar and the directions of the world's axes. */
  drawScale(context, width, height, theme) {
    const step = roundStep(60 / this.scale);
    const length = step * this.scale;
    const [x, y] = [width - 18, height - 16];
    context.strokeStyle = context.fillStyle = theme.ink;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x - length, y - 5);
    context.lineTo(x - length, y);
    context.lineTo(x, y);
    context.lineTo(x, y - 5);
    context.stroke();
    context.font = LABEL_FONT;
    context.textAlign = "center";
    context.textBaseline = "alphabetic";
    context.fillText(formatLength(step).replace(".00", ""), x - length / 2, y - 6);
    const origin = [18, height - 16];
    for (const [name, dx, dy] of [
      ["x", 30, 0],
      ["y", 0, -30],
    ]) {
      const tip = [origin[0] + dx, origin[1] + dy];
      line(context, origin, tip);
      context.beginPath();
      const along = Math.atan2(dy, dx);
      for (const turn of [0, 2.6, -2.6]) {
        const reach = turn === 0 ? 3 : 6;
        context.lineTo(tip[0] + reach * Math.cos(along + turn), tip[1] + reach * Math.sin(along + turn));
      }
      context.fill();
      context.fillText(name, tip[0] + dx / 3, tip[1] + dy / 3 + 4);
    }
  }
}
