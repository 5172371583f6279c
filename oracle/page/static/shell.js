// The shell: what is open is in the address, as #view/path?query; light and dark; what the server has.

import { $, ask, el, keep, kept, UNREACHED } from "./dom.js";

const VIEWS = {
  play: ["Play", () => import("./play.js")],
  gallery: ["Gallery", () => import("./gallery.js")],
  replay: ["Replay", () => import("./replay.js")],
  study: ["Study", () => import("./study.js")],
};

const root = $("view");
let about = null;
let current = null;
let turn = 0;

// ---- Light and dark

const THEME = "puzzles-theme";

function paint(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

$("theme").onclick = () => {
  const shown = document.documentElement.dataset.theme;
  const dark = shown ? shown === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  paint(dark ? "light" : "dark");
  keep(THEME, dark ? "light" : "dark");
};
paint(kept(THEME));

// ---- Where one is

/** Returns {view, path, query} of an address such as #gallery/maze?difficulty=hard. */
function place() {
  const [way, query] = location.hash.replace(/^#\/?/, "").split("?");
  const [view, ...path] = way.split("/").map(decoded);
  const known = view in VIEWS && about.views.includes(view);
  return known
    ? { view, path, query: new URLSearchParams(query ?? "") }
    : { view: about.views[0], path: [], query: new URLSearchParams() };
}

/** Returns a part of an address in plain text; what is cut off within a sign stays as it is. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function follow() {
  if (location.hash === "#view") return; // the skip link
  const to = place();
  const mine = ++turn;
  for (const link of $("views").children) {
    if (link.hash === `#${to.view}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  document.title = `${VIEWS[to.view][0]} · Puzzles`;
  if (current?.name === to.view && current.view?.move) return current.view.move(to);
  current?.view?.close?.();
  current = { name: to.view, view: null };
  const first = root.dataset.view === undefined;
  root.dataset.view = to.view;
  root.replaceChildren();
  try {
    const module = await VIEWS[to.view][1]().catch(() => {
      throw new Error(UNREACHED);
    });
    if (mine !== turn) return;
    const view = (await module.open(root, to, about)) ?? {};
    if (mine === turn) current.view = view;
    else view.close?.();
  } catch (error) {
    if (mine === turn) root.replaceChildren(el("p", { className: "trouble", role: "alert" }, error.message));
  }
  if (!first && !root.contains(document.activeElement)) root.focus({ preventScroll: true });
}

async function start() {
  try {
    about = await ask("/page/about");
  } catch (error) {
    return root.replaceChildren(el("p", { className: "trouble", role: "alert" }, error.message));
  }
  const links = about.views.map((name) => el("a", { href: `#${name}` }, VIEWS[name][0]));
  $("views").replaceChildren(...links);
  $("views").hidden = links.length < 2;
  addEventListener("hashchange", follow);
  follow();
}
start();
