// The gallery: a dataset to look through; one board opens with its aid, its rules and its record.

import { Board } from "./board.js";
import { ask, button, capital, el, plain, term } from "./dom.js";
import { Finder, patiently } from "./finder.js";

const NAMES = ["family", "difficulty", "split"];
const DETAILS = {
  optimal_length: "Optimal length",
  metric: "Counted in",
  seed: "Seed",
  index: "Index",
  generator: "Generator",
};

export async function open(root, place) {
  const grid = el("ul", { className: "shelf" });
  const sheet = el("dialog", { className: "sheet" });
  const finder = new Finder({
    view: "gallery",
    path: "/page/gallery",
    names: NAMES,
    noun: "boards",
    query: place.query,
    show: ({ instances }) => {
      grid.replaceChildren(...instances.map((one) => card(one, finder)));
      if (!opened) history.replaceState(null, "", finder.link());
    },
  });
  let opened = null;
  sheet.onclose = () => {
    opened = null;
    if (location.hash.startsWith("#gallery/")) location.hash = finder.link();
  };
  sheet.onclick = (event) => {
    if (event.target === sheet) sheet.close();
  };
  root.append(
    el("h1", {}, "Gallery"),
    finder.form,
    finder.count,
    grid,
    finder.pager,
    sheet,
  );
  const view = {
    async move({ path, query }) {
      if (path[0] && path[0] !== opened) {
        opened = path[0];
        await show(sheet, path[0], finder);
      } else if (!path[0]) {
        opened = null;
        if (sheet.open) sheet.close();
        if (query.toString() !== finder.query.toString()) {
          for (const select of finder.selects.values()) select.replaceChildren();
          finder.take(query);
          await finder.find();
        }
      }
    },
    close() {
      finder.close();
    },
  };
  opened = place.path[0] ?? null;
  await finder.find();
  if (opened) await show(sheet, opened, finder);
  return view;
}

function card(one, finder) {
  const src = `/page/gallery/board.png?${new URLSearchParams({ id: one.id })}`;
  const title = `${plain(one.family)}, ${plain(one.difficulty)}`;
  const image = el("img", { src, alt: "", loading: "lazy", decoding: "async" });
  const words = el("span", { className: "caption" }, el("strong", {}, title), el("small", {}, one.id));
  const link = el("a", { href: finder.link(one.id), className: "card" }, image, words);
  link.setAttribute("aria-label", `${title}, ${one.id}`);
  return el("li", {}, link);
}

/** Fills the sheet with a board and opens it. */
async function show(sheet, id, finder) {
  let one;
  try {
    one = await patiently(`/page/gallery/instance?${new URLSearchParams({ id })}`);
  } catch (error) {
    const trouble = el("p", { className: "trouble", role: "alert" }, error.message);
    sheet.replaceChildren(trouble, button("Close", () => sheet.close()));
    if (!sheet.open) sheet.showModal();
    return;
  }
  const title = `${capital(plain(one.family))}, ${plain(one.difficulty)}`;
  const board = new Board({ rows: one.rows, columns: one.columns, label: title });
  const src = (grid) => `/page/gallery/board.png?${new URLSearchParams({ id, size: "large", grid })}`;
  const draw = (grid) => board.show({ src: src(grid), alt: title });
  const aid = el("input", { type: "checkbox" });
  aid.onchange = () => draw(aid.checked);
  const play = el("a", { className: "primary as-button", href: `#play?${new URLSearchParams({ id })}` }, "Play this one");
  sheet.setAttribute("aria-label", title);
  sheet.replaceChildren(
    el(
      "header",
      {},
      el("h2", { tabIndex: -1 }, title),
      button("✕", () => sheet.close(), { label: "Close" }),
    ),
    el(
      "div",
      { className: "sheet-body" },
      el("div", { className: "sheet-board" }, board.element),
      el(
        "div",
        { className: "sheet-words" },
        el("div", { className: "choices" }, play, el("label", { className: "tick" }, aid, " Grid and coordinates")),
        el("dl", {}, ...term("What is drawn", one.legend), ...term("Rules", one.rules), ...term("Goal", one.goal)),
        details(id),
        el("p", { className: "note id" }, one.id, one.split ? ` · split ${one.split}` : ""),
      ),
    ),
  );
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
  sheet.querySelector("h2").focus();
  await draw(false);
}

/** Returns the part that tells what a player may not want to know; it is asked for when opened. */
function details(id) {
  const body = el("div", {});
  const node = el(
    "details",
    {},
    el("summary", {}, "Show details (they tell the optimal length)"),
    body,
  );
  node.ontoggle = async () => {
    if (!node.open || body.childNodes.length) return;
    try {
      const record = await ask(`/page/gallery/details?${new URLSearchParams({ id })}`);
      body.replaceChildren(...recorded(record));
    } catch (error) {
      body.replaceChildren(el("p", { className: "trouble" }, error.message));
    }
  };
  return node;
}

function recorded(record) {
  const known = Object.entries(DETAILS).filter(([name]) => record[name] !== null);
  const stats = Object.entries({ ...record.rules, ...record.stats });
  return [
    figures(known.map(([name, text]) => [text, record[name]])),
    figures(stats.map(([name, value]) => [capital(plain(name)), value])),
    el("h3", {}, "Board as text"),
    el("pre", {}, record.board),
  ];
}

function figures(pairs) {
  return el("dl", { className: "figures" }, pairs.map(([name, value]) => el("div", {}, term(name, said(value)))));
}

function said(value) {
  if (value === "cell") return "actions";
  if (value === "slide") return "slides";
  return typeof value === "string" ? value : JSON.stringify(value);
}
