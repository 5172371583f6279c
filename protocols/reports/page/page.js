// The page comes to life: themes, legends, sorting, and episodes played frame by frame.
// Whatever a model or a file has said is set as text, never as markup.

const $ = (id) => document.getElementById(id);
const { index, sheets } = JSON.parse($("data").textContent);

/** Returns an element; properties are set as they are, and children may be texts. */
function el(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// ---- Theme and print

$("theme").onclick = () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
};
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("main details")) details.open = true;
});

// ---- Plots: one protocol alone

for (const plot of document.querySelectorAll(".plot")) {
  const light = (event) => {
    const at = event.target.closest(".series, .legend li");
    const key = at && [...at.classList].find((name) => /^series-\d+$/.test(name));
    plot.classList.toggle("focus", Boolean(key));
    for (const node of plot.querySelectorAll(".series, .legend li")) {
      node.classList.toggle("lit", Boolean(key) && node.classList.contains(key));
    }
  };
  const dark = () => plot.classList.remove("focus");
  plot.addEventListener("pointerover", light);
  plot.addEventListener("focusin", light);
  plot.addEventListener("pointerleave", dark);
  plot.addEventListener("focusout", dark);
}

// ---- Tables: sorted by a column

for (const table of document.querySelectorAll(".table table")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = el("button", { type: "button" }, head.textContent);
    head.replaceChildren(button);
    button.onclick = () => sort(table, heads, column);
  });
}

function sort(table, heads, column) {
  const numeric = heads[column].classList.contains("number");
  const now = heads[column].getAttribute("aria-sort");
  const order = (now ? now === "descending" : !numeric) ? "ascending" : "descending";
  const sign = order === "ascending" ? 1 : -1;
  heads.forEach((head, at) => {
    if (at === column) head.setAttribute("aria-sort", order);
    else head.removeAttribute("aria-sort");
  });
  const value = (row) => row.cells[column].firstChild?.textContent.trim() ?? "";
  const number = (row) => Number.parseFloat(value(row).replace(/,/g, "").replace("−", "-"));
  const rows = [...table.tBodies[0].rows].map((row) => [row, numeric ? number(row) : value(row)]);
  rows.sort(([, a], [, b]) => {
    if (!numeric) return sign * a.localeCompare(b, undefined, { numeric: true });
    if (Number.isNaN(a) || Number.isNaN(b)) return Number.isNaN(a) - Number.isNaN(b);
    return sign * (a - b);
  });
  table.classList.add("sorted");
  table.tBodies[0].append(...rows.map(([row]) => row));
}

// ---- The list of episodes

const PAGE = 50;
const NAMES = ["model", "protocol", "family", "difficulty", "outcome", "reason", "run"];
const word = (name, e) => index[name].words[index[name].at[e]];
const chosen = {};
let found = [];
let page = 0;
let current = null;

for (const name of NAMES) {
  const { words } = index[name];
  if (words.length < 2) continue;
  const options = words.map((text, at) => el("option", { value: String(at) }, plain(text)));
  const select = el("select", { name }, el("option", { value: "" }, "all"), ...options);
  $("filters").append(el("label", {}, name, select));
}
const search = el("input", { type: "search", name: "id", autocomplete: "off", spellcheck: false });
$("filters").append(el("label", {}, "id", search));
$("filters").oninput = () => {
  for (const select of $("filters").querySelectorAll("select")) {
    chosen[select.name] = select.value === "" ? null : Number(select.value);
  }
  choose();
};
$("filters").onsubmit = (event) => event.preventDefault();

function plain(text) {
  return text.replace(/_/g, " ");
}

function choose() {
  const by = Object.entries(chosen).filter(([, value]) => value !== null);
  const part = search.value.trim().toLowerCase();
  found = [];
  for (let e = 0; e < index.id.length; e++) {
    if (by.some(([name, value]) => index[name].at[e] !== value)) continue;
    if (part && !(index.id[e] ?? "").toLowerCase().includes(part)) continue;
    found.push(e);
  }
  page = 0;
  list();
}

function list() {
  const pages = Math.max(1, Math.ceil(found.length / PAGE));
  page = Math.min(Math.max(page, 0), pages - 1);
  const shown = found.slice(page * PAGE, (page + 1) * PAGE);
  $("list").replaceChildren(...shown.map((e) => el("li", {}, link(e))));
  $("list").scrollTop = 0;
  const all = index.id.length.toLocaleString("en");
  $("count").textContent = `${found.length.toLocaleString("en")} of ${all} episodes`;
  $("page").textContent = `${page + 1} / ${pages}`;
  $("back").disabled = page === 0;
  $("on").disabled = page === pages - 1;
}
$("back").onclick = () => turn(-1);
$("on").onclick = () => turn(1);

function turn(by) {
  page += by;
  list();
}

/** Turns the list to the page that holds an episode, if it is among those found. */
function turnTo(e) {
  const at = found.indexOf(e);
  if (at >= 0 && Math.floor(at / PAGE) !== page) turn(Math.floor(at / PAGE) - page);
}

