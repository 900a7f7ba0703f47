/* BERT in typed arrays: one sentence, all maps. Matrices are as torch keeps them, [out, in]; tokens are rows. Weights stay in
   half precision, which takes half of the memory, and are read through a table when they are needed. */
const ROWS = 4; // tokens that share each reading of a weight; two weights share each reading of a token

/* Every number of half precision as one of 32 bits. */
const HALF = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const sign = bits >> 15 ? -1 : 1, power = (bits >> 10) & 31, rest = bits & 1023;
  if (power === 31) return rest ? NaN : sign * Infinity;
  return sign * (power ? 2 ** (power - 15) * (1 + rest / 1024) : 2 ** -14 * (rest / 1024));
});

/* [token, out] of [token, in], for the weights of this name. */
function linear(part, name, x, inner, outer) {
  return times(x, part(name + ".weight"), inner, outer, part(name + ".bias"));
}

function times(x, weight, inner, outer, bias) {
  const count = x.length / inner, y = new Float32Array(count * outer), size = ROWS * inner;
  const blocks = new Float64Array(Math.ceil(count / ROWS) * size); // ROWS tokens side by side, the last filled up with 0
  for (let row = 0; row < count; row++) {
    const at = Math.floor(row / ROWS) * size + (row % ROWS);
    for (let i = 0; i < inner; i++) blocks[at + ROWS * i] = x[row * inner + i];
  }
  const first = new Float64Array(inner), second = new Float64Array(inner);
  for (let o = 0; o < outer; o += 2) {
    const two = Math.min(o + 1, outer - 1); // of an odd number the last one twice
    for (let i = 0; i < inner; i++) {
      first[i] = HALF[weight[o * inner + i]];
      second[i] = HALF[weight[two * inner + i]];
    }
    for (let row = 0, at = 0; row < count; row += ROWS) {
      let p = HALF[bias[o]], q = p, r = p, s = p, p2 = HALF[bias[two]], q2 = p2, r2 = p2, s2 = p2;
      for (let i = 0; i < inner; i++, at += ROWS) {
        const by = first[i], by2 = second[i], a = blocks[at], b = blocks[at + 1], c = blocks[at + 2], d = blocks[at + 3];
        p += by * a;
        q += by * b;
        r += by * c;
        s += by * d;
        p2 += by2 * a;
        q2 += by2 * b;
        r2 += by2 * c;
        s2 += by2 * d;
      }
      const found = [p, q, r, s], found2 = [p2, q2, r2, s2];
      for (let one = 0; one < ROWS && row + one < count; one++) {
        y[(row + one) * outer + o] = found[one];
        y[(row + one) * outer + two] = found2[one];
      }
    }
  }
  return y;
}

function normed(part, name, x, size, epsilon) {
  const weight = part(name + ".weight"), bias = part(name + ".bias");
  for (let at = 0; at < x.length; at += size) {
    let mean = 0, square = 0;
    for (let i = 0; i < size; i++) mean += x[at + i];
    mean /= size;
    for (let i = 0; i < size; i++) square += (x[at + i] - mean) ** 2;
    const scale = 1 / Math.sqrt(square / size + epsilon);
    for (let i = 0; i < size; i++) x[at + i] = (x[at + i] - mean) * scale * HALF[weight[i]] + HALF[bias[i]];
  }
  return x;
}

/* Abramowitz and Stegun 7.1.26, off by less than 1.5e-7. */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * Math.exp(-x * x);
  return x < 0 ? -y : y;
}

function gelu(x) {
  for (let i = 0; i < x.length; i++) x[i] = 0.5 * x[i] * (1 + erf(x[i] * Math.SQRT1_2));
  return x;
}

function add(x, y) {
  for (let i = 0; i < x.length; i++) x[i] += y[i];
  return x;
}

/* What all heads of a layer write, [token, hidden], and their maps, [head, query, key], which go to `maps`. A head in
   `off` writes nothing. */
function attend(query, key, value, { heads, hidden }, off, maps) {
  const count = query.length / hidden, size = hidden / heads, scale = 1 / Math.sqrt(size);
  const out = new Float32Array(query.length);
  for (let head = 0; head < heads; head++) {
    const from = head * size;
    for (let q = 0; q < count; q++) {
      const row = maps.subarray((head * count + q) * count, (head * count + q + 1) * count), mine = q * hidden + from;
      let most = -Infinity, sum = 0;
      for (let k = 0; k < count; k++) {
        const other = k * hidden + from;
        let score = 0;
        for (let i = 0; i < size; i++) score += query[mine + i] * key[other + i];
        row[k] = score * scale;
        most = Math.max(most, row[k]);
      }
      for (let k = 0; k < count; k++) sum += row[k] = Math.exp(row[k] - most);
      for (let k = 0; k < count; k++) row[k] /= sum;
      if (off.has(head)) continue;
      for (let k = 0; k < count; k++) {
        const weight = row[k], other = k * hidden + from;
        for (let i = 0; i < size; i++) out[mine + i] += weight * value[other + i];
      }
    }
  }
  return out;
}

/* Maps [layer, head, query, key] and the hidden states of the last layer, for ids of one segment. `part` returns weights
   by their name; `off` has the heads that write nothing, as "layer-head", from 1. */
function forward(model, part, ids, off = new Set()) {
  const { layers, heads, hidden, wide, epsilon } = model, count = ids.length, of = heads * count * count;
  const [word, position, segment] = ["word", "position", "segment"].map(part);
  let x = new Float32Array(count * hidden);
  for (let at = 0; at < count; at++) {
    for (let i = 0; i < hidden; i++) x[at * hidden + i] = HALF[word[ids[at] * hidden + i]] + HALF[position[at * hidden + i]] + HALF[segment[i]];
  }
  normed(part, "start", x, hidden, epsilon);
  const maps = new Float32Array(layers * of);
  for (let layer = 0; layer < layers; layer++) {
    const mine = (name) => layer + "." + name, [query, key, value] = ["query", "key", "value"].map((one) => linear(part, mine(one), x, hidden, hidden));
    const without = new Set([...Array(heads).keys()].filter((head) => off.has(layer + 1 + "-" + (head + 1))));
    const written = attend(query, key, value, model, without, maps.subarray(layer * of, (layer + 1) * of));
    x = normed(part, mine("middle"), add(linear(part, mine("output"), written, hidden, hidden), x), hidden, epsilon);
    const inner = gelu(linear(part, mine("wide"), x, hidden, wide));
    x = normed(part, mine("end"), add(linear(part, mine("narrow"), inner, wide, hidden), x), hidden, epsilon);
  }
  return { maps, states: x };
}

/* The `most` pieces of the vocabulary that the masked-LM head finds likeliest at a place, with their probabilities. */
function guesses(model, part, states, at, most) {
  const { hidden, epsilon } = model, state = states.slice(at * hidden, (at + 1) * hidden);
  const told = normed(part, "guessed", gelu(linear(part, "guess", state, hidden, hidden)), hidden, epsilon);
  const word = part("word"), logits = times(told, word, hidden, word.length / hidden, part("words.bias"));
  const top = logits.reduce((most, one) => Math.max(most, one), -Infinity);
  const sum = logits.reduce((sum, one) => sum + Math.exp(one - top), 0);
  const order = [...logits.keys()].sort((one, other) => logits[other] - logits[one]).slice(0, most);
  return order.map((id) => ({ id, share: Math.exp(logits[id] - top) / sum }));
}
