/* On the page of a model: all heads as small maps, sorted by any measure on this sentence; heads can be switched off and
   words hidden, and what the model guesses is shown beside what it guessed with all heads. */
const DRAWN = 128; // tokens of a small map, at most

class ModelView {
  constructor(block) {
    this.block = block;
    this.off = new Set();
    this.hidden = new Set();
    this.sort = "";
  }

  draw({ heads, measures }, read) {
    const { text } = this.block, { masked } = this.block.about;
    if (text !== this.text) [this.text, this.hidden] = [text, new Set(read.hidden)];
    const names = Object.keys(heads), size = read.tokens.length ** 2;
    const map = (name) => read.maps.subarray(names.indexOf(name) * size, (names.indexOf(name) + 1) * size);
    if (!this.off.size) this.before = read.guessed;
    this.block.place.replaceChildren(
      ...(masked ? [this.#words(read), this.#guesses(read)] : []),
      this.#choices(names, measures),
      this.#maps(names, measures, map, read),
    );
  }

  /* Read again without what is switched off or hidden. */
  #again() {
    this.block.options = { off: [...this.off], hidden: [...this.hidden] };
    this.block.show();
  }

  #toggle(set, one, text, label) {
    const made = element("button", { type: "button", className: "fg-live-toggle", textContent: text });
    made.setAttribute("aria-pressed", set.has(one));
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", () => {
      if (!set.delete(one)) set.add(one);
      this.#again();
    });
    return made;
  }

  #words(read) {
    const { names } = ofWords(read);
    const words = names.map((name, at) => this.#toggle(this.hidden, at, name));
    return element("p", { className: "fg-live-words" }, "Hide a word, and the model guesses it: ", ...words.flatMap((one) => [one, " "]));
  }

  #guesses({ guessed, tokens }) {
    if (!guessed.length) return "";
    const told = (likely) => likely.map(({ piece, share }) => `${piece} ${rounded(share)}`).join(", ");
    const before = new Map(this.before?.map(({ at, likely }) => [at, likely]));
    const rows = guessed.map(({ at, likely }) => element("tr", {},
      element("th", { scope: "row" }, tokens[at]),
      ...[before.has(at) ? told(before.get(at)) : "", ...(this.off.size ? [told(likely)] : [])].map((text) => element("td", {}, text))));
    const columns = ["hidden", "guessed with all heads", ...(this.off.size ? [`guessed without ${[...this.off].join(", ")}`] : [])];
    const table = element("table", { className: "fg-live-guesses" },
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, ...rows));
    table.dataset.menu = ""; // it has no file to download
    return element("div", { className: "fg-scroll" }, table);
  }

  #choices(names, measures) {
    const options = [["", "layer and head"], ...measures].map(([value, text]) => element("option", { value, textContent: value ? "attention to " + text : text }));
    const select = element("select", {}, ...options);
    select.value = this.sort;
    select.addEventListener("change", () => {
      this.sort = select.value;
      this.#again();
    });
    const layers = [...new Set(names.map((name) => name.split("-")[0]))].map((layer) => {
      const mine = names.filter((name) => name.startsWith(layer + "-")), all = mine.every((name) => this.off.has(name));
      const made = element("button", { type: "button", className: "fg-live-toggle", textContent: "layer " + layer });
      made.setAttribute("aria-pressed", all);
      made.addEventListener("click", () => {
        for (const name of mine) if (all) this.off.delete(name); else this.off.add(name);
        this.#again();
      });
      return made;
    });
    return element("div", { className: "fg-choose" },
      element("p", {}, element("label", {}, "Sort by ", select)),
      element("p", {}, "Switch off all heads of ", ...layers.flatMap((one) => [one, " "])));
  }

  #maps(names, measures, map, { tokens }) {
    const value = (name) => share(this.sort, tokens, map(name));
    const order = this.sort ? [...names].sort((one, other) => value(other) - value(one)) : names;
    const shown = Math.min(tokens.length, DRAWN), places = order.map((name) => {
      const picture = smallMap(map(name), tokens.length, `Map of head ${name}`, shown);
      const href = new URL(`../heads/${name}/`, document.baseURI).href + SENTENCE + encodeURIComponent(this.text);
      const told = this.sort ? ` ${rounded(value(name))}` : "";
      return element("li", this.off.has(name) ? { className: "fg-live-off" } : {},
        element("a", { href }, picture, "head " + name), element("small", {}, told), this.#toggle(this.off, name, "off", `Switch off head ${name}`));
    });
    const list = element("ul", { className: "fg-list fg-small-maps" }, ...places);
    const cut = shown < tokens.length ? `Maps show the first ${shown} of ${tokens.length} tokens. ` : "";
    const note = `${cut}Queries go down, keys across. A head that is switched off writes nothing; its map is what it would look at.`;
    return element("div", {}, list, element("p", { className: "fg-note" }, note));
  }
}
