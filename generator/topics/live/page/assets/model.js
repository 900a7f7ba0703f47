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

  /* What the worker is asked about a text: with all heads and, if some are off, without them. Words stay hidden only as long
     as the text is the same. */
  asks(text) {
    if (text !== this.text) this.hidden.clear();
    this.text = text;
    const hidden = [...this.hidden];
    return [{ hidden }, ...(this.off.size ? [{ hidden, off: [...this.off] }] : [])];
  }

  draw({ heads, measures }, before, now = before) {
    const names = Object.keys(heads), size = before.tokens.length ** 2;
    const map = ({ maps }, name) => maps.subarray(names.indexOf(name) * size, (names.indexOf(name) + 1) * size);
    const focused = document.activeElement.dataset.key;
    this.block.place.replaceChildren(
      ...(this.block.about.masked ? [this.#words(before), this.#guesses(before, now)] : []),
      this.#choices(names, measures),
      this.#maps(names, before.tokens, (name) => map(now, name), (name) => map(before, name)),
    );
    if (focused) this.block.place.querySelector(`[data-key="${focused}"]`)?.focus();
  }

  /* A button that is pressed while something is taken away: `change` takes it away, or back. */
  #toggle(text, key, label, pressed, change) {
    const made = element("button", { type: "button", className: "fg-live-toggle", textContent: text });
    made.dataset.key = key;
    made.setAttribute("aria-pressed", pressed);
    made.setAttribute("aria-label", label);
    made.addEventListener("click", () => {
      change();
      this.block.show();
    });
    return made;
  }

  #words(read) {
    const words = ofWords(read).names.map((name, at) => this.#toggle(name, `word-${at}`, `Hide ${name}`, this.hidden.has(at), () => {
      if (!this.hidden.delete(at)) this.hidden.add(at);
    }));
    return element("p", { className: "fg-live-words" }, "Hide a word, and the model guesses it: ", ...words.flatMap((one) => [one, " "]));
  }

  #guesses(before, now) {
    if (!before.guessed.length) return "";
    const told = ({ likely }) => likely.map(({ piece, share }) => `${piece} ${rounded(share)}`).join(", "), off = this.off.size;
    const rows = before.guessed.map((one, at) => element("tr", {},
      element("th", { scope: "row" }, before.tokens[one.at]),
      ...[one, ...(off ? [now.guessed[at]] : [])].map((guessed) => element("td", {}, told(guessed)))));
    const columns = ["hidden", "guessed with all heads", ...(off ? [`guessed without ${[...this.off].join(", ")}`] : [])];
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
    return element("div", { className: "fg-choose" },
      element("p", {}, element("label", {}, "Sort by ", select)),
      element("p", {}, "Switch off all heads of ", ...layers.flatMap((one) => [one, " "])));
  }

  /* Maps of all heads; where some are off, beside each how far it moved: of the attention of a token, on average, the share
     that went elsewhere. */
  #maps(names, tokens, now, before) {
    const value = (name) => share(this.sort, tokens, now(name)), shown = Math.min(tokens.length, DRAWN);
    const order = this.sort ? [...names].sort((one, other) => value(other) - value(one)) : names;
    const moved = (name) => now(name).reduce((sum, weight, at) => sum + Math.abs(weight - before(name)[at]), 0) / 2 / tokens.length;
    const places = order.map((name) => {
      const told = [...(this.sort ? [rounded(value(name))] : []), ...(this.off.size ? ["moved " + rounded(moved(name))] : [])];
      const href = new URL(`../heads/${name}/`, document.baseURI).href + SENTENCE + encodeURIComponent(this.text);
      const toggle = this.#toggle("off", `head-${name}`, `Switch off head ${name}`, this.off.has(name), () => {
        if (!this.off.delete(name)) this.off.add(name);
      });
      return element("li", this.off.has(name) ? { className: "fg-live-off" } : {},
        element("a", { href }, smallMap(now(name), tokens.length, `Map of head ${name}`, shown), "head " + name),
        element("small", {}, told.join(", ")), toggle);
    });
    const cut = shown < tokens.length ? `Maps show the first ${shown} of ${tokens.length} tokens. ` : "";
    const off = this.off.size ? " Moved is the share of its attention that went to other tokens than with all heads." : "";
    const note = `${cut}Queries go down, keys across. A head that is switched off writes nothing; its map is what it would look at.${off}`;
    return element("div", {}, element("ul", { className: "fg-list fg-small-maps" }, ...places), element("p", { className: "fg-note" }, note));
  }
}
