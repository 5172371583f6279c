// The study: a name, then one puzzle after the other, each timed while its board is in sight.

import { ask, button, capital, el, field, say, term } from "./dom.js";
import { Table } from "./table.js";

const BEAT = 5000;
const AGAIN = 700;

/** A table whose game is the puzzle that the participant is at. */
class Seat extends Table {
  path(at, way = "") {
    const query = new URLSearchParams({ cell: this.cell(), grid: this.grid });
    return `/page/study/${at}${way}?${query}`;
  }
}

export async function open(root) {
  const view = new View(root);
  await view.look();
  return view;
}

class View {
  constructor(root) {
    this.root = root;
    this.seat = null;
    this.hides = () => this.inSight(document.visibilityState === "visible");
    this.leaves = () => this.inSight(false);
    document.addEventListener("visibilitychange", this.hides);
    addEventListener("pagehide", this.leaves);
    this.beat = setInterval(() => document.visibilityState === "visible" && this.inSight(true), BEAT);
  }

  close() {
    clearInterval(this.beat);
    document.removeEventListener("visibilitychange", this.hides);
    removeEventListener("pagehide", this.leaves);
    this.inSight(false);
    this.rise();
    this.closed = true;
  }

  /** Takes the table away. */
  rise() {
    this.seat?.close();
    this.seat = null;
  }

  /** Asks where one has got to, and shows it. */
  async look() {
    try {
      const answer = await ask("/page/study");
      if (this.closed) return undefined;
      this.intro = answer.intro;
      this.longest = answer.longest;
      if (!answer.ready) return this.wait(answer.share);
      return this.show(answer.me);
    } catch (error) {
      return this.trouble(error);
    }
  }

  wait(share) {
    const bar = el("progress", { max: 1, value: share });
    bar.setAttribute("aria-label", "Puzzles made");
    this.root.replaceChildren(
      el("section", { className: "card study-card" }, el("h1", {}, "Study"), el("p", {}, "The puzzles are being made…"), bar),
    );
    setTimeout(() => this.closed || this.look(), AGAIN);
  }

  trouble(error) {
    this.rise();
    const again = button("Try again", () => this.look(), { className: "primary" });
    const said = el("p", { className: "trouble", role: "alert" }, capital(error.message));
    this.root.replaceChildren(el("section", { className: "card study-card" }, el("h1", {}, "Study"), said, again));
  }

  /** Does something about the puzzle at hand, and shows where that leads. */
  async act(way, body = {}) {
    try {
      const { me } = await ask(this.address(way), body);
      return this.show(me);
    } catch (error) {
      if (error.status === 409 || error.status === 403) return this.look();
      return this.trouble(error);
    }
  }

  address(way) {
    const cell = this.seat?.cell() ?? 64;
    return `/page/study/${this.me.at}/${way}?${new URLSearchParams({ cell, grid: Boolean(this.grid) })}`;
  }

