// Episodes played frame by frame, and what is said of them beside it.
// Whatever a model or a file has said is set as text, never as markup.

/** Returns an element; properties are set as they are, and children may be texts. */
export function el(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Returns a word as people write it; a row that was not judged lacks some. */
export function plain(text) {
  return (text ?? "").replace(/_/g, " ");
}

/** Returns what an episode is one of. */
function kind({ family, difficulty, protocol }) {
  return [[family, difficulty].filter(Boolean).join(" "), protocol].filter(Boolean).join(" · ");
}

/** Returns the link to an episode in a list; `row` holds its verdict by the names of fields. */
export function entry(row, { href, current, run }) {
  const where = kind(row);
  const facts = [plain(row.reason) || row.outcome, row.model, run ? `run ${row.run}` : "", row.id];
  const small = facts.filter(Boolean).join(" · ");
  const a = el("a", { href, className: row.outcome }, where, el("small", {}, small));
  a.setAttribute("aria-label", `${where}, ${row.outcome}, ${small}`);
  if (current) a.setAttribute("aria-current", "true");
  return a;
}

/** Returns what stands above an episode; `to` gives the links of those before and after it. */
export function head(row, to) {
  const step = (href, text, label) => {
    const button = el("button", { type: "button", disabled: !href }, text);
    button.setAttribute("aria-label", label);
    button.onclick = () => (location.hash = href);
    return button;
  };
  return el(
    "header",
    {},
    el("h3", {}, kind(row)),
    el("span", { className: "badge" }, row.outcome),
    el("nav", {}, step(to.back, "‹", "Previous episode"), step(to.on, "›", "Next episode")),
  );
}

/** Returns what was judged, in numbers and in sentences. */
export function verdict(row, episode) {
  const facts = [row.model, `run ${row.run}`, row.id];
  const number = (name, text) => {
    if (row[name] !== null && row[name] !== undefined) facts.push(text.replace("#", row[name]));
  };
  number("optimal_length", "optimum #");
  number("moves", "answer #");
  number("legal_moves", "# legal");
  number("rounds", "# rounds");
  number("distance", "# steps from the goal");
  const judged = `${plain(row.reason)}: ${episode.detail ?? ""}`;
  const drawn = row.outcome === "drawing";
  const sentence = episode.error ?? (drawn ? "The answer is a drawing: no verdict." : judged);
  const also = [episode.said, episode.read, episode.problem].filter(Boolean);
  return [
    el("p", { className: "facts-line" }, facts.filter((fact) => fact).join(" · ")),
    el("p", { className: "verdict" }, sentence),
    ...also.map((text) => el("p", { className: "note" }, text)),
  ];
}

/**
 * An episode played frame by frame: `left` holds the boards and the controls, `right` the words.
 *
 * `episode` is as protocols/reports/page/shown.py has it; `sheet` holds the looks of its cells, and
 * `image` the picture of these, both null where there is nothing to play.
 */
export class Player {
  constructor({ episode, outcome, sheet, image }) {
    Object.assign(this, { episode, outcome, sheet, image, at: 0, timer: null });
    this.actions = episode.actions ?? [];
    this.boards = boards(episode.film);
    this.legal = Math.max(0, this.boards.length - 1);
    this.last = this.legal + (this.actions.length > this.legal ? 1 : 0);
    this.left = el("div", {});
    if (this.boards.length) this.left.append(...this.stage());
    this.right = this.words();
    if (!this.boards.length && episode.drawings) this.left.append(this.drawn());
  }

  stage() {
    const { cell } = this.sheet;
    const { columns } = this.episode.film;
    this.canvas = el("canvas", {
      width: columns * cell,
      height: (this.boards[0].length / columns) * cell,
    });
    this.canvas.setAttribute("role", "img");
    this.text = el("pre", {});
    this.slider = el("input", { type: "range", min: 0, max: this.last, value: 0 });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    this.status = el("p", { className: "status" });
    this.status.setAttribute("role", "status");
    this.button = control("▶", "Play", () => this.toggle());
    this.chips = this.actions.map((text, at) => {
      const kind = at < this.legal ? "" : at === this.legal ? "illegal" : "never";
      const chip = el("button", { type: "button", className: kind }, text);
      chip.onclick = () => this.seek(Math.min(at + 1, this.last));
      return chip;
    });
    const left = this.episode.left_out ? [el("span", {}, `and ${this.episode.left_out} more`)] : [];
    const actions = el("div", { className: "actions" }, ...this.chips, ...left);
    actions.setAttribute("role", "group");
    actions.setAttribute("aria-label", "Actions of the answer");
    const caption = el("figcaption", {}, "the true board");
    return [
      el("div", { className: "pictures" }, el("figure", {}, this.canvas, caption), this.drawn()),
      el(
        "div",
        { className: "player" },
        control("«", "First step", () => this.seek(0)),
        control("‹", "Step back", () => this.seek(this.at - 1)),
        this.button,
        control("›", "Step on", () => this.seek(this.at + 1)),
        control("»", "Last step", () => this.seek(this.last)),
        this.slider,
      ),
      this.status,
      actions,
      el("details", { className: "text-board" }, el("summary", {}, "Board as text"), this.text),
    ];
  }

  /** Returns where drawings are shown: that of the round, or all of them. */
  drawn() {
    this.pictures = el("figure", {});
    this.pictures.hidden = !this.episode.frames && !this.episode.drawings;
    if (this.episode.drawings) {
      this.pictures.append(...this.episode.drawings.flatMap((one) => drawing(one)));
    }
    return this.pictures;
  }

  words() {
    const { episode } = this;
    const pane = el("div", { className: "words", tabIndex: 0 });
    pane.setAttribute("role", "region");
    pane.setAttribute("aria-label", "What the model wrote");
    if (episode.reasoning) {
      const text = el("pre", {}, episode.reasoning);
      pane.append(el("details", {}, el("summary", {}, "Reasoning apart from the reply"), text));
    }
    if (episode.rounds) {
      this.rounds = episode.rounds.map((round, at) => this.round(round, at));
      pane.append(...this.rounds);
    } else if (episode.text) {
      const [before, answer, after] = episode.text;
      const mark = answer ? el("mark", { title: "the answer that was judged" }, answer) : null;
      const empty = before || answer || after ? null : "(an empty reply)";
      pane.append(el("h4", {}, "Reply"), el("pre", {}, before, mark, after, empty));
    }
    pane.hidden = pane.childNodes.length === 0;
    return pane;
  }

  round({ reply, probe, left }, at) {
    const go = el("button", { type: "button" }, `Round ${at + 1}`);
    go.onclick = () => this.seek(Math.min(at + 1, this.last));
    const count = left === null || left === undefined ? probe : `${left}`;
    const note = count ? el("small", {}, `steps that remain, it says: ${count}`) : null;
    return el("div", { className: "round" }, go, el("pre", {}, reply || "(an empty reply)"), note);
  }

  seek(at) {
    this.at = Math.min(Math.max(at, 0), this.last);
    if (this.canvas) this.draw();
    if (this.episode.frames && this.pictures) {
      const one = this.episode.frames[this.at - 1];
      const none = el("figcaption", {}, "no drawing at this step");
      this.pictures.replaceChildren(...(one ? drawing(one) : [none]));
    }
    mark(this.chips, this.at - 1);
    mark(this.rounds, this.at - 1);
    if (this.at === this.last) this.stop();
  }

  draw() {
    const board = this.boards[Math.min(this.at, this.legal)];
    const { cell, columns: across, tiles, characters } = this.sheet;
    const { columns } = this.episode.film;
    const context = this.canvas.getContext("2d");
    const lines = [];
    board.forEach((glyph, at) => {
      const [r, c] = [Math.floor(at / columns), at % columns];
      const [y, x] = [Math.floor(tiles[glyph] / across), tiles[glyph] % across];
      context.drawImage(
        this.image, x * cell, y * cell, cell, cell, c * cell, r * cell, cell, cell,
      );
      lines[r] = (lines[r] ?? "") + characters[glyph];
    });
    this.text.textContent = lines.join("\n");
    const illegal = this.at > this.legal;
    const end = this.at === this.last && ["optimal", "feasible"].includes(this.outcome);
    this.canvas.className = illegal ? "illegal" : end ? "reached" : "";
    this.slider.value = this.at;
    this.status.className = illegal ? "status illegal" : "status";
    this.status.textContent = this.said(illegal);
    this.canvas.setAttribute("aria-label", `${this.said(illegal)}. Board: ${lines.join(" / ")}`);
    this.slider.setAttribute("aria-valuetext", this.said(illegal));
  }

  said(illegal) {
    if (this.at === 0) return this.last ? "The start" : "The start; no action was played";
    const what = `Step ${this.at} of ${this.actions.length}: ${this.actions[this.at - 1]}`;
    return illegal ? `✕ ${what} – not played: ${this.episode.detail ?? ""}` : what;
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.last) this.seek(0);
    this.status.setAttribute("aria-live", "off");
    this.timer = setInterval(() => this.seek(this.at + 1), this.last > 40 ? 200 : 450);
    name(this.button, "▮▮", "Pause");
  }

  stop() {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
    this.status?.setAttribute("aria-live", "polite");
    if (this.button) name(this.button, "▶", "Play");
  }
}

