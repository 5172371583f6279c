// The replay: verdicts to search, and every answer played frame by frame beside what was written.
// What plays it is the report page's player, player.js.

import { el } from "./dom.js";
import { Finder, patiently } from "./finder.js";
import { Player, entry, head, keyed, verdict } from "./player.js";

const NAMES = ["model", "protocol", "family", "difficulty", "outcome", "reason", "run"];

let watching = null;
let listening = false;

export async function open(root, place) {
  const view = new View(root, place);
  if (!listening) keyed(() => watching?.player, "#episode, #list");
  listening = true;
  watching = view;
  await view.start(place);
  return view;
}

class View {
  constructor(root, place) {
    this.current = null;
    this.player = null;
    this.rows = [];
    this.list = el("ol", { id: "list" });
    this.episode = el("article", { id: "episode", tabIndex: -1 }, el("p", { className: "note" }, "Choose an episode."));
    this.finder = new Finder({
      view: "replay",
      path: "/page/replay",
      names: NAMES,
      noun: "episodes",
      query: place.query,
      show: (answer) => this.listed(answer),
    });
    const { form, count, pager } = this.finder;
    const list = el("div", { className: "list" }, count, this.list, pager);
    const explorer = el("div", { className: "explorer" }, list, this.episode);
    root.append(el("h1", {}, "Replay"), el("div", { className: "replay" }, form, explorer));
  }

  async start({ path }) {
    if (path.length) this.current = path.map(String); // so that the list leaves it in the address
    await this.finder.find();
    if (path.length) return this.show(path, true);
    if (this.rows.length) await this.show(key(this.rows[0]), false);
  }

  async move({ path, query }) {
    if (query.toString() !== this.finder.query.toString()) {
      for (const select of this.finder.selects.values()) select.replaceChildren();
      this.finder.take(query);
      await this.finder.find();
    }
    if (path.length) await this.show(path, true);
  }

  listed({ rows, counts }) {
    this.rows = rows;
    this.runs = counts.run.length > 1;
    this.mark();
    this.list.scrollTop = 0;
    history.replaceState(null, "", this.finder.link(...(this.current ?? [])));
  }

  /** Lists the rows of the page, the one that is open marked. */
  mark() {
    const items = this.rows.map((row) => {
      const href = this.finder.link(...key(row));
      const current = String(key(row)) === String(this.current);
      return el("li", {}, entry(row, { href, current, run: this.runs }));
    });
    this.list.replaceChildren(...items);
  }

  async show(path, focus) {
    const mine = path.map(String);
    if (String(mine) === String(this.current) && this.player) return;
    this.player?.stop();
    this.player = null;
    this.current = mine;
    this.mark();
    let answer;
    try {
      answer = await patiently(`/page/replay/${mine.map(encodeURIComponent).join("/")}`);
    } catch (error) {
      const trouble = el("p", { className: "trouble", role: "alert" }, error.message);
      this.episode.className = "";
      return this.episode.replaceChildren(trouble);
    }
    const image = answer.episode.film ? await picture(answer.sheet.png) : null;
    if (mine !== this.current) return;
    this.play(answer, image);
    if (focus) {
      this.episode.focus({ preventScroll: true });
      this.episode.scrollIntoView({ block: "nearest" });
    }
  }

  play({ row, episode, sheet }, image) {
    const stage = el("div", { className: "stage" });
    this.episode.replaceChildren(head(row, this.beside()), ...verdict(row, episode), stage);
    this.episode.className = row.outcome;
    this.player = new Player({ episode, outcome: row.outcome, sheet, image });
    stage.append(this.player.left, this.player.right);
    if (this.player.last) this.player.left.append(keys());
    this.player.seek(0);
  }

  /** Returns the links of the episodes before and after the one that is open, on this page. */
  beside() {
    const at = this.rows.findIndex((row) => String(key(row)) === String(this.current));
    const to = (k) => (at >= 0 && this.rows[k] ? this.finder.link(...key(this.rows[k])) : null);
    return { back: to(at - 1), on: to(at + 1) };
  }

  close() {
    this.finder.close();
    this.player?.stop();
    if (watching === this) watching = null;
  }
}

function keys() {
  const pairs = [["← →", "step"], ["Space", "play"], ["Home End", "first and last"]];
  const words = pairs.flatMap(([sign, what]) => [el("kbd", {}, sign), ` ${what}  `]);
  return el("p", { className: "note keys-line" }, words);
}

function key(row) {
  return [String(row.file), String(row.line)];
}

async function picture(src) {
  const image = new Image();
  image.src = src;
  await image.decode();
  return image;
}
