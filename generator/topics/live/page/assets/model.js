/* On the page of a model: all heads as small maps, sorted by any measure on this sentence; heads can be switched off and
   words hidden, and what the model guesses is shown beside what it guessed with all heads. */

class ModelView {
  constructor(block) {
    this.block = block;
    this.off = new Set();
    this.hidden = new Set();
    this.sort = "";
  }

  /* What the worker is asked about a text. Words stay hidden only as long as the text is the same. */
  asks(text) {
    if (text !== this.text) this.hidden.clear();
    this.text = text;
    return { hidden: [...this.hidden], off: [...this.off] };
  }

  draw({ heads, measures }, read) {
    const names = Object.keys(heads);
    this.block.place.replaceChildren(
      ...(this.block.about.masked ? [this.#words(read), this.#guesses(read)] : []),
      this.#choices(names, measures),
      this.#maps(names, read),
      copying(this.block),
    );
  }

  /* A button that is pressed while something is taken away: `change` takes it away, or back. */
  #toggle(text, key, label, pressed, change) {
    const made = this.#changing(text, key, change, { className: "fg-live-toggle" });
    made.setAttribute("aria-pressed", pressed);
    made.setAttribute("aria-label", label);
    return made;
  }

  #changing(text, key, change, given) {
    return button(text, key, () => {
      change();
      this.block.show();
    }, given);
  }

  #words({ names }) {
    const words = names.map((name, at) => this.#toggle(name, `word-${at}`, `Hide ${name}`, this.hidden.has(at), () => {
      if (!this.hidden.delete(at)) this.hidden.add(at);
    }));
    return element("p", { className: "fg-live-words" }, "Hide a word, and the model guesses it: ", ...words.flatMap((one) => [one, " "]));
  }

  /* A row for each piece of a hidden word: a model guesses pieces. */
  #guesses({ guessed, tokens }) {
    if (!guessed.length) return "";
    const told = (likely) => likely.map(({ piece, share }) => `${piece} ${rounded(share)}`).join(", ");
    const rows = guessed.map(({ at, likely }) => element("tr", {},
      element("th", { scope: "row" }, tokens[at]),
      ...likely.map((one) => element("td", {}, told(one)))));
    const columns = ["hidden", "guessed with all heads", ...(this.off.size ? [`guessed without ${[...this.off].join(", ")}`] : [])];
    const table = element("table", { className: "fg-live-guesses" },
      element("thead", {}, element("tr", {}, ...columns.map((text) => element("th", { scope: "col" }, text)))), element("tbody", {}, ...rows));
    table.dataset.menu = ""; // it has no file to download
    return element("div", { className: "fg-scroll" }, table);
  }

  #choices(names, measures) {
    const options = [["", "layer and head"], ...measures].map(([value, text]) => element("option", { value, textContent: value ? "attention to " + text : text }));
    const select = element("select", {}, ...options);
    select.dataset.key = "sort";
    select.value = this.sort;
    select.addEventListener("change", () => {
      this.sort = select.value;
      this.block.show();
    });
    const layers = [...new Set(names.map((name) => name.split("-")[0]))].map((layer) => {
      const mine = names.filter((name) => name.startsWith(layer + "-")), all = mine.every((name) => this.off.has(name));
      return this.#toggle("layer " + layer, `layer-${layer}`, `Switch off layer ${layer}`, all, () => {
        for (const name of mine) if (all) this.off.delete(name); else this.off.add(name);
      });
    });
    const back = this.#changing("Put all heads and words back", "back", () => {
      this.off.clear();
      this.hidden.clear();
    });
    return element("div", { className: "fg-choose" },
      element("p", {}, element("label", {}, "Sort by ", select)),
      element("p", {}, "Switch off all heads of ", ...layers.flatMap((one) => [one, " "])),
      ...(this.off.size || this.hidden.size ? [element("p", {}, back)] : []));
  }

  /* Maps of all heads; where some are off, beside each how far it moved: of the attention of a token, on average, the share
     that went elsewhere. */
  #maps(names, { tokens, side, maps, shares, moved }) {
    const value = (at) => shares[this.sort][at], map = (at) => maps.subarray(at * side * side, (at + 1) * side * side);
    const order = [...names.keys()];
    if (this.sort) order.sort((one, other) => value(other) - value(one));
    const places = order.map((at) => {
      const name = names[at];
      const told = [...(this.sort ? [rounded(value(at))] : []), ...(this.off.size ? ["moved " + rounded(moved[at])] : [])];
      const href = this.block.link(new URL(`../heads/${name}/`, document.baseURI).href, this.text);
      const toggle = this.#toggle("off", `head-${name}`, `Switch off head ${name}`, this.off.has(name), () => {
        if (!this.off.delete(name)) this.off.add(name);
      });
      return element("li", this.off.has(name) ? { className: "fg-live-off" } : {},
        element("a", { href }, smallMap(map(at), side, `Map of head ${name}`), "head " + name),
        element("small", {}, told.join(", ")), toggle);
    });
    const cut = side < tokens.length ? `Maps show the first ${side} of ${tokens.length} tokens. ` : "";
    const off = this.off.size ? " Moved is the share of its attention that went to other tokens than with all heads." : "";
    const note = `${cut}Queries go down, keys across. A head that is switched off writes nothing; its map is what it would look at.${off}`;
    return element("div", {}, element("ul", { className: "fg-list fg-small-maps" }, ...places), element("p", { className: "fg-note" }, note));
  }
}