/** Returns every board of a film, each an array of glyphs. */
function boards(film) {
  if (!film) return [];
  const all = [film.board];
  for (const change of film.changes) {
    const next = all[all.length - 1].slice();
    for (let k = 0; k < change.length; k += 2) next[change[k]] = change[k + 1];
    all.push(next);
  }
  return all;
}

function control(sign, label, act) {
  const button = el("button", { type: "button", onclick: act });
  name(button, sign, label);
  return button;
}

function name(button, sign, label) {
  button.textContent = sign;
  button.setAttribute("aria-label", label);
}

/** Marks one of the nodes as the current one, and brings it into the view of its own box. */
function mark(nodes, at) {
  (nodes ?? []).forEach((node, k) => {
    if (k !== at) return node.removeAttribute("aria-current");
    node.setAttribute("aria-current", "step");
    const box = node.parentElement;
    const top = node.offsetTop - box.offsetTop;
    if (top < box.scrollTop || top + node.offsetHeight > box.scrollTop + box.clientHeight) {
      box.scrollTop = top - 8;
    }
  });
}

/** Returns a drawing, where it is, and what the engine has read in it. */
function drawing({ src, href, problem, reading }) {
  const read = reading ? [reads(reading)] : [];
  const file = href ? el("a", { href }, "file") : null;
  if (problem) return [el("figcaption", {}, `drawn by the model: ${problem} `, file), ...read];
  const image = el("img", { src, alt: "What the model drew", loading: "lazy" });
  return [image, el("figcaption", {}, "drawn by the model, ", file), ...read];
}

function reads({ tone, said, detail }) {
  const sign = { good: "✓", bad: "✕", open: "?" }[tone];
  const more = detail ? el("small", {}, detail) : null;
  return el("p", { className: `reading ${tone}` }, `${sign} read: ${said}`, more);
}

/** Lets keys move what `current` returns, while the focus is in one of `places`, or nowhere. */
export function keyed(current, places) {
  addEventListener("keydown", (event) => {
    const player = current();
    if (!player?.canvas || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea, summary, th")) return;
    if (event.key === " " && event.target.closest("button, a")) return;
    const act = {
      ArrowLeft: () => player.seek(player.at - 1),
      ArrowRight: () => player.seek(player.at + 1),
      Home: () => player.seek(0),
      End: () => player.seek(player.last),
      " ": () => player.toggle(),
    }[event.key];
    const here = event.target === document.body || event.target.closest(places);
    if (!act || !here) return;
    event.preventDefault();
    act();
  });
}
