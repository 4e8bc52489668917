// What is written rather than drawn: the list of entries, the details of one, and the legend.
// Text from the memory is only ever set as text, never as markup.

/** An element with properties and children; strings become text. */
function make(tag, properties = {}, ...children) {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** The crop of an entry, or a patch of its colour. */
function pictureOf(entry, theme) {
  const picture =
    entry.crop === null
      ? make("span", { className: "picture" })
      : make("img", { className: "picture", src: entry.crop, alt: "", loading: "lazy" });
  picture.style.borderColor = entry.colour[theme.index];
  if (entry.crop === null) picture.style.backgroundColor = entry.colour[theme.index];
  return picture;
}

/** Every word must occur; "in view" and "absent" are about the instant shown. */
function matcher(query) {
  let rest = query.toLowerCase();
  const wanted = [];
  for (const [phrase, test] of [
    ["in view", (held) => held.inView],
    ["absent", (held) => held.absent],
  ]) {
    if (!rest.includes(phrase)) continue;
    rest = rest.replace(phrase, " ");
    wanted.push(test);
  }
  const words = rest.split(/\s+/).filter(Boolean);
  return (held) => wanted.every((test) => test(held)) && words.every((word) => held.entry.words.includes(word));
}

class EntryList {
  constructor(list, found, memory, on) {
    this.found = found;
    this.rows = new Map();
    const order = [...memory.entries].sort(
      (a, b) => a.isSurface - b.isSurface || a.label.localeCompare(b.label) || a.places[0].from - b.places[0].from,
    );
    const theme = readTheme();
    for (const entry of order) {
      const flag = make("span", { className: "flag" });
      const about = make("span", { className: "about" }, flag, entry.description);
      const row = make(
        "button",
        { type: "button", className: "row", title: entry.description },
        pictureOf(entry, theme),
        make("span", {}, make("span", { className: "name" }, entry.label), about),
      );
      row.addEventListener("click", () => on.select(entry));
      row.addEventListener("pointerenter", () => on.hover(entry));
      row.addEventListener("pointerleave", () => on.hover(null));
      this.rows.set(entry, { row, flag });
    }
    list.append(...[...this.rows.values()].map(({ row }) => row));
    list.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      const next = event.key === "ArrowDown" ? "nextElementSibling" : "previousElementSibling";
      let row = document.activeElement[next];
      while (row && row.hidden) row = row[next];
      row?.focus();
    });
  }

  update({ held, selected, hovered, searching }) {
    let [shown, known] = [0, 0];
    for (const each of held) {
      const { row, flag } = this.rows.get(each.entry);
      row.hidden = !each.matches;
      row.classList.toggle("selected", each.entry === selected);
      row.classList.toggle("hovered", each.entry === hovered);
      row.classList.toggle("unseen", each.place === null);
      row.classList.toggle("absent", each.absent);
      if (each.entry === selected) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
      const text = flagOf(each);
      if (flag.textContent !== text) flag.textContent = text;
      if (each.matches) shown += 1;
      if (each.place !== null) known += 1;
    }
    const unseen = held.length - known;
    const count = searching ? `${shown} of ${held.length} match` : `${known} known`;
    this.found.textContent = unseen ? `${count} · ${unseen} not yet seen` : count;
  }

  reveal(entry) {
    this.rows.get(entry)?.row.scrollIntoView({ block: "nearest" });
  }

  focus() {
    [...this.rows.values()].find(({ row }) => !row.hidden)?.row.focus();
  }
}

/** How an entry stands at the instant shown, in a word before its description; empty when it is just remembered. */
function flagOf({ place, absent, inView }) {
  if (place === null) return "not yet seen · ";
  if (absent) return "absent · ";
  return inView ? "in view · " : "";
}

/** The same as a sentence. */
function statusOf({ place, absent, inView }) {
  if (place === null) return "Not yet seen at this instant";
  if (absent) return "Absent: seen to be no longer there";
  return inView ? "In view at this instant" : "Last known here";
}

class Details {
  constructor(section, memory, on) {
    Object.assign(this, { section, memory, on, shown: undefined });
  }

  update({ held, selected, instant }) {
    const now = selected === null ? null : held.find(({ entry }) => entry === selected);
    // Made anew for another entry only, so that the focus stays on the button that was pressed.
    if (this.shown !== selected) this.build(selected);
    if (now === null) return;
    this.status.textContent = statusOf(now);
    this.status.classList.toggle("absent", now.absent);
    const place = now.place ?? selected.places[0];
    this.where.textContent = formatPlace(place.centre);
    this.size.textContent = formatSize(place.size);
    this.states.forEach((button, index) => {
      button.classList.toggle("current", index === lastAtOrBefore(selected.begins, instant));
    });
  }

