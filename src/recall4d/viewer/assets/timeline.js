// The time line: who was looking when, what changed when, and when the selected entry was in view.

const THUMB_PX = 8; // Half the slider's thumb: its track begins that far inside, and so does everything drawn.

class Timeline {
  constructor(canvas, slider, memory) {
    this.canvas = canvas;
    this.memory = memory;
    slider.max = String(Math.max(memory.span_ms, 1));
  }

  draw({ theme, instant, selected }) {
    const context = prepared(this.canvas);
    if (context === null) return;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    const { agents, changes } = this.memory;
    const span = Math.max(this.memory.span_ms, 1);
    const x = (at) => THUMB_PX + (width - 2 * THUMB_PX) * Math.min(Math.max(at / span, 0), 1);
    const bar = (from, to, top, thick) => context.fillRect(x(from), top, Math.max(x(to) - x(from), 1.5), thick);

    const lane = Math.min(8, 20 / Math.max(agents.length, 1));
    agents.forEach((agent, index) => {
      const top = 15 + index * lane;
      context.globalAlpha = 0.8;
      context.fillStyle = agent.colour[theme.index];
      for (const run of agent.runs) bar(run.at[0], run.at[run.at.length - 1], top, Math.max(lane - 2, 1));
    });
    if (selected !== null) {
      context.globalAlpha = 1;
      context.fillStyle = theme.accent;
      for (const [code, from, to] of selected.sightings) bar(from, to + agents[code].hold_ms, height - 9, 6);
    }
    for (const change of changes) {
      const mine = change.entry === selected;
      context.globalAlpha = mine || selected === null ? 1 : 0.3;
      context.fillStyle = change.kind === "gone" ? theme.absent : theme.moved;
      context.beginPath();
      const [at, size] = [x(change.at), mine ? 6 : 4.5];
      context.moveTo(at - size, 8 - size);
      context.lineTo(at + size, 8 - size);
      context.lineTo(at, 8 + size);
      context.fill();
    }
    context.globalAlpha = 1;
    context.fillStyle = theme.ink;
    context.fillRect(x(instant) - 0.75, 2, 1.5, height - 2);
  }

  /**
   * Instant of the nearest change after (`way` 1) or before (`way` -1) `instant`, of the selected entry if it changed
   * at all; the end or the start of the memory when none is left.
   */
  change(instant, way, selected) {
    const mine = selected !== null && selected.changes.length ? selected.changes : this.memory.changes;
    const later = mine.map((each) => each.at).filter((at) => way * (at - instant) > 0);
    if (later.length === 0) return way > 0 ? this.memory.span_ms : 0;
    return way > 0 ? Math.min(...later) : Math.max(...later);
  }
}
