// What every view is built with: elements, requests to the server, and what is said aloud.
// Whatever a person, a model or a file has said is set as text, never as markup.

export const $ = (id) => document.getElementById(id);

/** Returns an element; properties are set as they are, and children may be texts or nothing. */
export function el(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (key in node) node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

/** Returns a button; `label` is what a screen reader says where the sign alone says too little. */
export function button(sign, act, properties = {}) {
  const { label, ...rest } = properties;
  const node = el("button", { type: "button", onclick: act, ...rest }, sign);
  if (label) {
    node.setAttribute("aria-label", label);
    node.title = label;
  }
  return node;
}

/** Returns a labelled select; `options` are values, or pairs of value and text. */
export function choice(label, options, value, act) {
  const pairs = options.map((one) => (Array.isArray(one) ? one : [one, one]));
  const nodes = pairs.map(([key, text]) =>
    el("option", { value: key, selected: String(key) === String(value) }, text),
  );
  const select = el("select", {}, nodes);
  if (act) select.onchange = () => act(select.value);
  return { element: field(label, select), select };
}

/** Returns a control beneath its label. */
export function field(label, control) {
  return el("label", { className: "field" }, el("span", {}, label), control);
}

/** Returns what belongs into a list of terms: a name, and the words about it. */
export function term(name, words) {
  return [el("dt", {}, name), el("dd", {}, words)];
}

/** The server's one sentence about a request that it has refused. */
class Trouble extends Error {
  constructor(sentence, status) {
    super(sentence);
    this.status = status;
  }
}

export const UNREACHED = "The server does not answer; is it still running?";

/** Asks the server, by POST where there is a body; returns its response, or throws Trouble. */
export async function fetched(path, body) {
  const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try {
    response = await fetch(path, body === undefined ? {} : sent);
  } catch {
    throw new Trouble(UNREACHED, 0);
  }
  if (!response.ok) {
    const { error } = await response.json().catch(() => ({}));
    throw new Trouble(error ?? `The server answers ${response.status}.`, response.status);
  }
  return response;
}

/** Asks the server; returns its JSON, or throws Trouble with a sentence. */
export async function ask(path, body) {
  const response = await fetched(path, body);
  return response.json().catch(() => ({}));
}

/** Says a sentence to those who listen to the page; the same sentence twice is said twice. */
export function say(sentence) {
  const live = $("live");
  live.textContent = live.textContent === sentence ? `${sentence}\u00a0` : sentence;
}

/** Capitalises what begins a sentence or a title. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const plain = (text) => String(text).replace(/_/g, " ");
export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Returns what this browser has kept under a name, or `otherwise`. */
export function kept(name, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keeps a value for as long as the browser lets it. */
export function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Without storage the page forgets, and works all the same.
  }
}

/** Whether a key press belongs to a field or a link rather than to the board. */
export function typing(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return true;
  return Boolean(event.target.closest?.("input, select, textarea, summary, dialog, [data-own-keys]"));
}
