/* Brings the figures of a page to life when they are touched.

   A figure has one slot per chart with a picture of it, and names the script beside its page that holds the data of the
   page's figures. That, Vega and the compiled charts are fetched once, when a reader points at the first figure, moves
   the focus to it, or asks it for another view or a file; the live chart then takes the place of the picture.
   All works from disk too, where instant navigation never reports a page. */
(function () {
  "use strict";

  const here = document.currentScript.src.replace(/[^/]*$/, "");
  const fromDisk = location.protocol === "file:";
  const figures = new Map(); // element -> {rows, views: [Vega views], live: promise of the first drawing}
  const told = new Map(); // address -> promise of the data of a page's figures, by their names
  let library = null;

  function script(address) {
    return new Promise((resolve, reject) => {
      const element = document.createElement("script");
      element.src = address;
      element.onload = resolve;
      element.onerror = () => reject(new Error("could not load " + element.src));
      document.head.append(element);
    });
  }

  function load() {
    library = library || Promise.all([script(here + "vega.js"), script(here + "charts.js")]);
    library.catch(() => (library = null)); // the next figure tries again
    return library;
  }

  async function data(figure) {
    const address = new URL(figure.dataset.from, location.href).href;
    if (!told.has(address)) told.set(address, script(address).then(() => window.fieldguideData)); // no other runs between
    told.get(address).catch(() => told.delete(address));
    return (await told.get(address))[figure.id];
  }

  function scheme() {
    const name = document.body.getAttribute("data-md-color-scheme");
    return window.fieldguideCharts.schemes[name] || window.fieldguideCharts.schemes.default;
  }

  /* Columns -> rows; a grid of tokens -> one row per query and key. */
  function rows(data, view) {
    if (data.grid) {
      const tokens = view.tokens, n = tokens.length;
      return view.weights.map((weight, at) => {
        const q = Math.floor(at / n), k = at % n;
        return { query: tokens[q], key: tokens[k], q, k, weight: weight / 1000 };
      });
    }
    const columns = { ...data.shared, ...view.columns };
    const names = Object.keys(columns);
    return columns[names[0]].map((_, at) => {
      const row = { ...view.constants };
      for (const name of names) row[name] = columns[name][at];
      if (fromDisk && row.href) row.href += "index.html";
      return row;
    });
  }

  function chosen(figure) {
    const select = figure.querySelector(".fg-view");
    if (!select) return 0;
    const definition = figure.querySelector(".fg-definition");
    if (definition) definition.setAttribute("href", select.selectedOptions[0].dataset.href);
    return Number(select.value);
  }

  /* A later draw wins: charts that finish late are thrown away. What was seen stays until all are drawn. */
  async function draw(figure) {
    const [found] = await Promise.all([data(figure), load()]);
    const state = figures.get(figure);
    if (!state) return;
    const turn = (state.turn = (state.turn || 0) + 1);
    const view = found.views[chosen(figure)];
    const { config, signals } = scheme();
    state.rows = rows(found, view);
    state.signals = { ...signals, ...view.signals, labels: view.labels || view.tokens };
    const slots = [...figure.querySelectorAll(".fg-chart")], drawn = [], places = [];
    for (const slot of slots) {
      const chart = window.fieldguideCharts.charts[slot.dataset.kind];
      const spec = structuredClone(chart.vega);
      spec.description = figure.dataset.label;
      spec.data.find((source) => source.name === "d").values = state.rows;
      for (const signal of spec.signals) {
        if (signal.name in state.signals) signal.value = state.signals[signal.name];
      }
      const place = document.createElement("div");
      place.className = "fg-drawing";
      slot.append(place);
      places.push(place);
      const options = { mode: "vega", ast: true, renderer: "svg", actions: false, config };
      drawn.push((await window.vegaEmbed(place, spec, options)).view);
    }
    if (turn !== state.turn || !figure.isConnected) {
      drawn.forEach((one) => one.finalize());
      places.forEach((place) => place.remove());
      return;
    }
    state.views.forEach((one) => one.finalize());
    state.views = drawn;
    slots.forEach((slot, at) => {
      slot.replaceChildren(places[at]);
      places[at].classList.remove("fg-drawing");
    });
    figure.dataset.drawn = scheme() === window.fieldguideCharts.schemes.slate ? "slate" : "default";
  }

  function live(figure) {
    const state = figures.get(figure);
    state.live = state.live || draw(figure);
    state.live.catch(() => (state.live = null)); // the next touch tries again
    return state.live;
  }

  function save(name, href) {
    const link = document.createElement("a");
    link.download = name;
    link.href = href;
    link.click();
  }

  function text(name, type, content) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    save(name, url);
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }

  function csv(list) {
    const names = Object.keys(list[0] || {});
    const cell = (value) => {
      if (value === null || value === undefined) return "";
      return /[",\r\n]/.test(value) ? '"' + String(value).replaceAll('"', '""') + '"' : value;
    };
    return [names.join(","), ...list.map((row) => names.map((name) => cell(row[name])).join(","))].join("\n") + "\n";
  }

  /* The chart's Vega-Lite with the figure's rows and settings: it opens in any Vega editor. */
  function vegaLite(kind, state) {
    const lite = structuredClone(window.fieldguideCharts.charts[kind].lite);
    lite.config = scheme().config;
    lite.datasets = { d: state.rows };
    for (const param of lite.params || []) {
      if (param.name in state.signals) param.value = state.signals[param.name];
    }
    return JSON.stringify(lite, null, 1);
  }

  const cited = "CITED"; // of generator/pages/citing.py: the version, and forms with room for title and address

  function source(figure) {
    const page = document.querySelector("link[rel=canonical]") || location;
    return page.href.replace(/#.*/, "") + "#" + figure.id;
  }

  function cite(figure, line) {
    const shown = figure.querySelector(".fg-citation");
    if (shown) return shown.remove();
    const told = { title: document.title.replace(/ - [^-]*$/, "") + ": " + figure.dataset.label, address: source(figure) };
    const text = Object.assign(document.createElement("pre"), { className: "fg-citation", tabIndex: 0 });
    text.textContent = cited.forms.map((form) => form.replace(/{(title|address)}/g, (_, name) => told[name])).join("\n\n");
    line.after(text);
  }

  function offer(figure, state) {
    const line = figure.querySelector(".fg-downloads");
    const page = location.pathname.replace(/index\.html$/, "").split("/").filter(Boolean).slice(-1)[0] || "home";
    const name = (what) => [page, state.rows[0].measure, what].filter(Boolean).join("-");
    const button = (label, act, drawn = true) => {
      const element = document.createElement("button");
      element.type = "button";
      element.textContent = label;
      element.addEventListener("click", async () => {
        if (drawn) await live(figure);
        act();
      });
      line.append(element);
    };
    button("Cite", () => cite(figure, line), false);
    line.append("Download: ");
    const known = () => state.rows.map((row) => ({ ...row, source: source(figure), version: cited.version }));
    button("CSV", () => text(name(figure.id) + ".csv", "text/csv", csv(known())));
    const slots = [...figure.querySelectorAll(".fg-chart")];
    slots.forEach((slot, at) => {
      const kind = slot.dataset.kind, suffix = slots.length > 1 ? " (" + kind + ")" : "";
      button("Vega-Lite" + suffix, () => text(name(kind) + ".vl.json", "application/json", vegaLite(kind, state)));
      button("SVG" + suffix, async () => save(name(kind) + ".svg", await state.views[at].toImageURL("svg")));
      button("PNG" + suffix, async () => save(name(kind) + ".png", await state.views[at].toImageURL("png", 2)));
    });
    line.hidden = false;
  }

  function forget() {
    for (const [figure, state] of figures) {
      if (figure.isConnected) continue;
      state.views.forEach((view) => view.finalize());
      figures.delete(figure);
    }
  }

  function mount() {
    forget();
    for (const figure of document.querySelectorAll(".fg-figure")) {
      if (figures.has(figure)) continue;
      const state = { views: [] };
      figures.set(figure, state);
      const charts = figure.querySelector(".fg-charts"), select = figure.querySelector(".fg-view");
      for (const touch of ["pointerenter", "focus"]) charts.addEventListener(touch, () => live(figure));
      if (charts.matches(":hover, :focus")) live(figure); // touched before this script was there
      if (select) select.addEventListener("change", () => (state.live = draw(figure)));
      if (!figure.querySelector(".fg-downloads button")) offer(figure, state);
    }
  }

  function watchScheme() {
    new MutationObserver(() => {
      for (const [figure, state] of figures) if (state.rows) draw(figure);
    }).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
  }

  function start() {
    watchScheme();
    mount();
    if (window.document$) window.document$.subscribe(mount);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
