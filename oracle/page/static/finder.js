// Finder: what the gallery and the replay search with. Filters and a text, kept in the address, and
// pages that the server makes, so that no more than a page is ever in the browser.

import { ask, button, capital, el, field, plain, say } from "./dom.js";

const AGAIN = 500;
const SOON = 200;

/**
 * Asks `path` for what the filters choose, and shows it.
 *
 * `names` are the filters; `show(answer)` shows a page. `form`, `count` and `pager` are elements to
 * put into the view. The choices are kept in `location.hash` behind `#view`.
 */
export class Finder {
  constructor({ view, path, names, noun, show, query }) {
    Object.assign(this, { view, path, names, noun, show, turn: 0, size: 1, total: 0 });
    this.selects = new Map(names.map((name) => [name, el("select", { name })]));
    const fields = names.map((name) => field(capital(name), this.selects.get(name)));
    this.text = el("input", { type: "search", name: "id", autocomplete: "off", spellcheck: false });
    this.clear = button("Clear", () => this.reset());
    this.form = el(
      "form",
      { className: "filters" },
      fields,
      field("ID contains", this.text),
      this.clear,
    );
    this.form.setAttribute("aria-label", "Filters");
    this.form.setAttribute("role", "search");
    this.form.onsubmit = (event) => event.preventDefault();
    this.form.oninput = (event) => {
      this.page = 0;
      clearTimeout(this.soon);
      this.soon = setTimeout(() => this.find(), event.target === this.text ? SOON : 0);
    };
    this.count = el("p", { className: "note count" });
    this.back = button("‹ Back", () => this.turnTo(this.page - 1), { label: "Previous page" });
    this.on = button("Next ›", () => this.turnTo(this.page + 1), { label: "Next page" });
    this.number = el("input", { type: "number", min: 1, value: 1 });
    this.number.setAttribute("aria-label", "Page");
    this.number.onchange = () => this.turnTo(Number(this.number.value) - 1);
    this.pages = el("span", {});
    this.pager = el("nav", { className: "pager" }, this.back, el("span", {}, this.number, this.pages), this.on);
    this.pager.setAttribute("aria-label", "Pages");
    this.take(query);
  }

  /** Takes the choices of an address. */
  take(query) {
    this.chosen = Object.fromEntries(this.names.map((name) => [name, query.get(name) ?? ""]));
    this.text.value = query.get("id") ?? "";
    this.page = Math.max(0, Number(query.get("page") ?? 1) - 1 || 0);
  }

  get query() {
    const query = new URLSearchParams();
    for (const [name, word] of Object.entries(this.chosen)) if (word) query.set(name, word);
    if (this.text.value.trim()) query.set("id", this.text.value.trim());
    if (this.page) query.set("page", this.page + 1);
    return query;
  }

  /** Returns the address of something within the view, with the choices as they are. */
  link(...path) {
    const query = this.query.toString();
    const way = [this.view, ...path.map(encodeURIComponent)].join("/");
    return `#${way}${query ? `?${query}` : ""}`;
  }

  reset() {
    this.take(new URLSearchParams());
    for (const select of this.selects.values()) select.value = "";
    this.find();
    this.text.focus();
  }

  turnTo(page) {
    const last = Math.max(0, Math.ceil(this.total / this.size) - 1);
    this.page = Math.min(Math.max(page || 0, 0), last);
    return this.find();
  }

  /** Asks the server, again and again while it is reading its files, and shows what it says. */
  async find() {
    for (const [name, select] of this.selects) {
      if (select.options.length) this.chosen[name] = select.value;
    }
    const mine = ++this.turn;
    const query = this.query;
    if (this.page) query.set("page", this.page);
    const answer = await this.asked(query, mine);
    if (!answer || mine !== this.turn) return;
    this.size = answer.size;
    this.total = answer.total;
    const last = Math.max(0, Math.ceil(answer.total / answer.size) - 1);
    if (this.page > last) return this.turnTo(last);
    for (const [name, pairs] of Object.entries(answer.counts)) this.offer(name, pairs);
    const all = answer.all.toLocaleString("en");
    const sentence = `${answer.total.toLocaleString("en")} of ${all} ${this.noun}`;
    if (this.count.textContent !== sentence) say(sentence);
    this.count.textContent = sentence;
    this.clear.hidden = ![...this.query.keys()].some((name) => name !== "page");
    this.back.disabled = this.page === 0;
    this.on.disabled = this.page === last;
    this.number.value = this.page + 1;
    this.number.max = last + 1;
    this.pages.textContent = ` of ${(last + 1).toLocaleString("en")}`;
    this.pager.hidden = last === 0;
    this.show(answer);
  }

  async asked(query, mine) {
    for (;;) {
      let answer;
      try {
        answer = await ask(`${this.path}?${query}`);
      } catch (error) {
        this.count.className = "trouble";
        this.count.textContent = error.message;
        return null;
      }
      this.count.className = "note count";
      if (answer.reading === undefined || mine !== this.turn) return answer;
      this.count.textContent = `Reading the files: ${Math.round(100 * answer.reading)}%`;
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }

  /** Offers the words of a filter with how many each would leave. */
  offer(name, pairs) {
    const select = this.selects.get(name);
    const said = name === "reason" ? plain : String; // a model's name stays as it is
    const options = pairs.map(([word, n]) =>
      el("option", { value: word }, `${said(word)} (${n.toLocaleString("en")})`),
    );
    select.replaceChildren(el("option", { value: "" }, "all"), ...options);
    select.value = this.chosen[name];
    select.closest("label").hidden = pairs.length < 2 && !this.chosen[name];
  }

  close() {
    clearTimeout(this.soon);
    this.turn++;
  }
}

/** Asks the server, again while it is reading its files. */
export async function patiently(path) {
  for (;;) {
    try {
      return await ask(path);
    } catch (error) {
      if (error.status !== 503) throw error;
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}
