// Table: a game on the screen, with what can be done about it, whatever the family.

import { Board, solution } from "./board.js";
import { ask, button, calm, capital, el, say } from "./dom.js";
import { counts, ending, head, invitation, manual } from "./guide.js";
import { Hands } from "./hands.js";

const MOST_WAITING = 3;

export class Table {
  /**
   * options: `hints`, `giveUp` (whether they are offered), `quiet` (nothing is said of the optimum),
   * `changed(game)` after every reply, `ended(game)` when a game has come to its end here, and
   * `again()` for the button that begins another game.
   */
  constructor(options = {}) {
    this.options = { hints: true, giveUp: true, quiet: false, ...options };
    Object.assign(this, { game: null, grid: false, waiting: 0 });
    this.hands = new Hands(this);
    this.queue = Promise.resolve();
    this.frame = el("div", { className: "frame" });
    this.status = el("p", { className: "status" });
    this.pad = this.hands.pad();
    this.stage = el("div", { className: "stage" }, this.frame, this.status, this.pad);
    this.head = el("div", {});
    this.tools = this.makeTools();
    this.result = el("section", { className: "card result", hidden: true, tabIndex: -1 });
    this.help = el("details", { className: "card" });
    this.words = el("details", { className: "card" }, el("summary", {}, "Board as text"));
    this.text = el("pre", { tabIndex: 0 });
    this.words.append(this.text);
    this.side = el("div", { className: "side" }, this.head, this.result, this.tools, this.help, this.words);
    this.element = el("div", { className: "play" }, this.stage, this.side);
    this.keys = (event) => this.hands.press(event);
    document.addEventListener("keydown", this.keys);
    this.resized = () => {
      clearTimeout(this.later);
      this.later = setTimeout(() => this.sharpen(), 250);
    };
    addEventListener("resize", this.resized);
  }

  makeTools() {
    const tool = (text, key, act) => button([text, el("kbd", {}, key)], act);
    const { hints, giveUp } = this.options;
    this.buttons = {
      undo: tool("Undo", "U", () => this.undo()),
      restart: tool("Restart", "R", () => this.restart()),
      hint: hints ? tool("Hint", "H", () => this.hint()) : null,
      grid: tool("Grid", "G", () => this.toggleGrid()),
      giveUp: giveUp ? button("Give up", () => this.giveUp(), { className: "wide" }) : null,
    };
    this.buttons.grid.setAttribute("aria-pressed", "false");
    const tools = el("div", { className: "tools", role: "group" }, Object.values(this.buttons));
    tools.setAttribute("aria-label", "Game");
    return tools;
  }

  close() {
    document.removeEventListener("keydown", this.keys);
    removeEventListener("resize", this.resized);
    clearTimeout(this.later);
    this.film?.close();
  }

  // ---- Games in and out

  /** Shows the game called `name`. */
  async load(name) {
    this.place(await ask(this.path(name)));
  }

  /** Shows a game that the server has sent whole. */
  place(game) {
    this.film?.element.replaceWith(this.status);
    this.film?.close();
    this.film = null;
    this.element.classList.remove("watching");
    const rows = game.board.split("\n");
    this.board = new Board({ rows: rows.length, columns: rows[0].length, label: `${game.words.title} board` });
    Object.assign(this, { game, asked: false });
    this.frame.style.setProperty("--wide", this.board.columns / this.board.rows);
    this.frame.replaceChildren(this.board.element);
    this.hands.begin(this.board.element);
    this.counts = el("dl", { className: "counts" });
    this.head.replaceChildren(...head(game), this.counts);
    this.help.replaceChildren(...manual(game, this.options.hints));
    this.update(game);
    if (!game.end) this.tell(game.actions ? "Welcome back." : "");
    this.sharpen();
  }

  /** Returns the address of a game, or of games, with how pictures are to be drawn. */
  path(name, way = "") {
    this.drawn = this.cell();
    const query = new URLSearchParams({ cell: this.drawn, grid: this.grid });
    return `/page/games${name ? `/${name}` : ""}${way}?${query}`;
  }

  /** Returns the pixels a cell that make the picture as sharp as the screen. */
  cell() {
    const width = this.frame.clientWidth || 640;
    const columns = this.board?.columns ?? 10;
    return Math.min(160, Math.max(16, Math.ceil((width * devicePixelRatio) / columns)));
  }

  async sharpen() {
    if (!this.game || this.film || this.drawn === this.cell()) return;
    await this.send(() => ask(this.path(this.game.game)));
  }

  /** Does one thing after the other: `request` returns a reply of the server, or null. */
  send(request) {
    if (this.waiting >= MOST_WAITING) return this.queue;
    this.waiting += 1;
    const turn = async () => {
      const game = this.game?.game;
      try {
        const reply = await request();
        if (reply && game === this.game?.game) this.take(reply);
      } catch (error) {
        this.tell(capital(error.message), true);
        if (error.status === 409) await this.load(this.game.game).catch(() => {});
      } finally {
        this.waiting -= 1;
      }
    };
    this.queue = this.queue.then(turn);
    return this.queue;
  }

