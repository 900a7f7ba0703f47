/* Loads models and reads sentences, beside the page, so that typing never waits. Each question has a number, and its answer
   the same; how much has come is told in between. */
const models = new Map(); // address -> Model
const GUESSES = 5;

async function opened({ address, told }, advance) {
  if (!models.has(address)) models.set(address, new Model(address));
  const model = models.get(address);
  await model.load(told, advance);
  return model;
}

/* A sentence as the page draws it: its pieces, their words, the maps, and what is guessed in the place of hidden words.
   `hidden` has words by their number; `only` is a head, as "layer-head", if no other one is shown. */
function read(model, { text, hidden = [], off = [], only }) {
  const { about, part, tokenizer } = model, { ids, words, cut } = tokenizer.read(text, about.positions);
  const hide = new Set(hidden), shown = ids.map((id, at) => (hide.has(words[at]) ? about.tokenizer.mask : id));
  const found = forward(about, part, shown, new Set(off)), size = ids.length ** 2;
  const place = only && only.split("-").reduce((layer, head) => (layer - 1) * about.heads + (head - 1));
  const maps = only ? found.maps.slice(place * size, (place + 1) * size) : found.maps;
  const guessed = !about.masked ? [] : shown.flatMap((_, at) => {
    if (!hide.has(words[at])) return [];
    const likely = guesses(about, part, found.states, at, GUESSES);
    return [{ at, likely: likely.map(({ id, share }) => ({ piece: tokenizer.piece(id), share })) }];
  });
  return { tokens: ids.map((id) => tokenizer.piece(id)), ids, words, cut, maps, guessed };
}

async function answer({ number, task, ...asked }) {
  let came = 0;
  const advance = (more) => {
    came += more;
    self.postMessage({ number, came });
  };
  try {
    const model = await opened(asked, advance);
    const { positions, masked } = model.about, answer = task === "open" ? { positions, masked } : read(model, asked);
    self.postMessage({ number, answer }, answer.maps ? [answer.maps.buffer] : []);
  } catch (error) {
    self.postMessage({ number, wrong: error.message });
  }
}

let last = Promise.resolve();
self.onmessage = ({ data }) => { last = last.then(() => answer(data)); }; // one after the other: a model is fetched once
