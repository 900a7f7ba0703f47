/* Brings the figures of a page to life when they are touched.

   A figure has one slot per chart with a picture of it, and names the script beside its page that holds the data of the
   page's figures. That, Vega and the compiled charts are fetched once, when a reader points at the first figure, moves
   the focus to it, or asks it for another view or a file; the live chart then takes the place of the picture.
   All works from disk too, where instant navigation never reports a page. */
(function () {
  "use strict";

  const here = document.currentScript.src.replace(/[^/]*$/, "");
  const fromDisk = location.protocol === "file:";
  const figures = new Map(); // element -> {views: [Vega views], live: promise of the first drawing}
  const told = new Map(); // address -> promise of the data of a page's figures, by their names
  const NAMES = /\b([\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*(?:-[\p{L}\p{N}_]+(?:\.[\p{L}\p{N}_]+)*)+)/u; // with a hyphen
  const LONGEST = 32; // characters of a name that is not broken
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

  /* The data that a script hands over: the one named by an element, or the one beside the page. */
  function data(element) {
    const address = new URL(element.dataset.from || "figures.js", document.baseURI).href;
    if (!told.has(address)) told.set(address, script(address).then(() => window.fieldguideData)); // no other script between
    told.get(address).catch(() => told.delete(address));
    return told.get(address);
  }

  function scheme(name = document.body.getAttribute("data-md-color-scheme")) {
    return window.fieldguideCharts.schemes[name] || window.fieldguideCharts.schemes.default;
  }

  /* Columns -> rows; a grid of tokens -> one row per query and key. */
  function rows(data, view) {
    if (data.grid) {
      const tokens = view.tokens, n = tokens.length;
      return view.weights.map((weight, at) => {
        const q = Math.floor(at / n), k = at % n;
        return { query: tokens[q], key: tokens[k], q, k, weight: weight / 1000, decimals: 3 };
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

  /* Writes a title in which no line ends within a name, as `unbroken_names` in generator/pages/inline.py does. */
  function entitle(title, text) {
    if (text === title.textContent) return;
    const name = (text) => Object.assign(document.createElement("span"), { textContent: text });
    title.replaceChildren(...text.split(NAMES).map((part, at) => (at % 2 && part.length <= LONGEST ? name(part) : part)));
  }

  /* What a figure shows now: the rows of the view that is chosen, and its settings. */
  async function seen(figure) {
    const found = (await data(figure))[figure.id];
    const view = found.views[chosen(figure)], title = figure.querySelector(".fg-title");
    const told = view.title?.replaceAll(" %", "\u00a0%");
    if (told) entitle(title, told);
    const settings = { ...view.signals, labels: view.labels || view.tokens };
    const shown = { rows: rows(found, view), settings, grid: found.grid };
    const { compared } = window.fieldguide; // of compared.js, on pages whose reader chooses models
    return found.every && compared ? compared(figure, shown, rows(found, found.every)) : shown;
  }

  /* A row with as many digits as eye and ear can use: the name of a mark says its numbers. */
  function short(row) {
    const digits = ([name, value]) => [name, Number.isInteger(value) || typeof value !== "number" ? value : Number(value.toPrecision(6))];
    return Object.fromEntries(Object.entries(row).map(digits));
  }

  /* One chart of a figure, drawn in a place in the colours of a scheme; returns its Vega view. */
  async function chart(figure, kind, place, { rows, settings }, { config, signals }) {
    const spec = structuredClone(window.fieldguideCharts.charts[kind].vega), known = { ...signals, ...settings };
    spec.description = figure.querySelector(".fg-title").textContent;
    spec.data.find((source) => source.name === "d").values = rows.map(short);
    for (const signal of spec.signals) if (signal.name in known) signal.value = known[signal.name];
    const options = { mode: "vega", ast: true, renderer: "svg", actions: false, config };
    return (await window.vegaEmbed(place, spec, options)).view;
  }

  function place(slot) {
    return slot.appendChild(Object.assign(document.createElement("div"), { className: "fg-drawing" }));
  }

  /* A later draw wins: charts that finish late are thrown away. What is shown stays until all are drawn. */
  async function draw(figure) {
    const [found] = await Promise.all([seen(figure), load()]);
    const state = figures.get(figure);
    if (!state) return;
    const turn = (state.turn = (state.turn || 0) + 1);
    const slots = [...figure.querySelectorAll(".fg-chart")], colours = scheme(), drawn = [], places = [];
    for (const slot of slots) {
      places.push(place(slot));
      drawn.push(await chart(figure, slot.dataset.kind, places.at(-1), found, colours));
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
    if (found.grid) tell(figure, found.rows, found.settings.labels);
    figure.dataset.drawn = colours === window.fieldguideCharts.schemes.slate ? "slate" : "default";
  }

  /* The table of a map tells of the sentence that is shown: each query with the key that gets most. */
  function tell(figure, rows, labels) {
    const most = [];
    for (const row of rows) if (!(most[row.q]?.weight >= row.weight)) most[row.q] = row;
    const body = figure.querySelector(".fg-table tbody");
    body.replaceChildren();
    for (const { q, k, weight } of most) {
      const line = body.insertRow();
      line.insertCell().textContent = labels[q];
      line.insertCell().textContent = labels[k] + " " + weight;
    }
  }

  function live(figure) {
    const state = figures.get(figure);
    state.live = state.live || draw(figure);
    state.live.catch(() => (state.live = null)); // the next touch tries again
    return state.live;
  }

  /* A chart as a picture, whatever scheme its reader has: "svg", or "png" of twice the size. */
  async function picture(figure, slot, format, dark) {
    const [found] = await Promise.all([seen(figure), load()]);
    const beside = place(slot);
    const view = await chart(figure, slot.dataset.kind, beside, found, scheme(dark ? "slate" : "default"));
    const address = await view.toImageURL(format, format === "png" ? 2 : 1);
    view.finalize();
    beside.remove();
    return address;
  }

  /* The chart's Vega-Lite with the figure's rows and settings: it opens in any Vega editor. */
  async function vegaLite(figure, slot, dark) {
    const [{ rows, settings }] = await Promise.all([seen(figure), load()]);
    const { config, signals } = scheme(dark ? "slate" : "default"), known = { ...signals, ...settings };
    const lite = { ...structuredClone(window.fieldguideCharts.charts[slot.dataset.kind].lite), config, datasets: { d: rows } };
    for (const param of lite.params || []) if (param.name in known) param.value = known[param.name];
    return JSON.stringify(lite, null, 1);
  }

  /* Draws a figure again that shows something else now. */
  function again(figure) {
    mount();
    figures.get(figure).live = draw(figure);
  }

  window.fieldguide = { here, data, seen, entitle, picture, vegaLite, again }; // for menus.js, compared.js and curve.js

  function forget() {
    for (const [figure, state] of figures) {
      if (figure.isConnected) continue;
      state.views.forEach((view) => view.finalize());
      figures.delete(figure);
    }
  }

  function reach(part, role, label) {
    part.tabIndex = 0; // by keyboard; each page would say so of all its figures
    part.setAttribute("role", role);
    part.setAttribute("aria-label", label);
  }

  function mount() {
    forget();
    for (const figure of document.querySelectorAll(".fg-figure")) {
      if (figures.has(figure)) continue;
      const state = { views: [] };
      figures.set(figure, state);
      const charts = figure.querySelector(".fg-charts"), select = figure.querySelector(".fg-view");
      reach(charts, "group", "Chart");
      for (const one of figure.querySelectorAll(".fg-scroll")) reach(one, "region", "Table of " + figure.id);
      for (const touch of ["pointerenter", "focus"]) charts.addEventListener(touch, () => live(figure));
      if (charts.matches(":hover, :focus")) live(figure); // touched before this script was there
      if (select) select.addEventListener("change", () => again(figure));
    }
  }

  function watchScheme() {
    new MutationObserver(() => {
      for (const [figure, state] of figures) if (state.live) draw(figure);
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
