/* BERT in typed arrays: one sentence, all maps. Matrices are as torch keeps them, [out, in]; tokens are rows. */
const ROWS = 4; // tokens that share each reading of a weight; two weights share each reading of a token

/* [token, out] of [token, in], for the weights of this name. */
function linear(part, name, x, inner, outer) {
  return times(x, part(name + ".weight"), inner, outer, part(name + ".bias"));
}

function times(x, weight, inner, outer, bias) {
  const count = x.length / inner, y = new Float32Array(count * outer), block = new Float64Array(ROWS * inner);
  for (let row = 0; row < count; row += ROWS) {
    const rows = Math.min(ROWS, count - row);
    for (let i = 0; i < inner; i++) {
      for (let one = 0; one < rows; one++) block[ROWS * i + one] = x[(row + one) * inner + i];
    }
    for (let o = 0; o < outer; o += 2) {
      const two = Math.min(o + 1, outer - 1); // of an odd number the last one twice
      let p = bias[o], q = p, r = p, s = p, p2 = bias[two], q2 = p2, r2 = p2, s2 = p2;
      for (let i = 0, v = o * inner, w = two * inner; i < block.length; i += ROWS, v++, w++) {
        const by = weight[v], by2 = weight[w], a = block[i], b = block[i + 1], c = block[i + 2], d = block[i + 3];
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
      for (let one = 0; one < rows; one++) {
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
    for (let i = 0; i < size; i++) x[at + i] = (x[at + i] - mean) * scale * weight[i] + bias[i];
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
    for (let i = 0; i < hidden; i++) x[at * hidden + i] = word[ids[at] * hidden + i] + position[at * hidden + i] + segment[i];
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
