/* What a head does with a sentence: its numbers as generator/measures defines them, and the arcs that its page would draw.
   `read` is an answer of worker.js with the map of one head. */
const CLASS_OF = { "[CLS]": "attention.cls", "[SEP]": "attention.sep", ".": "attention.punctuation", ",": "attention.punctuation" };
const AT = { "attention.previous": -1, "attention.self": 0, "attention.next": 1 };
const SPECIAL = ["[CLS]", "[SEP]"];
const HALF = 0.5; // of what words get, from which an arrow is strong: generator/topics/relations/compute/arrows.py

/* Whether a measure counts the weight from one place to another. */
function counts(measure, tokens, query, key) {
  if (measure in AT) return key - query === AT[measure];
  if (measure.startsWith("offset.")) return key - query === Number(measure.slice("offset.".length));
  return CLASS_OF[tokens[key]] === measure;
}

/* Mean over tokens of what a measure counts. */
function share(measure, tokens, map) {
  const size = tokens.length;
  let sum = 0;
  for (let at = 0; at < size * size; at++) if (counts(measure, tokens, Math.floor(at / size), at % size)) sum += map[at];
  return sum / size;
}

/* On which share of documents a number is lower, from its 21 quantiles. */
function rank(value, quantiles) {
  const last = quantiles.length - 1, above = quantiles.findIndex((one) => one >= value);
  if (above <= 0) return above ? 1 : 0;
  const below = quantiles[above - 1], step = quantiles[above] - below;
  return (above - 1 + (step ? (value - below) / step : 1)) / last;
}

/* Weights among words: to a split word the sum over its pieces, from it their mean. */
function ofWords({ tokens, words, maps }) {
  const size = tokens.length, count = Math.max(-1, ...words) + 1, names = Array(count).fill("");
  const pieces = Array(count).fill(0), weights = Array.from({ length: count }, () => new Float64Array(count));
  words.forEach((word, at) => {
    if (word < 0) return;
    names[word] += pieces[word]++ ? tokens[at].replace(/^##/, "") : tokens[at];
  });
  words.forEach((query, q) => words.forEach((key, k) => {
    if (query >= 0 && key >= 0) weights[query][key] += maps[q * size + k] / pieces[query];
  }));
  return { names, weights };
}

/* Arrows from a word to another that it looks at most, where that gets more than half of what words get. */
function strong(weights) {
  return weights.flatMap((row, word) => {
    let pick = -1;
    row.forEach((weight, key) => { if (key !== word && !(row[pick] >= weight)) pick = key; });
    return row[pick] > HALF * row.reduce((sum, one) => sum + one, 0) ? [{ start: word, end: pick, weight: row[pick], named: true }] : [];
  });
}

/* Words and arcs of a head that finds something: its strong arrows in colour. */
function lineOfWords(read) {
  const { names, weights } = ofWords(read), found = strong(weights), key = ({ start, end }) => start + " " + end;
  const named = new Set(found.map(key)), others = [];
  weights.forEach((row, start) => row.forEach((weight, end) => {
    if (weight >= FAINT && !named.has(key({ start, end }))) others.push({ start, end, weight, named: false });
  }));
  return { words: names, arcs: [...found, ...others], kind: "relation", found };
}

/* Tokens and arcs of any other head: in colour what its name speaks of; special tokens if it speaks of them, or if nothing
   would be seen without. */
function lineOfTokens({ tokens, maps }, { kind, looks }) {
  const size = tokens.length, special = tokens.map((one) => SPECIAL.includes(one));
  const strongly = (q, k) => q !== k && !special[q] && !special[k] && maps[q * size + k] >= FAINT;
  const some = tokens.some((_, q) => tokens.some((_, k) => strongly(q, k)));
  const every = !some || looks.some((one) => one === "attention.cls" || one === "attention.sep");
  const kept = [...tokens.keys()].filter((at) => every || !special[at]), drawn = [];
  kept.forEach((q, start) => kept.forEach((k, end) => {
    const weight = maps[q * size + k], named = q !== k && looks.some((one) => counts(one, tokens, q, k));
    if (weight >= FAINT) drawn.push({ start, end, weight, named });
  }));
  const dimmed = new Set([...kept.keys()].filter((at) => special[kept[at]]));
  return { words: kept.map((at) => tokens[at]), arcs: drawn, kind, dimmed };
}
