// Hands: what keyboard, mouse and touch mean on a board; how depends on the kind of the family alone.
//
// walk: the one piece goes where an arrow, a click or a swipe points. slide: a piece is taken, then
// goes where an arrow or a drag points. pair: two cells are chosen.

import { button, capital, el, typing } from "./dom.js";

const STEPS = { up: [-1, 0], right: [0, 1], down: [1, 0], left: [0, -1] };
const SIGNS = { up: "↑", right: "→", down: "↓", left: "←" };
const KEYS = {
  ArrowUp: "up", ArrowRight: "right", ArrowDown: "down", ArrowLeft: "left",
  w: "up", d: "right", s: "down", a: "left",
};
const same = (one, other) => one[0] === other[0] && one[1] === other[1];
const at = ([r, c]) => `(${r},${c})`;

/** Returns the direction that a key means, if it means one. */
const wayOf = (key) => KEYS[key] ?? KEYS[key.toLowerCase()];

export class Hands {
  /**
   * `table` has `game`, `board`, `tell(sentence)`, `act(hand)`, which returns the reply, and what
   * keys do besides: `undo()`, `restart()`, `hint()`, `toggleGrid()`.
   */
  constructor(table) {
    Object.assign(this, { table, focus: [0, 0], held: false, first: null, byKeys: false });
  }

  get kind() {
    return this.table.game.kind;
  }

  get over() {
    return Boolean(this.table.game.end);
  }

  /** Comes to another board. */
  begin(node) {
    this.letGo(false);
    this.focus = this.table.game.pieces[0]?.[0] ?? [0, 0];
    node.tabIndex = 0;
    node.setAttribute("role", "application");
    node.setAttribute("aria-roledescription", "board");
    node.onpointerdown = (event) => this.down(event);
    node.onpointermove = (event) => this.drag(event);
    node.onpointerup = () => this.up();
    node.onpointercancel = () => (this.from = null);
    node.onfocus = node.onblur = () => this.mark();
  }

  /** Returns the buttons that move as the arrows do. */
  pad() {
    const buttons = Object.entries(SIGNS).map(([way, sign]) =>
      button(sign, () => this.go(way), { className: way, label: capital(way) }),
    );
    const pad = el("div", { className: "pad", role: "group", hidden: true }, buttons);
    pad.setAttribute("aria-label", "Move");
    return pad;
  }

  letGo(show = true) {
    Object.assign(this, { held: false, first: null });
    if (show) this.mark();
  }

  // ---- What is done

  /** Moves what there is to move, or the focus. */
  go(way) {
    if (this.over) return undefined;
    if (this.kind === "walk") return this.table.act(() => ({ cell: this.table.game.walker, direction: way }));
    if (this.kind === "slide" && this.held) return this.slide(way);
    return this.look(way);
  }

  slide(way) {
    const moved = () => (this.focus = this.focus.map((n, k) => n + STEPS[way][k]));
    return this.table.act(() => ({ cell: this.focus, direction: way }), moved);
  }

  /** Moves the focus: by a cell, or past the piece that it is on. */
  look(way) {
    const { rows, columns } = this.table.board;
    const piece = this.piece(this.focus);
    let [r, c] = this.focus;
    do {
      r += STEPS[way][0];
      c += STEPS[way][1];
    } while (piece.some((cell) => same(cell, [r, c])));
    if (r < 0 || c < 0 || r >= rows || c >= columns) return;
    this.focus = [r, c];
    this.mark();
    this.table.tell(this.whatIs(this.focus));
  }

  /** Takes a piece or lets go of it (slide); chooses a cell (pair). */
  choose(cell = this.focus) {
    if (this.over || this.kind === "walk") return;
    if (this.kind === "slide") this.hold(cell);
    else this.pick(cell);
  }

  hold(cell) {
    const again = this.holds(cell);
    this.focus = cell;
    this.held = !again && this.isPiece(cell);
    const what = this.whatIs(cell);
    this.table.tell(this.held ? `${what} Taken: arrows move it.` : again ? "Let go." : what);
    this.mark();
  }