function link(e) {
  const outcome = word("outcome", e);
  const where = `${word("family", e)} ${word("difficulty", e)} · ${word("protocol", e)}`;
  const run = index.run.words.length > 1 ? ` · run ${word("run", e)}` : "";
  const small = `${plain(word("reason", e))} · ${word("model", e)}${run} · ${index.id[e] ?? ""}`;
  const a = el("a", { href: `#e=${e}`, className: outcome }, where, el("small", {}, small));
  a.setAttribute("aria-label", `${where}, ${outcome}, ${small}`);
  if (e === current) a.setAttribute("aria-current", "true");
  return a;
}

// ---- What an episode holds

const chunks = [...document.querySelectorAll("script.chunk")];
const opened = new Map();
const pictures = new Map();

/** Unpacks a chunk: base64 of deflated JSON, an array of episodes. */
async function chunk(k) {
  if (!opened.has(k)) {
    const bytes = Uint8Array.from(atob(chunks[k].textContent), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    if (opened.size > 8) opened.clear();
    opened.set(k, await new Response(stream).json());
  }
  return opened.get(k);
}

async function picture(name) {
  if (!pictures.has(name)) {
    const image = new Image();
    image.src = sheets[name].png;
    await image.decode();
    pictures.set(name, image);
  }
  return pictures.get(name);
}

// ---- The player

let player = null;

async function show(e, focus) {
  player?.stop();
  player = null;
  current = e;
  turnTo(e);
  for (const a of $("list").querySelectorAll("a")) {
    if (a.getAttribute("href") === `#e=${e}`) a.setAttribute("aria-current", "true");
    else a.removeAttribute("aria-current");
  }
  const episode = (await chunk(index.chunk[e]))[index.place[e]];
  const image = episode.film ? await picture(episode.film.sheet) : null;
  if (current !== e) return;
  const stage = el("div", { className: "stage" });
  $("episode").replaceChildren(head(e), ...verdict(e, episode), stage);
  $("episode").className = word("outcome", e);
  player = new Player(e, episode, image);
  stage.append(player.left, player.right);
  player.seek(0);
  if (focus) {
    $("episode").focus({ preventScroll: true });
    $("episode").scrollIntoView({ block: "nearest" });
  }
}

function head(e) {
  const step = (by, text, label) => {
    const to = found[found.indexOf(e) + by];
    const disabled = !found.includes(e) || to === undefined;
    const button = el("button", { type: "button", disabled }, text);
    button.setAttribute("aria-label", label);
    button.onclick = () => (location.hash = `#e=${to}`);
    return button;
  };
  const title = `${word("family", e)} ${word("difficulty", e)} · ${word("protocol", e)}`;
  return el(
    "header",
    {},
    el("h3", {}, title),
    el("span", { className: "badge" }, word("outcome", e)),
    el("nav", {}, step(-1, "‹", "Previous episode"), step(1, "›", "Next episode")),
  );
}

function verdict(e, episode) {
  const facts = [word("model", e), `run ${word("run", e)}`, index.id[e]];
  const number = (name, text) => {
    if (index[name][e] !== null) facts.push(text.replace("#", index[name][e]));
  };
  number("optimal_length", "optimum #");
  number("moves", "answer #");
  number("legal_moves", "# legal");
  number("rounds", "# rounds");
  number("distance", "# steps from the goal");
  const judged = `${plain(word("reason", e))}: ${episode.detail ?? ""}`;
  const drawn = word("outcome", e) === "drawing";
  const sentence = episode.error ?? (drawn ? "The answer is a drawing: no verdict." : judged);
  const also = [episode.said, episode.problem].filter(Boolean);
  return [
    el("p", { className: "facts-line" }, facts.filter((fact) => fact).join(" · ")),
    el("p", { className: "verdict" }, sentence),
    ...also.map((text) => el("p", { className: "note" }, text)),
  ];
}

class Player {
  constructor(e, episode, image) {
    Object.assign(this, { e, episode, image, at: 0, timer: null });
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
    const { cell } = sheets[this.episode.film.sheet];
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
    const { cell, columns: across, tiles, characters } = sheets[this.episode.film.sheet];
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
    const end = this.at === this.last && ["optimal", "feasible"].includes(word("outcome", this.e));
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

function drawing({ src, href, problem }) {
  if (problem) return [el("figcaption", {}, `drawn by the model: ${problem}`)];
  const image = el("img", { src, alt: "What the model drew", loading: "lazy" });
  const file = el("a", { href }, "file");
  return [image, el("figcaption", {}, "drawn by the model, ", file)];
}

// ---- Keys and links

addEventListener("keydown", (event) => {
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
  const here = event.target === document.body || event.target.closest("#episode, #list");
  if (!act || !here) return;
  event.preventDefault();
  act();
});

function follow() {
  const at = /^#e=(\d+)$/.exec(location.hash);
  if (at && Number(at[1]) < index.id.length) show(Number(at[1]), true);
}
addEventListener("hashchange", follow);
choose();
if (location.hash.startsWith("#e=")) follow();
else if (index.id.length) show(0, false);
