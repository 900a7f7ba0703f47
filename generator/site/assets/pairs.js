/* Shows any two models side by side. The address has both, so that it can be passed on and the way back leads to the pair
   before. What a model shows comes as a script of its own when the model is chosen. All of it is text from models and
   corpora, and is put into the page as text alone. The page itself names this script, so that it runs on arrival. */
(function () {
  "use strict";

  const FIRST = 8; // relations that are shown unfolded
  const PANELS = [
    ["breadth", "Entropy"], ["special", "Attention to [CLS] and [SEP]"], ["far", "Attention to distant words"],
  ];
  const WORST = ["holds fails", "holds inconclusive", "fails inconclusive"]; // differences of verdicts, the clearest first
  const write = (value) => window.fieldguideWrite(value, []);
  const numbers = (text) => text.split(" ").map(Number); // NaN for the dash

  function make(kind, content = [], attributes = {}) {
    const one = document.createElement(kind);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    one.append(...[content].flat());
    return one;
  }
  const name = (text) => make("bdi", text);
  const link = (content, href) => make("a", content, { href });
  const home = (slug) => "../models/" + encodeURIComponent(slug) + "/";
  const head = (slug, at) => link(at, home(slug) + "heads/" + at + "/");
  const percent = (share) => Math.round(share * 100) + " %";
  const between = (low, high) => (isNaN(low + high) ? "" : " (" + write(low) + " to " + write(high) + ")");

  function table(label, columns, rows, style = "") {
    const body = make("tbody", rows.map((cells) => make("tr", cells.map((cell, at) => make(at ? "td" : "th", cell, at ? { "data-of": columns[at].textContent || columns[at] } : { scope: "row" })))));
    const head = make("thead", make("tr", columns.map((one) => make("th", one, { scope: "col" }))));
    const whole = make("table", [head, body], { class: "fg-data-table fg-study-table fg-stacked " + style });
    return make("div", whole, { class: "fg-scroll", tabindex: "0", role: "region", "aria-label": label });
  }
  const folded = (title, content, style = "fg-block") => make("details", [make("summary", title), content], { class: style });
  const note = (text) => make("p", text, { class: "fg-note" });
  const heading = (text, id) => make("h2", text, { id });
  const small = (text) => make("small", "(" + text + ")");
  const keys = (pair) => make("p", pair.map((one, at) => make("span", [window.fieldguideKey(at), name(one.name)])), { class: "fg-pair-keys" });

  /* What each model is, with the map of its heads. */
  function told(pair, shared) {
    const shown = new Set();
    const each = pair.map((one) => {
      const map = make("div", [], { class: "fg-map", role: "group", "aria-label": "Heads of " + one.name + ", layer by layer" });
      for (let layer = 1; layer <= one.layers; layer++) {
        const row = make("div", make("span", String(layer), { class: "fg-layer-number" }), { class: "fg-layer" });
        for (let at = 1; at <= one.heads; at++) {
          const place = (layer - 1) * one.heads + at - 1, called = layer + "-" + at, [key] = shared.kinds[one.kind[place]];
          const filled = make("i", [], { class: "fg-kind-" + key });
          filled.style.setProperty("--side", one.side[place] + "%");
          const cell = head(one.slug, called), title = one.titles[one.title[place]];
          cell.replaceChildren(filled);
          cell.className = "fg-cell";
          cell.title = called + " " + title;
          cell.setAttribute("aria-label", "Head " + called + " of " + one.name + ": " + title);
          shown.add(one.kind[place]);
          row.append(cell);
        }
        map.append(row);
      }
      return make("div", [make("h2", link(name(one.name), home(one.slug))), make("p", one.told + "."), map]);
    });
    const legend = shared.kinds.filter((_, at) => shown.has(at)).map(([key, text]) =>
      make("li", [make("span", [], { class: "fg-swatch fg-kind-" + key }), text]));
    return [make("div", each, { class: "fg-pair-two" }), make("ul", legend, { class: "fg-list" }), note(shared.notes.heads)];
  }

  /* The layers of both models on one axis: their part of the depth. */
  function courses(pair, shared) {
    if (!pair.every((one) => one.courses.special)) {
      const missing = pair.filter((one) => !one.courses.special).map((one) => one.name);
      return [heading("Layer by layer", "layers"), make("p", "Of " + missing.join(" and ") + " no documents are stored, from which layers could be told.")];
    }
    const read = pair.map((one) => Object.fromEntries(PANELS.map(([key]) => [key, one.courses[key].map(numbers)])));
    const most = read.map(({ special: [values] }) => values.reduce((best, one, at) => (one > values[best] || isNaN(values[best]) ? at : best), 0));
    const title = "Special tokens get most attention " + pair.map((one, at) =>
      "in layer " + (most[at] + 1) + " of " + one.layers + " in " + one.name + " (" + percent(read[at].special[0][most[at]]) + ")").join(", and ");
    const panels = PANELS.map(([key, text]) => {
      const models = pair.map((one, at) => ({ name: one.name, layers: one.layers, values: read[at][key] }));
      return make("div", [make("p", text), window.fieldguideCourses(text, models)]);
    });
    const rows = pair.flatMap((one, at) => [...Array(one.layers).keys()].map((layer) => [
      [name(one.name), " " + (layer + 1)], ...PANELS.map(([key]) => {
        const [value, low, high] = read[at][key].map((part) => part[layer]);
        return write(value) + between(low, high);
      }),
    ]));
    const data = table("Layers of both models", ["model, layer", ...PANELS.map(([, text]) => text)], rows);
    const texts = new Set(pair.map((one) => one.corpus));
    const other = texts.size > 1 ? " The two were measured on different texts, so small differences say nothing." : "";
    const above = make("p", [], { class: "fg-title" });
    window.fieldguide.entitle(above, title);
    return [heading("Layer by layer", "layers"), make("figure", [
      above, keys(pair), make("div", panels, { class: "fg-pair-panels" }),
      folded("Table", data, "fg-table"), make("figcaption", shared.notes.courses + other),
    ])];
  }

  /* The treebank that both have read with most relations, or the first of each if they share none. */
  function treebanks([one, other]) {
    const size = (corpus) => Math.min(one.found[corpus].length, other.found[corpus].length);
    const both = Object.keys(one.found).filter((corpus) => corpus in other.found).sort((a, b) => size(b) - size(a));
    return both.length ? [both[0], both[0]] : [one, other].map((model) => Object.keys(model.found)[0]);
  }

  function right(row) {
    const [value, low, high, n, offset, baseline] = numbers(row[2]);
    return { head: row[1], value, low, high, n, offset, baseline };
  }

  function relations(pair, shared) {
    const title = heading("What their best heads find", "relations"), read = treebanks(pair);
    const none = pair.filter((_, at) => !read[at]).map((one) => one.name);
    if (none.length) return [title, make("p", "No treebank was read in which heads of " + none.join(" and of ") + " could find relations.")];
    const of = pair.map((one, at) => new Map(one.found[read[at]].map((row) => [row[0], right(row)])));
    const every = [...new Set(of.flatMap((one) => [...one.keys()]))].map((relation) => [relation, of.map((one) => one.get(relation))]);
    const apart = ([, [one, other]]) => (one && other ? Math.abs(one.value - other.value) : -1);
    every.sort((a, b) => apart(b) - apart(a));
    const both = every.filter(([, models]) => models.every(Boolean)).map(([, models]) => models);
    const ahead = [0, 1].map((at) => both.filter((models) => models[at].low > models[1 - at].high).length);
    const [where, others] = read[0] === read[1] ? [[" of ", name(read[0])], []]
      : [[], [" They were counted in different treebanks, ", name(read[0]), " and ", name(read[1]), ", so differences say little."]];
    const said = make("p", ["Of " + both.length + (both.length === 1 ? " relation" : " relations"), ...where, ", ", name(pair[0].name), " has the surely better head for " + (ahead[0] || "none") + ", ",
      name(pair[1].name), " for " + (ahead[1] || "none") + ": their intervals do not overlap.", ...others]);
    const cell = (one, at) => one ? [head(pair[at].slug, one.head), " " + write(one.value), small(
      (isNaN(one.low) ? "" : write(one.low) + " to " + write(one.high) + "; ") + "offset " + (one.offset > 0 ? "+" : "") + one.offset + ": " + write(one.baseline) + "; n " + one.n)] : "-";
    const rows = every.map(([relation, models]) => {
      const bar = window.fieldguideRight(models);
      bar.setAttribute("class", "fg-right");
      return [relation, bar, ...models.map(cell)];
    });
    const columns = ["relation", "how often right, 0 to 1", ...pair.map((one) => name(one.name))];
    const drawn = (some, which) => table("What the best heads find" + which, columns.map((one) => one.cloneNode ? one.cloneNode(true) : one), some);
    const rest = rows.slice(FIRST);
    return [title, said, keys(pair), drawn(rows.slice(0, FIRST), ", the largest differences first"),
      ...(rest.length ? [folded(rest.length + " more", drawn(rest, ", smaller differences"))] : []), note(shared.notes.found)];
  }

  function verdicts(pair, shared) {
    const of = (one, id) => (one.verdicts[id] ? shared.verdicts[one.verdicts[id][0]] : ["", "-"]);
    const whole = shared.claims.filter(([id]) => pair.some((one) => one.verdicts[id])).map((claim) => [claim, pair.map((one) => of(one, claim[0]))]);
    const judged = ([key]) => key && key !== "not-testable", alike = ([, [one, other]]) => one[0] === other[0];
    const differ = whole.filter((one) => !alike(one) && one[1].every(judged)), same = whole.filter((one) => alike(one) && one[1].every(judged));
    const neither = whole.filter((one) => alike(one) && !one[1].every(judged));
    const alone = whole.filter((one) => !alike(one) && !one[1].every(judged));
    const rank = ([, [one, other]]) => Math.min(...[[one, other], [other, one]].map((two) => WORST.indexOf(two.map(([key]) => key).join(" "))).filter((at) => at >= 0));
    differ.sort((a, b) => rank(a) - rank(b));
    const row = ([[id, title, paper], both]) => [
      [link(id, "../claims/" + id.toLowerCase() + "/"), " " + title, small(paper)],
      ...both.map(([key, text], at) => {
        const one = pair[at].verdicts[id];
        return one ? [make("span", text, { class: "fg-verdict fg-is-" + key }), small((one[2] ? text + one[2] + ": " : "") + pair[at].whys[one[1]])] : "-";
      }),
    ];
    const drawn = (some, label) => table(label, ["claim", ...pair.map((one) => name(one.name))], some.map(row), "fg-verdicts");
    const below = (some, label) => (some.length ? [folded(label + ": " + some.length, drawn(some, label))] : []);
    const clash = differ.filter((one) => rank(one) === 0).length;
    const said = "Of " + (differ.length + same.length) + " claims that are judged for both models, the verdicts differ on " + differ.length + (clash
      ? "; " + clash + " of these " + (clash === 1 ? "holds" : "hold") + " for one model and " + (clash === 1 ? "fails" : "fail") + " for the other." : ".");
    return [heading("Verdicts on published claims", "verdicts"), make("p", said),
      ...(differ.length ? [drawn(differ, "Claims with different verdicts")] : []),
      ...below(alone, "Judged for one of the two alone"), ...below(same, "The same verdict for both"), ...below(neither, "Judged for neither"), note(shared.notes.verdicts)];
  }

  async function load(part, slug) {
    const found = await window.fieldguide.data({ dataset: { from: home(slug) + "beside.js" } });
    if (found.missing) throw new Error(found.missing);
    return { ...found, slug };
  }

  function mount(part) {
    const rows = [...document.getElementById(part.dataset.models).tBodies[0].rows], place = part.querySelector(".fg-pair");
    const models = new Map(rows.map((row) => row.querySelector("a")).map((one) => [decodeURIComponent(one.pathname.replace(/index\.html$/, "").split("/").at(-2)), one.textContent]));
    const selects = [...part.querySelectorAll("select")], status = part.querySelector("[role=status]"), before = new Map();
    let turn = 0;
    for (const one of selects) one.append(...[...models].map(([value, text]) => make("option", text, { value })));

    /* The pair of the address; models that are not asked for, or unknown, are the first ones of the guide. */
    function read() {
      const asked = new URLSearchParams(location.search), slugs = [...models.keys()];
      const known = selects.map((one) => asked.get(one.name)).map((slug) => (models.has(slug) ? slug : ""));
      if (known[0] === known[1]) known[1] = "";
      selects.forEach((one, at) => (one.value = known[at] || slugs.find((slug) => !known.includes(slug))) && (known[at] = one.value));
      const unknown = selects.map((one) => asked.get(one.name)).filter((slug) => slug && !models.has(slug));
      show(unknown.map((slug) => "The guide has no model “" + slug + "”; another one is shown. ").join(""));
    }

    async function show(said = "") {
      const mine = ++turn, slugs = selects.map((one) => one.value);
      for (const one of selects) before.set(one, one.value);
      try {
        const [shared, ...pair] = await Promise.all([window.fieldguide.data(part), ...slugs.map((slug) => load(part, slug))]);
        if (mine !== turn) return;
        place.replaceChildren(...[told, courses, relations, verdicts].flatMap((one) => one(pair, shared.pairs)));
        status.replaceChildren(said, make("span", [name(pair[0].name), " beside ", name(pair[1].name), "."], { class: "fg-unseen" }));
      } catch (error) {
        if (mine !== turn) return;
        place.replaceChildren();
        status.textContent = error.message + (error.message.endsWith(".") ? "" : "; load the page again.");
      }
      part.dataset.shown = slugs.join(" ");
    }

    for (const one of selects) {
      one.addEventListener("change", () => {
        const other = selects.find((some) => some !== one);
        if (other.value === one.value) other.value = before.get(one); // a model beside itself shows nothing: they change places
        const query = new URLSearchParams(selects.map((some) => [some.name, some.value]));
        history.pushState(null, "", location.pathname + "?" + query);
        show();
      });
    }
    window.addEventListener("popstate", () => part.isConnected && read());
    part.querySelector(".fg-choose").hidden = false;
    part.dataset.ready = "";
    read();
  }

  const start = () => document.querySelectorAll(".fg-pairs:not([data-ready])").forEach(mount);
  if (window.fieldguide) start();
  else document.addEventListener("DOMContentLoaded", start); // the script of all figures stands at the end of the page
})();