  pick(cell) {
    const [one, again] = [this.first, this.first && same(this.first, cell)];
    this.focus = cell;
    this.first = null;
    if (one && !again) {
      this.table.act(() => ({ cell: one, other: cell }));
    } else {
      if (!again && this.isPiece(cell)) this.first = cell;
      this.table.tell(this.first ? `${this.whatIs(cell)} Chosen; choose its twin.` : this.whatIs(cell));
    }
    this.mark();
  }

  // ---- Cells and pieces

  piece(cell) {
    const found = this.table.game.pieces.find((cells) => cells.some((one) => same(one, cell)));
    return found ?? [cell];
  }

  isPiece(cell) {
    return this.table.game.pieces.some((cells) => cells.some((one) => same(one, cell)));
  }

  holds(cell) {
    return this.held && this.piece(this.focus).some((one) => same(one, cell));
  }

  whatIs(cell) {
    const mark = this.table.game.board.split("\n")[cell[0]][cell[1]];
    return `${at(cell)}: ${this.isPiece(cell) ? mark : mark === "#" ? "wall" : "empty"}.`;
  }

  /** Shows where the focus is, for who plays by keys, and what has been chosen. */
  mark() {
    const { board } = this.table;
    const shown = this.kind !== "walk" && !this.over;
    const keys = this.byKeys || board.element.matches(":focus-visible");
    board.mark("focus", shown && keys && !this.held ? this.piece(this.focus) : []);
    const chosen = this.held ? this.focus : this.first;
    board.mark("chosen", shown && chosen ? this.piece(chosen) : []);
  }

  // ---- Keyboard

  press(event) {
    if (!this.table.game || this.over || typing(event)) return;
    const { target, key } = event;
    const here = target === document.body || target.closest("main");
    const act = here && this.meant(key, target.closest("button, a"));
    if (!act) return;
    event.preventDefault();
    if (wayOf(key) || key === "Enter" || key === " ") this.byKeys = true;
    act();
  }

  /** Returns what a key does; `pressed` is the button or link that Enter and Space belong to. */
  meant(key, pressed) {
    const way = wayOf(key);
    if (way) return () => this.go(way);
    if (key === "Enter" || key === " ") return pressed ? null : () => this.choose();
    const keys = {
      backspace: () => this.table.undo(),
      escape: () => this.letGo(),
      g: () => this.table.toggleGrid(),
      h: () => this.table.hint(),
      r: () => this.table.restart(),
      u: () => this.table.undo(),
    };
    return keys[key.toLowerCase()];
  }

  // ---- Mouse and touch

  down(event) {
    if (this.over || event.button !== 0) return;
    const { board } = this.table;
    this.byKeys = false;
    board.element.setPointerCapture(event.pointerId);
    const cell = board.cellAt(event);
    const fresh = this.kind === "slide" && !this.holds(cell);
    this.from = { x: event.clientX, y: event.clientY, cell, fresh, moved: false };
    if (fresh) this.hold(cell);
  }

  /** Goes a cell on whenever the pointer has come far enough. */
  drag(event) {
    const { from } = this;
    if (!from || this.over || this.kind === "pair" || (this.kind === "slide" && !this.held)) return;
    const [x, y] = [event.clientX - from.x, event.clientY - from.y];
    const { element, columns } = this.table.board;
    const cell = element.clientWidth / columns;
    if (Math.max(Math.abs(x), Math.abs(y)) < Math.max(18, cell * 0.6)) return;
    const way = direction(y, x);
    from.x += STEPS[way][1] * cell;
    from.y += STEPS[way][0] * cell;
    from.moved = true;
    this.go(way);
  }

  up() {
    const { from } = this;
    this.from = null;
    if (!from || from.moved || this.over) return;
    if (this.kind !== "walk") return void (from.fresh || this.choose(from.cell));
    const [down, across] = from.cell.map((n, k) => n - this.table.game.walker[k]);
    if (down || across) this.go(direction(down, across));
  }
}

function direction(down, across) {
  if (Math.abs(across) > Math.abs(down)) return across > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
