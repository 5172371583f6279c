// Board: a picture of a board, marks on its cells, and Film, which shows a list of boards in order.

import { button, calm, choice, el, say, typing } from "./dom.js";

/**
 * Draws boards, all of one size, from pictures.
 *
 * `element` is what to put into the page. A frame is {src, text, alt, state}: the address of a
 * picture (or a data URI), the board as text, what a screen reader says, and "", "illegal" or
 * "reached" for the colour of the frame around it.
 */
export class Board {
  constructor({ rows, columns, label = "Board" }) {
    Object.assign(this, { rows, columns, turn: 0 });
    this.picture = el("img", { alt: label, draggable: false, decoding: "sync" });
    this.marks = el("div", { className: "marks" });
    this.marks.setAttribute("aria-hidden", "true");
    this.element = el("div", { className: "board" }, this.picture, this.marks);
    this.element.style.setProperty("--rows", rows);
    this.element.style.setProperty("--columns", columns);
    this.label = label;
  }

  /** Shows a frame; the one before stays until the new picture can be painted. */
  async show({ src, text, alt, state = "" }, { fade = false } = {}) {
    const mine = ++this.turn;
    if (src !== this.src) {
      const next = el("img", { draggable: false, decoding: "sync", src });
      await next.decode().catch(() => {});
      if (mine !== this.turn) return;
      this.src = src;
      if (fade && !calm()) {
        const old = this.picture;
        old.after(next);
        old.alt = "";
        old.classList.add("under");
        next.animate([{ opacity: 0 }, { opacity: 1 }], 140).finished.finally(() => old.remove());
      } else {
        for (const image of this.element.querySelectorAll("img")) {
          if (image !== this.picture) image.remove();
        }
        this.picture.replaceWith(next);
      }
      this.picture = next;
    }
    this.element.classList.toggle("illegal", state === "illegal");
    this.element.classList.toggle("reached", state === "reached");
    this.picture.alt = alt ?? this.label;
    this.text = text ?? "";
  }

  /**
   * Marks cells, [row, column] each, as a `kind`: a class of style.css; no cells: takes it away.
   * With a `way` (up, right, down or left) the first cell has an arrow.
   */
  mark(kind, cells = [], way = null) {
    const wanted = new Map(cells.map(([r, c]) => [`${r},${c}`, [r, c]]));
    for (const node of this.marks.querySelectorAll(`.${kind}`)) node.remove();
    for (const [r, c] of wanted.values()) {
      const node = el("i", { className: kind });
      // An edge is drawn where the neighbour isn't marked, so that a piece has one outline.
      const sides = { top: [r - 1, c], right: [r, c + 1], bottom: [r + 1, c], left: [r, c - 1] };
      for (const [side, [row, column]] of Object.entries(sides)) {
        if (wanted.has(`${row},${column}`)) node.classList.add(`no-${side}`);
      }
      if (way && r === cells[0][0] && c === cells[0][1]) node.dataset.way = way;
      node.style.setProperty("--r", r);
      node.style.setProperty("--c", c);
      this.marks.append(node);
    }
  }

  /** Returns the cell under a pointer, [row, column], the nearest one where it has left the board. */
  cellAt({ clientX, clientY }) {
    const box = this.element.getBoundingClientRect();
    const within = (at, count) => Math.min(count - 1, Math.max(0, Math.floor(at * count)));
    return [
      within((clientY - box.top) / box.height, this.rows),
      within((clientX - box.left) / box.width, this.columns),
    ];
  }

