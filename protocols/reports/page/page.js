// The page comes to life: themes, legends, sorting, and the list of episodes.
// What plays them stands before this text: player.js.

const $ = (id) => document.getElementById(id);
const { index, sheets } = JSON.parse($("data").textContent);

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
const NUMBERS = ["optimal_length", "moves", "legal_moves", "at", "distance", "rounds"];
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

/** Returns the verdict of an episode by the names of its fields. */
function rowOf(e) {
  const names = NAMES.map((name) => [name, word(name, e)]);
  const numbers = NUMBERS.map((name) => [name, index[name][e]]);
  return Object.fromEntries([["id", index.id[e]], ...names, ...numbers]);
}

function link(e) {
  const run = index.run.words.length > 1;
  return entry(rowOf(e), { href: `#e=${e}`, current: e === current, run });
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
  const row = rowOf(e);
  $("episode").replaceChildren(head(row, beside(e)), ...verdict(row, episode), stage);
  $("episode").className = row.outcome;
  const sheet = episode.film ? sheets[episode.film.sheet] : null;
  player = new Player({ episode, outcome: row.outcome, sheet, image });
  stage.append(player.left, player.right);
  player.seek(0);
  if (focus) {
    $("episode").focus({ preventScroll: true });
    $("episode").scrollIntoView({ block: "nearest" });
  }
}

/** Returns the links of the episodes before and after one, as far as they are among those found. */
function beside(e) {
  const at = found.indexOf(e);
  const to = (k) => (at >= 0 && found[k] !== undefined ? `#e=${found[k]}` : null);
  return { back: to(at - 1), on: to(at + 1) };
}

// ---- Keys and links

keyed(() => player, "#episode, #list");

function follow() {
  const at = /^#e=(\d+)$/.exec(location.hash);
  if (at && Number(at[1]) < index.id.length) show(Number(at[1]), true);
}
addEventListener("hashchange", follow);
choose();
if (location.hash.startsWith("#e=")) follow();
else if (index.id.length) show(0, false);
