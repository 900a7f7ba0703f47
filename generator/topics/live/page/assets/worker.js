/* Loads models and reads sentences, beside the page, so that typing never waits. Each question has a number, and its answer
   the same; which share of the work is done is told in between. */
const models = new Map(); // address -> Model
const GUESSES = 5;
const SHOWN = 128; // tokens that the maps of all heads show, at most

async function opened({ address, told, total }, advance) {
  if (!models.has(address)) models.set(address, new Model(address));
  const model = models.get(address);
  let came = 0;
  await model.load(told, (more) => advance((came += more) / total));
  return model;
}

/* A sentence as the page draws it: its pieces, their words, maps, how much each measure counts, and what is guessed in the
   place of hidden words. `hidden` has words by their number; `only` is a head, as "layer-head", if no other one is shown. */
function read({ about, part, tokenizer }, { text, hidden = [], off = [], only, measures = [] }, advance) {
  const found = tokenizer.read(text, about.positions), { words, cut } = found, shown = tokenizer.shown(found);
  const hide = new Set(hidden), places = [...words.keys()].filter((at) => hide.has(words[at]));
  const ids = found.ids.map((id, at) => (hide.has(words[at]) ? tokenizer.mask : id)), all = about.layers * about.heads;
  const sentence = { ...shown, words, cut }, shares = Object.fromEntries(measures.map((one) => [one, []]));
  const passes = [new Set(), ...(off.length ? [new Set(off)] : [])].map((some) => forward(about, part, ids, some));
  const count = ids.length, side = Math.min(count, SHOWN), maps = only ? null : new Float32Array(all * side * side), moved = [];
  for (let at = 0; ; at++) {
    const heads = passes.map((pass) => pass.next()), now = heads.at(-1).value;
    if (heads[0].done) return { ...sentence, side, maps, shares, moved, guessed: guessed(heads.map((one) => one.value)) };
    advance((at + 1) / all);
    if (only && now.name !== only) continue;
    for (const one of measures) shares[one].push(share(one, shown.classes, now.map));
    if (only) return { ...sentence, side: count, maps: now.map.slice(), shares };
    for (let row = 0; row < side; row++) maps.set(now.map.subarray(row * count, row * count + side), (at * side + row) * side);
    if (heads.length > 1) moved.push(apart(heads[0].value.map, now.map) / count);
  }

  function guessed(states) {
    const likely = (of, at) => guesses(about, part, of, at, GUESSES).map(({ id, share }) => ({ piece: tokenizer.piece(id), share }));
    return about.masked ? places.map((at) => ({ at, likely: states.map((of) => likely(of, at)) })) : [];
  }
}

/* How many tokens' attention goes elsewhere in one map than in the other. */
function apart(before, now) {
  let sum = 0;
  for (let at = 0; at < now.length; at++) sum += Math.abs(now[at] - before[at]);
  return sum / 2;
}

async function answer({ number, task, ...asked }) {
  const advance = (done) => self.postMessage({ number, done });
  advance(0); // the page knows that this script is there
  try {
    const model = await opened(asked, advance), { positions, masked } = model.about;
    const answer = task === "open" ? { positions, masked } : read(model, asked, advance);
    self.postMessage({ number, answer }, answer.maps ? [answer.maps.buffer] : []);
  } catch (error) {
    self.postMessage({ number, wrong: error instanceof Told ? error.message : "" });
  }
}

let last = Promise.resolve();
self.onmessage = ({ data }) => { last = last.then(() => answer(data)); }; // one after the other: a model is fetched once
