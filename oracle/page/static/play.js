// Play: a board is picked, played at a table, and games that are over are saved.

import { ask, button, capital, el, fetched, field, keep, kept, say } from "./dom.js";
import { tone } from "./guide.js";
import { Table } from "./table.js";

const GAMES = "puzzles-games";
const NAME = "puzzles-name";
const LAST = "puzzles-last";
const MOST = 200;
const NUMBERS = 100000;

export async function open(root, place, about) {
  const view = new Play(about);
  root.replaceChildren(view.element);
  await view.move(place);
  return view;
}

class Play {
  constructor(about) {
    this.about = about;
    this.wish = { family: about.families[0].name, difficulty: about.families[0].difficulties[0], seed: 0 };
    this.table = new Table({ changed: (game) => this.remember(game), again: () => this.another() });
    this.families = el("div", { className: "pills", role: "group" });
    this.families.setAttribute("aria-label", "Family");
    this.levels = el("div", { className: "pills", role: "group" });
    this.levels.setAttribute("aria-label", "Difficulty");
    this.number = el("input", { type: "number", min: 0, step: 1, inputMode: "numeric", size: 7 });
    this.number.onchange = () => {
      const index = Math.max(0, Math.floor(Number(this.number.value)));
      this.begin({ ...this.wish, index }).then(() => this.table.board?.element.focus());
    };
    const number = el("label", { className: "field beside" }, el("span", {}, "No."), this.number);
    const another = button("Another one", () => this.another(), { className: "primary" });
    const end = el("div", { className: "end" }, number, another);
    const form = el("form", { className: "bar" }, this.families, this.levels, end);
    form.onsubmit = (event) => event.preventDefault();
    this.trouble = el("p", { className: "trouble", role: "alert", hidden: true });
    this.games = new Games(about.saves);
    this.table.side.append(this.games.element);
    this.element = el("div", {}, form, this.trouble, this.table.element);
    this.keys = (event) => {
      const free = event.target === document.body || event.target.closest?.(".board, #view");
      const field = event.target.closest?.("input, select, textarea");
      if (free && !field && event.key.toLowerCase() === "n" && !event.ctrlKey && !event.metaKey && !event.altKey) this.another();
    };
    document.addEventListener("keydown", this.keys);
    this.pick();
  }

  close() {
    document.removeEventListener("keydown", this.keys);
    this.table.close();
  }

  /** Goes to where the address points: a game, a board of the data, or a board at a place. */
  async move({ path, query }) {
    const wish = Object.fromEntries(query);
    if (path[0]) return this.load(path[0]);
    if (wish.id) return this.begin({ id: wish.id }, true);
    if (wish.family) {
      const levels = this.about.families.find(({ name }) => name === wish.family)?.difficulties;
      const difficulty = wish.difficulty ?? levels?.[0];
      const index = Number(wish.index ?? Math.floor(Math.random() * NUMBERS));
      return this.begin({ family: wish.family, difficulty, seed: Number(wish.seed ?? 0), index }, true);
    }
    if (this.table.game) return this.go(this.table.game.game, true);
    const last = kept(LAST, null);
    if (last && (await this.load(last, true))) return undefined;
    return this.another(true);
  }

  another(first = false) {
    return this.begin({ ...this.wish, index: Math.floor(Math.random() * NUMBERS) }, first);
  }

  async begin(wish, first = false) {
    return this.seat(() => ask(this.table.path(), wish), first);
  }

  /** Shows a game that exists; `quietly` where it may be gone. Returns whether it is there. */
  async load(name, quietly = false) {
    return this.seat(() => ask(this.table.path(name)), true, quietly);
  }

  async seat(request, first, quietly = false) {
    const mine = (this.turn = (this.turn ?? 0) + 1);
    this.trouble.hidden = true;
    this.table.element.classList.add("busy");
    try {
      const game = await request();
      if (mine !== this.turn) return true;
      this.go(game.game, first);
      this.table.place(game);
      this.settle(game);
      return true;
    } catch (error) {
      if (quietly || mine !== this.turn) return false;
      this.trouble.textContent = capital(error.message);
      this.trouble.hidden = false;
      return false;
    } finally {
      if (mine === this.turn) this.table.element.classList.remove("busy");
    }
  }

  /** Puts the game into the address, so that it is there after a reload and on the way back. */
  go(name, instead) {
    keep(LAST, name);
    const hash = `#play/${name}`;
    if (location.hash === hash) return;
    if (instead) history.replaceState(null, "", hash);
    else history.pushState(null, "", hash);
  }