  /** Tells the server that the board is in sight, or isn't; its answer may be that it is paused. */
  async inSight(seen) {
    if (!this.seat || this.me?.status !== "playing" || this.seat.game?.end) return;
    const request = fetch(this.address("sight"), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ seen }),
      keepalive: true,
    });
    const answer = await request.catch(() => null);
    if (!seen || !answer || this.closed) return;
    const { status } = await answer.json().catch(() => ({}));
    if (answer.status === 409 || answer.status === 403 || (answer.ok && status !== "playing")) {
      if (!this.seat?.game?.end) this.look();
    }
  }

  show(me) {
    this.me = me;
    if (me?.status !== "playing" && me?.status !== "over") this.rise();
    if (!me) return this.welcome();
    if (me.status === "finished") return this.thanks();
    if (me.status === "ready" || me.status === "paused") return this.before();
    return this.play();
  }

  // ---- Who one is

  welcome() {
    const text = this.intro ? paragraphs(this.intro) : INTRO.map((words) => el("p", {}, words));
    const name = el("input", { name: "name", required: true, maxLength: this.longest, autocomplete: "nickname" });
    const code = el("input", { name: "code", maxLength: this.longest, autocomplete: "off", type: "password" });
    const said = el("p", { className: "trouble", role: "alert", hidden: true });
    const form = el(
      "form",
      { className: "who" },
      noted("Name or code name", name, "It stands beside your results. The same name continues where it stopped."),
      noted("Password (optional)", code, "With one, nobody else can continue under your name. Type the same one again when you come back."),
      said,
      el("p", {}, el("button", { type: "submit", className: "primary" }, "Take part")),
    );
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        const { me } = await ask("/page/study/join", { name: name.value, code: code.value || null });
        this.show(me);
      } catch (error) {
        said.textContent = capital(error.message);
        said.hidden = false;
        name.focus();
      }
    };
    this.root.replaceChildren(el("section", { className: "card study-card" }, el("h1", {}, "Study"), ...text, form));
  }

  /** Lets somebody else take part in this browser. */
  async leave() {
    await ask("/page/study/leave", {}).catch(() => {});
    this.show(null);
    this.root.querySelector("input")?.focus();
  }

  who() {
    return el(
      "p",
      { className: "note who-line" },
      `You take part as ${this.me.name}. `,
      button("That isn't me", () => this.leave(), { className: "plain" }),
    );
  }

  // ---- Before a puzzle, and after the last one

  progress() {
    const { done, puzzles, practice, number } = this.me;
    const sentence = practice ? "Practice, which doesn't count" : `Puzzle ${number} of ${puzzles}`;
    const bar = el("progress", { max: puzzles, value: done });
    bar.setAttribute("aria-label", `${done} of ${puzzles} puzzles done`);
    return el("div", { className: "study-progress" }, el("span", {}, sentence), bar);
  }

  before() {
    const { status, words, practice } = this.me;
    const paused = status === "paused";
    const start = button(
      paused ? "Go on" : practice ? "Start practising" : "Start",
      () => this.act(paused ? "resume" : "start"),
      { className: "primary" },
    );
    const note = paused
      ? "The board is hidden, and the time stands still."
      : practice
        ? "Try out how this kind of puzzle is played. Nothing of it is stored."
        : "The time begins when the board is shown. Find a solution with as few moves as you can.";
    const rules = el("dl", {}, term("What is drawn", words.legend), term("Rules", words.rules), term("Goal", words.goal));
    this.root.replaceChildren(
      this.progress(),
      el(
        "section",
        { className: "card study-card" },
        el("h1", {}, paused ? `${words.title}: paused` : words.title),
        el("p", { className: "note" }, note),
        rules,
        el("p", {}, start),
      ),
      this.who(),
    );
    start.focus();
    say(`${this.root.querySelector(".study-progress span").textContent}. ${words.title}. ${note}`);
  }

  thanks() {
    const { solved, puzzles } = this.me;
    this.root.replaceChildren(
      el(
        "section",
        { className: "card study-card" },
        el("h1", { tabIndex: -1 }, "Thank you"),
        el("p", {}, `That was the last puzzle: you have solved ${solved} of ${puzzles}. Everything is stored; you can close this page.`),
      ),
      this.who(),
    );
    this.root.querySelector("h1").focus();
    say("That was the last puzzle. Thank you.");
  }

  // ---- A puzzle

  play() {
    const { game, practice, at } = this.me;
    if (this.seat && this.seat.game?.game === String(at)) return this.seat.update(game);
    this.rise();
    this.seat = new Seat({
      hints: false,
      quiet: true,
      changed: (now) => this.changed(now),
      ended: () => this.next.focus(),
    });
    this.pause = button("Pause", () => this.act("pause"), { className: "pause" });
    this.next = button("Next", () => this.act("next"), { className: "primary" });
    const bar = el("div", { className: "study-bar" }, this.progress(), this.pause, this.next);
    this.root.replaceChildren(bar, this.seat.element, this.who());
    this.seat.grid = Boolean(this.grid);
    this.seat.buttons.grid.setAttribute("aria-pressed", String(this.seat.grid));
    this.seat.place({ ...game, practice });
    this.seat.board.element.focus({ preventScroll: true });
    this.seat.sharpen();
    return undefined;
  }

  /** Follows the table: the grid stays as it was chosen, and what comes next depends on the end. */
  changed({ end }) {
    this.grid = this.seat.grid;
    this.pause.hidden = Boolean(end);
    this.next.hidden = !end;
    this.next.textContent = this.me.number === this.me.puzzles && !this.me.practice ? "Finish" : "Next puzzle";
  }
}

const INTRO = [
  "You will be shown a number of puzzles, one after the other, and you solve as many as you can, each with as few moves as you can. Before each kind of puzzle there is one to practise on.",
  "You can pause at any time, give a puzzle up, close this page and come back later. Stored are your name as you type it, your moves, and how long each board was in sight.",
];

function paragraphs(text) {
  return text.trim().split(/\n\s*\n/).map((words) => el("p", { className: "own" }, words));
}

/** Returns a control with its label above and a note below. */
function noted(label, control, note) {
  const id = `study-${control.name}`;
  const more = el("small", { className: "note", id }, note);
  control.setAttribute("aria-describedby", id);
  return el("div", { className: "field" }, field(label, control), more);
}
