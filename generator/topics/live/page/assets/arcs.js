/* A sentence with its arcs, as generator/charts/static/arcs.py writes it into pages; a test compares both. */
const LETTER = 11.4, WIDE = 19, GAP = 12, LOWEST = 4, STEEP = 5, BELOW = 30, ROOM = 700, LARGEST = 1.35, HEAD = 5, LONGEST = 16;
const FAINT = 0.1;
const BROAD_SCRIPTS = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/* As Python rounds: a half to the even number. */
const whole = (length) => (length % 1 === 0.5 ? 2 * Math.round(length / 2) : length).toFixed(0);
const rounded = (share) => (100 * share).toFixed(0) + " %";
const precise = (number, digits) => String(Number(number.toPrecision(digits)));

function shortened(word) {
  const signs = [...visible(word)];
  return signs.length <= LONGEST ? signs.join("") : signs.slice(0, LONGEST - 1).join("") + "…";
}

function svg(name, given, ...inside) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(given)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

function wide(letter) {
  if (BROAD_SCRIPTS.test(letter)) return WIDE;
  return LETTER * ("iljtfrI.,;:'!|()[] ".includes(letter) ? 0.6 : "mwMW@".includes(letter) ? 1.5 : 1);
}

/* The picture of a line: its words, its arcs {start, end, weight, named, hue}, the kind of head whose colour named arcs have if
   they have no hue of their own, and the places of special tokens in `dimmed`. */
function arcs({ words, arcs, kind = "none", dimmed = new Set() }, label) {
  const names = words.map(shortened), widths = names.map((name) => [...name].reduce((sum, one) => sum + wide(one), 0));
  const starts = [GAP / 2];
  for (const width of widths) starts.push(starts.at(-1) + width + GAP);
  const centres = widths.map((width, at) => starts[at] + width / 2);
  const drawn = arcs.filter((one) => one.named || (one.weight >= FAINT && one.start !== one.end));
  const height = (one) => LOWEST + STEEP * Math.sqrt(Math.abs(centres[one.end] - centres[one.start]));
  const foot = Math.max(0, ...drawn.map(height)) * 0.75 + 18, named = drawn.filter((one) => one.named).map((one) => one.start);
  const single = named.length === 1, source = new Set(named).size === 1 ? named[0] : -1;
  const across = starts.at(-1), tall = foot + BELOW, zoom = Math.min(Math.max(ROOM / across, 1), LARGEST);

  function path(one, tip) {
    const lean = Math.sign(centres[one.end] - centres[one.start]) * 4;
    const left = centres[one.start] + lean, right = centres[one.end] - lean, top = foot - height(one);
    const sides = [left, top, right, top, right, foot].map(whole).join(" ");
    const hue = one.hue ? { style: `--hue:var(--fg-kind-${one.hue})` } : {};
    const colour = one.named ? { class: "fg-hue", ...hue } : { opacity: precise(0.2 + 0.6 * one.weight, 1) };
    const found = [svg("path", { d: `M${whole(left)} ${whole(foot)}C${sides}`, "stroke-width": precise(1 + 4 * one.weight, 2), ...colour })];
    if (!one.named || !tip) return found;
    found.push(svg("path", { class: "fg-tip", d: `M${whole(right - HEAD)} ${whole(foot - 7)}h${whole(2 * HEAD)}L${whole(right)} ${whole(foot + 1)}z`, ...hue }));
    if (!single) return found;
    const place = { x: whole((left + right) / 2), y: whole(foot - 0.75 * (foot - top) - 6) };
    return [...found, svg("text", { class: "fg-arcs-share", ...place }, rounded(one.weight))];
  }

  function word(at) {
    const mine = drawn.filter((one) => one.start === at).sort((one, other) => one.named - other.named || one.weight - other.weight);
    const told = [...mine].reverse().map((one) => names[one.end] + " " + rounded(one.weight)).join(", ");
    const style = at === source ? " fg-arcs-from" : dimmed.has(at) ? " fg-arcs-dim" : "";
    return svg("g", { class: "fg-arcs-word" + style, tabindex: 0, role: "img" },
      svg("title", {}, told ? names[at] + ": " + told : names[at]),
      ...mine.flatMap((one) => path(one, one === mine.at(-1) || at === source)),
      svg("text", { x: whole(centres[at]), y: whole(foot + 20) }, names[at]));
  }

  return svg("svg", {
    class: "fg-arcs-drawn", viewBox: `0 0 ${whole(across)} ${whole(tall)}`, width: whole(zoom * across), height: whole(zoom * tall),
    style: `--hue:var(--fg-kind-${kind});--wide:${whole(across)}px`, role: "group", "aria-label": label, "marker-end": "url(#fg-tip)",
  }, ...words.map((_, at) => word(at)));
}
