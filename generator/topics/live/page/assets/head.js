/* On the page of a head: the sentence with the head's arcs, what it would call what it finds, its numbers, its whole map. */
const TOLD = 8; // finds that a caption names

class HeadView {
  constructor(block) {
    this.block = block;
  }

  /* What the worker is asked about a text. */
  asks() {
    return { only: this.block.element.dataset.head };
  }

  draw({ heads, measures }, read) {
    const name = this.block.element.dataset.head, head = heads[name];
    const line = lineOf(read, head);
    const label = `Who looks at whom in head ${name}: ${line.words.join(" ")}`;
    this.picture = arcs(line, label);
    const figure = element("figure", {}, element("div", { className: "fg-scroll" }, this.picture), element("figcaption", {}, this.#told(head, line)));
    const map = element("ul", { className: "fg-list fg-small-maps" }, element("li", {}, smallMap(read.maps, read.side, `Map of head ${name}`), element("small", {}, "Its whole map")));
    this.block.place.replaceChildren(
      element("div", { className: "fg-arcs" }, figure),
      copying(this.block, {
        SVG: () => save(`head-${name}.svg`, new Blob([standing(this.picture)], { type: "image/svg+xml" })),
        PNG: async () => save(`head-${name}.png`, await raster(this.picture)),
      }),
      element("div", { className: "fg-show" }, this.#numbers(head, measures, read), map),
    );
  }

  #told({ finds, looks, title }, { words, arcs, found, split }) {
    const pieces = split ? " A word that the model reads in pieces gets what these get together, and gives what they give on average." : "";
    const drawn = `Drawn is what gets ${rounded(FAINT)} of the attention or more.${pieces}`;
    if (!finds) return looks.length && arcs.some((one) => one.named) ? `In colour: what ${title} speaks of. ${drawn}` : drawn;
    if (!found.length) return `It would call nothing here ${finds.words}: no word gives another one more than half of what words get.${pieces}`;
    const word = (at) => `\u201c${words[at]}\u201d`;
    const named = found.map(({ start, end, weight }) => {
      const [dependent, head] = finds.forward ? [start, end] : [end, start];
      return `${word(dependent)} (of ${word(head)}, ${rounded(weight)})`;
    });
    const more = named.length > TOLD ? ` and ${named.length - TOLD} more` : "";
    return `In colour, what it would call ${finds.words}: ${named.slice(0, TOLD).join(", ")}${more}. Each arrow has more than half of what words get, which does not make it right.${pieces}`;
  }

  #numbers({ usual }, measures, { shares }) {
    const rows = measures.filter(([measure]) => usual[measure]).map(([measure, words]) => {
      const [value] = shares[measure], quantiles = usual[measure];
      return element("tr", {},
        element("th", { scope: "row" }, "to " + words),
        ...[rounded(value), rounded(quantiles[(quantiles.length - 1) / 2]), rounded(rank(value, quantiles))].map((text) => element("td", {}, text)));
    });
    const heads = ["attention", "here", "usually", "more than on"].map((text) => element("th", { scope: "col" }, text));
    const table = element("table", { className: "fg-live-numbers" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
    table.dataset.menu = ""; // it has no file to download
    const note = "Usually: the median over the documents that were read, which are longer and mostly of two segments; the last column says on which share of them it is less.";
    return element("div", {}, element("div", { className: "fg-scroll" }, table), element("p", { className: "fg-note" }, note));
  }
}