  /** Takes over the choice that has led to a game. */
  settle(game) {
    const known = this.about.families.find(({ name }) => name === game.family);
    const difficulty = known.difficulties.includes(game.difficulty) ? game.difficulty : known.difficulties[0];
    this.wish = { family: game.family, difficulty, seed: game.seed ?? 0 };
    this.number.value = game.index ?? "";
    this.pick();
    const { words } = game;
    say(`${words.title}, ${game.difficulty}. ${words.goal} ${game.describes}`);
  }

  pick() {
    const { family, difficulty } = this.wish;
    const pill = (text, pressed, act) => {
      const node = button(text, act);
      node.setAttribute("aria-pressed", String(pressed));
      return node;
    };
    const focused = [this.families, this.levels].find((one) => one.contains(document.activeElement));
    const text = document.activeElement?.textContent;
    this.families.replaceChildren(
      ...this.about.families.map(({ name, title, difficulties }) => {
        const level = difficulties.includes(difficulty) ? difficulty : difficulties[0];
        return pill(title, name === family, () => this.choose({ family: name, difficulty: level }));
      }),
    );
    const { difficulties } = this.about.families.find(({ name }) => name === family);
    this.levels.replaceChildren(
      ...difficulties.map((level) => pill(capital(level), level === difficulty, () => this.choose({ difficulty: level }))),
    );
    if (focused) [...focused.children].find((one) => one.textContent === text)?.focus();
  }

  choose(change) {
    this.wish = { ...this.wish, ...change };
    this.pick();
    return this.another();
  }

  remember(game) {
    this.games.remember(game);
  }
}

/** The games of this browser, and the way to save those that are over. */
class Games {
  constructor(saves) {
    this.saves = saves;
    this.summary = el("summary", {}, "Your games");
    this.list = el("ul", { className: "games" });
    this.name = el("input", { type: "text", maxLength: 60, autocomplete: "nickname", required: true, value: kept(NAME, "") });
    this.name.onchange = () => keep(NAME, this.name.value.trim());
    this.said = el("p", { className: "note", role: "status" });
    this.form = el(
      "form",
      { className: "save" },
      field("Your name", this.name),
      saves ? el("button", { type: "submit", className: "primary" }, "Save") : null,
      button("Download", () => this.download()),
    );
    this.form.onsubmit = (event) => {
      event.preventDefault();
      this.save();
    };
    const note = `Games that are over ${saves ? "are saved as answers on the server" : "can be downloaded as answers"}, to be judged as a model's are.`;
    this.element = el("details", { className: "card" }, this.summary, this.list, el("p", { className: "note" }, note), this.form, this.said);
    this.render();
  }

  remember({ game, words, difficulty, index, moves, optimum, end, hints }) {
    const all = kept(GAMES, []).filter((one) => one.game !== game);
    if (moves || end) all.unshift({ game, title: words.title, difficulty, index, moves, optimum, end, hints });
    keep(GAMES, all.slice(0, MOST));
    this.render();
  }

  render() {
    const all = kept(GAMES, []);
    this.over = all.filter(({ end }) => end);
    this.summary.replaceChildren("Your games", el("span", { className: "note" }, String(all.length)));
    this.list.replaceChildren(
      ...all.map((one) => {
        const result = !one.end ? "goes on" : one.end === "solved" ? `${one.moves} of ${one.optimum}` : "given up";
        const number = Number.isInteger(one.index) ? ` ${one.index}` : "";
        const link = el("a", { href: `#play/${one.game}` }, `${one.title} ${one.difficulty}${number}`);
        return el("li", { className: tone(one) }, link, el("span", {}, one.hints ? `${result}, assisted` : result));
      }),
    );
    for (const one of this.form.querySelectorAll("button")) one.disabled = !this.over.length;
  }

  async send(path) {
    keep(NAME, this.name.value.trim());
    return fetched(path, { name: this.name.value, games: this.over.map(({ game }) => game) });
  }

  async save() {
    await this.tell(async () => {
      const { saved, of, gone } = await (await this.send("/page/answers")).json();
      keep(GAMES, kept(GAMES, []).filter(({ game }) => !gone.includes(game)));
      this.render();
      if (!saved) return "All of them were saved before.";
      return saved === of ? `Saved: ${saved}.` : `Saved: ${saved}; the others were before.`;
    });
  }

  async download() {
    if (!this.form.reportValidity()) return;
    await this.tell(async () => {
      const href = URL.createObjectURL(await (await this.send("/page/answers/download")).blob());
      el("a", { href, download: "answers.jsonl" }).click();
      setTimeout(() => URL.revokeObjectURL(href), 1000);
      return `Downloaded: ${this.over.length}.`;
    });
  }

  async tell(act) {
    try {
      this.said.textContent = await act();
    } catch (error) {
      this.said.textContent = capital(error.message);
    }
  }
}