  /** Says no without a word. */
  shake() {
    if (calm()) return;
    const frames = [0, -5, 4, -3, 2, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    this.element.animate(frames, { duration: 260, easing: "ease-out" });
  }
}

const SPEEDS = [["0.5", "½×"], ["1", "1×"], ["2", "2×"], ["4", "4×"]];
const BEAT = 600;

/**
 * Plays frames on a board: first, back, play, on, last, a slider and the speed.
 *
 * `frames` are frames of Board with a `caption`, the sentence beside the picture; `moved(at)` is told
 * where the film has got to. `element` holds the controls; keys work there and on the board.
 */
export class Film {
  constructor(board, frames, { moved = () => {}, label = "Film" } = {}) {
    Object.assign(this, { board, frames, moved, at: 0, timer: null, speed: 1 });
    const last = frames.length - 1;
    this.slider = el("input", { type: "range", min: 0, max: last, value: 0, step: 1 });
    this.slider.setAttribute("aria-label", "Step");
    this.slider.oninput = () => this.seek(Number(this.slider.value));
    this.toggle = button("▶", () => (this.timer ? this.stop() : this.play()), { label: "Play" });
    this.toggle.classList.add("primary");
    const { select } = choice("Speed", SPEEDS, "1", (value) => (this.speed = Number(value)));
    select.setAttribute("aria-label", "Speed");
    this.status = el("p", { className: "status" });
    this.count = el("span", { className: "count" });
    this.element = el(
      "div",
      { className: "film", role: "group" },
      el(
        "div",
        { className: "player" },
        button("«", () => this.seek(0), { label: "First step" }),
        button("‹", () => this.seek(this.at - 1), { label: "Step back" }),
        this.toggle,
        button("›", () => this.seek(this.at + 1), { label: "Step on" }),
        button("»", () => this.seek(last), { label: "Last step" }),
        this.slider,
        this.count,
        select,
      ),
      this.status,
    );
    this.element.setAttribute("aria-label", label);
    this.keys = (event) => this.press(event);
    this.element.addEventListener("keydown", this.keys);
    board.element.addEventListener("keydown", this.keys);
  }

  /** Shows frame `at`; `quiet` where it is the film that goes on, not a person. */
  async seek(at, quiet = false) {
    if (!quiet) this.stop();
    this.at = Math.min(Math.max(at, 0), this.frames.length - 1);
    const frame = this.frames[this.at];
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", frame.caption ?? "");
    this.count.textContent = `${this.at} / ${this.frames.length - 1}`;
    this.status.textContent = frame.caption ?? "";
    this.status.classList.toggle("illegal", frame.state === "illegal");
    if (!quiet) say(frame.caption ?? "");
    this.moved(this.at);
    const ahead = this.frames[this.at + 1];
    if (ahead) new Image().src = ahead.src;
    await this.board.show(frame, { fade: true });
  }

  async play() {
    if (this.at === this.frames.length - 1) await this.seek(0);
    this.sign("▮▮", "Pause");
    const beat = async () => {
      await this.seek(this.at + 1, true);
      if (this.timer === null) return;
      if (this.at === this.frames.length - 1) return this.stop();
      this.timer = setTimeout(beat, BEAT / this.speed);
    };
    this.timer = setTimeout(beat, BEAT / this.speed);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.sign("▶", "Play");
  }

  sign(text, label) {
    this.toggle.textContent = text;
    this.toggle.setAttribute("aria-label", label);
    this.toggle.title = label;
  }

  press(event) {
    if (typing(event) || (event.key === " " && event.target.closest("button"))) return;
    const act = {
      ArrowLeft: () => this.seek(this.at - 1),
      ArrowRight: () => this.seek(this.at + 1),
      Home: () => this.seek(0),
      End: () => this.seek(this.frames.length - 1),
      " ": () => (this.timer ? this.stop() : this.play()),
    }[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  close() {
    this.stop();
    this.board.element.removeEventListener("keydown", this.keys);
  }
}

/** Returns the film of a shortest solution: `frames` as the server tells them, and their pictures. */
export function solution(board, frames, pictures, told) {
  const last = frames.length - 1;
  const whole = frames.map((frame, k) => ({
    ...frame,
    src: pictures[k],
    alt: `Step ${k} of ${last}: ${frame.caption}`,
    state: k === last ? "reached" : "",
  }));
  return new Film(board, whole, { label: "A shortest solution", moved: (k) => told(frames[k].text) });
}