  take(reply) {
    if (reply.legal === false) {
      this.board.shake();
      return this.tell(reply.said, true);
    }
    const ended = reply.end && !this.game.end;
    this.update({ ...this.game, ...reply });
    this.board.mark("hint", reply.hint?.cells ?? [], reply.hint?.direction);
    if (reply.said) this.tell(reply.said, false, reply.end ? "" : reply.describes);
    if (ended) this.finish();
  }

  /** Shows `game` as it stands. */
  update(game) {
    this.game = game;
    const state = game.end === "solved" ? "reached" : "";
    const alt = `${game.words.title} board. ${game.describes}`;
    this.painted = this.board.show({ src: game.picture, text: game.board, alt, state });
    this.board.element.setAttribute("aria-label", alt);
    this.text.textContent = game.board;
    this.counts.replaceChildren(...counts(game));
    this.hands.mark();
    const over = Boolean(game.end);
    this.tools.hidden = over;
    this.pad.hidden = over || game.kind === "pair";
    this.buttons.undo.disabled = this.buttons.restart.disabled = !game.actions;
    if (over) this.conclude(game);
    else this.result.hidden = true;
    this.options.changed?.(game);
  }

  tell(sentence, illegal = false, also = "") {
    this.status.textContent = sentence || invitation(this.game.kind);
    this.status.classList.toggle("illegal", illegal);
    if (sentence) say(also ? `${sentence} ${also}` : sentence);
  }

  conclude(game) {
    const { again, quiet } = this.options;
    const { title, tone, text } = ending(game, quiet);
    this.watch = quiet ? null : button("Show a solution", () => this.show());
    const more = again ? button("Another one", () => again(), { className: "primary" }) : null;
    this.result.className = `card result ${tone}`;
    const row = el("div", { className: "row" }, more, this.watch);
    this.result.replaceChildren(el("h2", {}, title), el("p", {}, text), row);
    this.result.hidden = false;
  }

  /** Comes to the end; the keyboard goes on from what is said of it where its button has gone. */
  finish() {
    if (document.activeElement === document.body || this.tools.contains(document.activeElement)) {
      this.result.focus({ preventScroll: true });
    }
    if (this.game.end === "given_up" && !this.options.quiet) this.show();
    this.options.ended?.(this.game);
  }

  /** Shows a shortest solution as a film in place of the board. */
  async show() {
    try {
      const name = this.game.game;
      const { frames } = await ask(`/page/games/${name}/solution`);
      if (name !== this.game.game || this.film) return;
      this.board.mark("hint");
      const pictures = frames.map((_, k) => this.path(name, `/solution/${k}`));
      this.film = solution(this.board, frames, pictures, (text) => (this.text.textContent = text));
      this.status.replaceWith(this.film.element);
      this.element.classList.add("watching");
      if (document.activeElement === this.watch) this.film.toggle.focus();
      this.watch?.remove();
      await this.film.seek(0);
      if (calm()) say("The solution is ready: play it, or go from step to step.");
      else this.film.play();
    } catch (error) {
      this.tell(capital(error.message), true);
    }
  }

  // ---- What is done

  /** Sends what a hand does; `moved` is called where it could be done. */
  act(hand, moved = () => {}) {
    return this.send(async () => {
      const reply = await ask(this.path(this.game.game, "/actions"), { ...hand(), after: this.game.actions });
      if (reply.legal) moved();
      return reply;
    });
  }

  undo() {
    if (!this.game.end && this.game.actions) this.send(() => this.without("/undo"));
  }

  restart() {
    if (!this.game.end && this.game.actions) this.send(() => this.without("/restart"));
  }

  without(way) {
    this.hands.letGo();
    return ask(this.path(this.game.game, way), {});
  }

  hint() {
    if (this.game.end || !this.options.hints) return;
    this.tell("Looking for a way…");
    this.send(() => ask(this.path(this.game.game, "/hint"), {}));
  }

  toggleGrid() {
    this.grid = !this.grid;
    this.buttons.grid.setAttribute("aria-pressed", String(this.grid));
    say(this.grid ? "Grid on." : "Grid off.");
    this.send(() => ask(this.path(this.game.game)));
  }

  /** Gives up when asked twice. */
  giveUp() {
    const { giveUp } = this.buttons;
    const calmDown = () => {
      this.asked = false;
      giveUp.textContent = "Give up";
    };
    if (!this.asked) {
      this.asked = true;
      const gain = this.options.quiet ? "" : " and see the solution";
      giveUp.textContent = `Give up${gain || " this puzzle"}?`;
      say(`Press again to give up${gain}.`);
      return setTimeout(calmDown, 5000);
    }
    calmDown();
    return this.send(() => ask(this.path(this.game.game, "/give-up"), {}));
  }
}
