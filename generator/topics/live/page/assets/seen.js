/* What is drawn of a sentence: its words, and arcs from each to what gets much of its attention. `read` is an answer of
   worker.js with the map of one head. */
const SPECIAL = ["attention.cls", "attention.sep"];
const STRONG = 0.5; // of what words get, above which an arrow is strong: generator/topics/relations/compute/arrows.py

/* On which share of documents a number is lower, from its 21 quantiles. */
function rank(value, quantiles) {
  const last = quantiles.length - 1, above = quantiles.findIndex((one) => one >= value);
  if (above <= 0) return above ? 1 : 0;
  const below = quantiles[above - 1], step = quantiles[above] - below;
  return (above - 1 + (step ? (value - below) / step : 1)) / last;
}

/* What a sentence is drawn of, in its order, whatever the head: words, each with the places of its pieces, and special tokens
   that the tokenizer adds. */
function unitsOf({ tokens, words, names }) {
  const units = [];
  words.forEach((word, at) => {
    if (word >= 0 && word === words[at - 1]) units.at(-1).places.push(at);
    else units.push({ name: word < 0 ? tokens[at] : names[word], special: word < 0, places: [at] });
  });
  return units;
}

/* Weights among words: to a split word the sum over its pieces, from it their mean. */
function among(units, { tokens, maps }) {
  const size = tokens.length;
  const weight = (query, key) => query.places.reduce((sum, q) => key.places.reduce((more, k) => more + maps[q * size + k], sum), 0);
  return units.map((query) => Float64Array.from(units, (key) => weight(query, key) / query.places.length));
}

/* Arrows from a word to another that it looks at most, where that gets more than half of what words get. */
function strong(weights, words) {
  return words.flatMap((start) => {
    const row = weights[start];
    let end = -1;
    for (const key of words) if (key !== start && !(row[end] >= row[key])) end = key;
    return row[end] > STRONG * words.reduce((sum, key) => sum + row[key], 0) ? [{ start, end, weight: row[end], named: true }] : [];
  });
}

/* A sentence with its arcs: in colour the strong arrows of a head that finds something, or else what its name speaks of. Special
   tokens are drawn if the name speaks of them, or if nothing would be seen without. */
function lineOf(read, { finds, kind, looks, hues = {} }) {
  const units = unitsOf(read), weights = among(units, read), words = [...units.keys()].filter((at) => !units[at].special);
  const seen = words.some((start) => words.some((end) => start !== end && weights[start][end] >= FAINT));
  const shown = !seen || SPECIAL.some((one) => looks.includes(one)) ? [...units.keys()] : words;
  const found = finds ? strong(weights, words) : [], picks = new Map(found.map(({ start, end }) => [start, end]));
  const spoken = (start, end) => looks.find((one) => units[start].places.some((q) => units[end].places.some((k) => counts(one, read.classes, q, k))));
  const drawn = [], place = new Map(shown.map((unit, at) => [unit, at]));
  for (const start of shown) {
    for (const end of shown) {
      const weight = weights[start][end], enough = weight >= FAINT;
      const at = !finds && enough && start !== end && spoken(start, end);
      const named = finds ? picks.get(start) === end : Boolean(at);
      if (enough || named) drawn.push({ start: place.get(start), end: place.get(end), weight, named, hue: hues[at] || "" });
    }
  }
  return {
    words: shown.map((unit) => units[unit].name),
    arcs: drawn,
    dimmed: new Set(shown.filter((unit) => units[unit].special).map((unit) => place.get(unit))),
    split: shown.some((unit) => units[unit].places.length > 1),
    found: drawn.filter(({ named }) => finds && named),
    kind,
  };
}
