// Guide: what a person is told beside a board, in words.

import { capital, el } from "./dom.js";

const OWN = {
  walk: [[["←↑↓→", "WASD"], "move; or click beside the piece, or swipe"]],
  slide: [
    [["←↑↓→"], "look for a piece, then move it"],
    [["Enter"], "take the piece, or let go of it; or drag it"],
  ],
  pair: [
    [["←↑↓→"], "go from cell to cell"],
    [["Enter"], "choose a cell; or click two"],
  ],
};

/** Returns the title, the place and the goal of a game. */
export function head({ words, difficulty, index, id }) {
  const where = Number.isInteger(index) ? `No. ${index}` : id;
  return [
    el("h1", {}, words.title),
    el("p", { className: "facts-line" }, [capital(difficulty), where].filter(Boolean).join(" · ")),
    el("p", { className: "goal" }, words.goal),
  ];
}

/** Returns how a game is played: its rules, what is drawn, and the keys. */
export function manual({ words, kind }, hints) {
  const hint = hints ? [[["H"], "hint; the game then counts as assisted"]] : [];
  const shared = [[["U", "Backspace"], "undo"], ...hint, [["R"], "restart"], [["G"], "grid with coordinates"]];
  const keys = [...OWN[kind], ...shared].flatMap(([names, what]) => [
    el("dt", {}, names.flatMap((name) => [el("kbd", {}, name), " "])),
    el("dd", {}, what),
  ]);
  return [
    el("summary", {}, "How to play"),
    el("p", {}, words.rules),
    el("p", { className: "note" }, words.legend),
    el("dl", { className: "keys" }, keys),
  ];
}

export function counts({ moves, hints, undos }) {
  const facts = [["Moves", moves], ["Undos", undos], ...(hints ? [["Hints", hints]] : [])];
  return facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, String(value))));
}

/** Returns what can be done at first. */
export function invitation(kind) {
  const touch = matchMedia("(any-pointer: coarse)").matches;
  return {
    walk: touch ? "Swipe, tap or use the arrows." : "Arrow keys, a click or a swipe move the piece.",
    slide: touch ? "Drag a piece." : "Drag a piece, or take it and use the arrow keys.",
    pair: "Choose two cells that make a pair.",
  }[kind];
}

/** Returns the class of style.css that colours a game by its end; "" while it goes on. */
export function tone({ end, moves, optimum }) {
  if (end !== "solved") return end ? "failed" : "";
  return moves === optimum ? "optimal" : "feasible";
}

/** Returns {title, tone, text} of a game that is over; `quiet`: it says nothing of the optimum. */
export function ending(game, quiet) {
  const { end, outcome, hints, seconds } = game;
  const best = !quiet && tone(game) === "optimal";
  const time = `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  const help = hints ? ` With ${hints === 1 ? "a hint" : `${hints} hints`}: the game counts as assisted.` : "";
  return {
    title: end !== "solved" ? "Given up" : best ? "Solved, and optimally" : "Solved",
    tone: quiet ? "" : tone(game),
    text: `${outcome} Time ${time}.${help}`,
  };
}