  build(entry) {
    this.shown = entry;
    if (entry === null) {
      this.section.replaceChildren(
        make("p", { className: "hint" }, "Select an entry in the list or in a map to read what is known of it."),
      );
      return;
    }
    const { memory, on } = this;
    this.status = make("p", { className: "status" });
    this.where = make("dd");
    this.size = make("dd");
    this.states = entry.places.map((place) => this.state(entry, place));
    const same = entry.possibly_same_as
      .filter((id) => memory.byId.has(id))
      .map((id) => {
        const other = memory.byId.get(id);
        const button = make("button", { type: "button" }, `${other.label} (${id})`);
        button.addEventListener("click", () => on.select(other));
        return button;
      });
    const pairs = [
      ["Category", entry.category ?? "none given"],
      ["Centre", this.where],
      ["Size", this.size],
      ["First seen", this.instant(entry.first_seen)],
      ["Last seen", this.instant(entry.last_seen)],
      ["Seen by", entry.agents.map((code) => memory.agents[code].name).join(", ")],
      ["Rests on", `${entry.n_observations} observation${entry.n_observations === 1 ? "" : "s"}`],
      ["Now", `${entry.visibility}, ${entry.motion}${entry.isSurface ? ", surface" : ""}`],
      ...entry.attributes,
      ["Id", entry.id],
    ];
    this.section.replaceChildren(
      ...(entry.crop === null
        ? []
        : [make("img", { className: "crop", src: entry.crop, alt: `Best view of ${entry.label}` })]),
      make("h2", {}, entry.description || entry.label),
      this.status,
      make(
        "dl",
        {},
        ...pairs.flatMap(([term, value]) => [
          make("dt", {}, term),
          value instanceof Node && value.nodeName === "DD" ? value : make("dd", {}, value),
        ]),
      ),
      make("h3", {}, this.states.length === 1 ? "State" : "States, oldest first"),
      make("div", { className: "states" }, ...this.states),
      ...(same.length
        ? [make("h3", {}, "Possibly the same as"), make("div", { className: "links" }, ...same)]
        : []),
    );
    this.section.parentElement.scrollTop = 0;
  }

  state(entry, place) {
    const agent = this.memory.agents[place.agent];
    const button = make(
      "button",
      { type: "button", title: "Show this instant" },
      make("span", {}, place.absent ? "absent" : place.visibility === "absent" ? "present" : place.visibility),
      make("span", { className: "when" }, `from ${formatInstant(place.from)}`),
      make("span", { className: "where" }, `${formatPlace(place.centre)}${agent ? ` · ${agent.name}` : ""}`),
    );
    button.addEventListener("click", () => this.on.show(place.from));
    return button;
  }

  /** An instant that can be gone to. */
  instant(at) {
    const button = make("button", { type: "button", title: "Show this instant" }, formatInstant(at));
    button.addEventListener("click", () => this.on.show(at));
    return button;
  }
}

/** A small sample of each way of drawing, beside what it means. */
function drawLegend(section, memory, theme) {
  const sample = (paint, text) => {
    const canvas = make("canvas");
    const entry = make("li", {}, canvas, make("span", {}, text));
    requestAnimationFrame(() => {
      const context = prepared(canvas);
      if (context !== null) paint(context);
    });
    return entry;
  };
  const box =
    (alpha, width, colour, dash = []) =>
    (context) => {
      Object.assign(context, { fillStyle: colour, strokeStyle: colour, lineWidth: width, globalAlpha: alpha });
      context.fillRect(5, 2, 20, 12);
      context.globalAlpha = 1;
      context.setLineDash(dash);
      context.strokeRect(5, 2, 20, 12);
    };
  const colour = (memory.colours[1] ?? memory.colours[0])[1 + theme.index];
  const agents = memory.agents.map((agent) =>
    sample((context) => {
      context.strokeStyle = context.fillStyle = agent.colour[theme.index];
      context.lineWidth = 1.5;
      line(context, [1, 8], [29, 8]);
      context.beginPath();
      context.arc(15, 8, 5, 0, 2 * Math.PI);
      context.fill();
    }, agent.name),
  );
  const keys = [
    ["/", "search"],
    ["[  ]", "previous, next change"],
    ["space", "play"],
    ["f", "zoom to the selected"],
    ["0", "show everything"],
    ["esc", "select nothing"],
  ];
  section.replaceChildren(
    ...(agents.length ? [make("h3", {}, "Agents"), make("ul", {}, ...agents)] : []),
    make("h3", {}, "At the instant shown"),
    make(
      "ul",
      {},
      sample(box(0.7, 2, colour), "in view"),
      sample(box(0.35, 1, colour), "remembered"),
      sample((context) => {
        box(0.06, 1, theme.absent, [3, 3])(context);
        context.setLineDash([]);
        line(context, [5, 2], [25, 14]);
        line(context, [5, 14], [25, 2]);
      }, "absent: no longer where it was"),
      sample((context) => arrow(context, [2, 12], [27, 4], colour, 1.5), "moved, from where to where"),
      sample(box(0.15, 1, theme.surface), "surface: wall, floor, ceiling"),
    ),
    make(
      "p",
      { className: "note" },
      "Colours tell categories apart. Wedges show where an agent looks, not its lens: they are 60° wide.",
    ),
    make("h3", {}, "Keys"),
    make(
      "ul",
      { className: "keys" },
      ...keys.map(([key, meaning]) => make("li", {}, make("kbd", {}, key), make("span", {}, meaning))),
    ),
    make("p", { className: "note" }, "In 3D, drag turns and shift-drag moves; the wheel zooms both maps."),
    ...(memory.left_out.length ? [make("h3", {}, "Not in this page")] : []),
    ...memory.left_out.map((sentence) => make("p", { className: "note" }, sentence)),
  );
}
