/* Draws curves over layers of two models in one picture: each layer at its part of the depth. Names are text alone. */
(function () {
  "use strict";

  const SVG = "http://www.w3.org/2000/svg", WIDE = 340, TALL = 150, LEFT = 40, TOP = 8, BELOW = 22;
  const STEPS = [0.05, 0.1, 0.25, 0.5];

  function add(parent, kind, attributes, text) {
    const one = document.createElementNS(SVG, kind);
    for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
    if (text !== undefined) one.textContent = text;
    parent.append(one);
    return one;
  }

  /* A dot of the first model is a circle, one of the second a square, so that they differ without colours, too. */
  function dot(parent, at, x, y, size = 4) {
    return at ? add(parent, "rect", { x: x - size, y: y - size, width: 2 * size, height: 2 * size, class: "fg-of-1" })
      : add(parent, "circle", { cx: x, cy: y, r: size + 0.5, class: "fg-of-0" });
  }

  /* Runs of neighbours whose numbers are known. */
  function runs(points) {
    const found = [[]];
    for (const one of points) {
      if (isNaN(one.value)) found.push([]);
      else found.at(-1).push(one);
    }
    return found.filter((run) => run.length);
  }

  /* `models` are [{name, layers, values: [value, low, high]}, ...], each value an array over layers. */
  window.fieldguideCourses = function (title, models) {
    const svg = document.createElementNS(SVG, "svg"), bottom = TOP + TALL;
    svg.setAttribute("viewBox", "0 0 " + WIDE + " " + (bottom + BELOW));
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", title + ", by layer, for " + models.map((one) => one.name).join(" and "));
    const drawn = models.flatMap(({ values }) => values.flat()).filter((one) => !isNaN(one));
    const most = Math.max(...drawn, 0.1), step = STEPS.find((one) => most / one <= 4) || 0.5;
    const top = Math.ceil(most / step - 1e-9) * step;
    const x = (layer, layers) => LEFT + ((WIDE - LEFT - 8) * (layer - 0.5)) / layers;
    const y = (value) => bottom - (TALL * value) / top;
    for (let at = 0; at <= top + 1e-9; at += step) {
      add(svg, "path", { class: "fg-rule", d: "M" + LEFT + " " + y(at) + "H" + WIDE });
      add(svg, "text", { x: LEFT - 6, y: y(at) + 4, "text-anchor": "end" }, Math.round(at * 100) + " %");
    }
    add(svg, "text", { x: LEFT, y: bottom + 18 }, "first layer");
    add(svg, "text", { x: WIDE, y: bottom + 18, "text-anchor": "end" }, "last layer");
    models.forEach(({ layers, values: [value, low, high] }, at) => {
      const points = value.map((one, layer) => ({ value: one, low: low[layer], high: high[layer], layer: layer + 1 }));
      for (const run of runs(points)) {
        const place = (one, of) => x(one.layer, layers).toFixed(1) + " " + y(one[of]).toFixed(1);
        if (run.every((one) => !isNaN(one.low + one.high))) {
          const around = [...run.map((one) => place(one, "low")), ...run.map((one) => place(one, "high")).reverse()];
          add(svg, "path", { class: "fg-band fg-of-" + at, d: "M" + around.join("L") + "Z" });
        }
        add(svg, "path", { class: "fg-line fg-of-" + at, d: "M" + run.map((one) => place(one, "value")).join("L") });
        for (const one of run) dot(svg, at, x(one.layer, layers), y(one.value));
      }
    });
    return svg;
  };

  /* How often two heads are right, from 0 to 1: a dot and a line for each model, and a tick for its best fixed offset. */
  window.fieldguideRight = function (models) {
    const svg = document.createElementNS(SVG, "svg"), x = (share) => (4 + 192 * share).toFixed(1);
    svg.setAttribute("viewBox", "0 0 200 30");
    svg.setAttribute("aria-hidden", "true"); // the cells beside it say the same
    add(svg, "path", { class: "fg-rule", d: "M4 15H196" });
    models.forEach((one, at) => {
      if (!one) return;
      const y = at ? 21 : 9;
      add(svg, "path", { class: "fg-offset", d: "M" + x(one.baseline) + " " + (y - 6) + "v12" });
      if (!isNaN(one.low)) add(svg, "path", { class: "fg-line fg-of-" + at, d: "M" + x(one.low) + " " + y + "H" + x(one.high) });
      dot(svg, at, Number(x(one.value)), y);
    });
    return svg;
  };

  window.fieldguideKey = function (at) {
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("viewBox", "0 0 24 12");
    svg.setAttribute("class", "fg-key");
    svg.setAttribute("aria-hidden", "true");
    add(svg, "path", { class: "fg-line fg-of-" + at, d: "M0 6H24" });
    dot(svg, at, 12, 6);
    return svg;
  };
})();
