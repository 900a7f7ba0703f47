/* An encoder in typed arrays: one sentence, one map at a time. Matrices are as torch keeps them, [out, in]; tokens are rows.
   Weights stay in half precision, which takes half of the memory, and are read through a table when they are needed. What a
   family does not have is a part that is not there: generator/topics/live/compute/families.py. */

/* [token, out] of [token, in], for the weights of this name, or for a matrix of another name. */
function linear(part, name, x, count, y, matrix = name + ".weight") {
  const weight = part(matrix), bias = part(name + ".bias"), inner = x.length / count;
  return product({ x, count, inner }, bias.length, (o, into) => {
    for (let i = 0; i < inner; i++) into[i] = HALF[weight[o * inner + i]];
    return HALF[bias[o]];
  }, { y });
}

function normed(part, name, x, epsilon) {
  const weight = part(name + ".weight"), bias = part(name + ".bias"), size = weight.length;
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

/* The rows of a table of positions: from 0 or, where padding has one, from the row after it, without counting padding. */
function positions(ids, padding) {
  let next = padding === null ? 0 : padding + 1;
  return ids.map((id) => (id === padding ? padding : next++));
}

function embedded({ padding, epsilon }, part, ids) {
  const [word, position, segment] = ["word", "position", "segment"].map(part), size = part("start.weight").length;
  const x = new Float32Array(ids.length * size), places = positions(ids, padding);
  ids.forEach((id, at) => {
    for (let i = 0; i < size; i++) {
      x[at * size + i] = HALF[word[id * size + i]] + HALF[position[places[at] * size + i]] + (segment ? HALF[segment[i]] : 0);
    }
  });
  normed(part, "start", x, epsilon);
  if (!part("project.weight")) return x;
  return linear(part, "project", x, ids.length, new Float32Array(ids.length * part("project.bias").length));
}

/* Scores as shares, row by row. `near` is what is added to the score of a key by how far it is from its query. */
function softmax(map, count, scale, near) {
  const middle = near && (near.length - 1) / 2;
  for (let query = 0; query < count; query++) {
    const from = query * count;
    let most = -Infinity, sum = 0;
    for (let key = 0; key < count; key++) {
      const score = map[from + key] * scale + (near ? HALF[near[middle + key - query]] : 0);
      map[from + key] = score;
      most = Math.max(most, score);
    }
    for (let at = from; at < from + count; at++) sum += map[at] = Math.exp(map[at] - most);
    for (let at = from; at < from + count; at++) map[at] /= sum;
  }
}

/* Yields {name, map} of one head after the other, as "layer-head", from 1, and [query, key], which the next head overwrites;
   returns the hidden states of the last layer. `part` gives weights by their name; heads in `off` write nothing. */
function* forward(model, part, ids, off = new Set()) {
  const { layers, heads, epsilon } = model, count = ids.length, x = embedded(model, part, ids), width = x.length / count;
  const [query, key, value, written, middle] = Array.from({ length: 5 }, () => new Float32Array(x.length));
  const inner = new Float32Array(count * part("0.wide.bias").length), map = new Float32Array(count * count);
  const size = width / heads, near = part("near");
  for (let layer = 0; layer < layers; layer++) {
    const run = (name, from, to) => linear(part, layer + "." + name, from, count, to);
    for (const [name, to] of [["query", query], ["key", key], ["value", value]]) run(name, x, to);
    written.fill(0);
    for (let head = 0; head < heads; head++) {
      const name = layer + 1 + "-" + (head + 1), from = head * size;
      product({ x: query, count, inner: size, stride: width, from }, count, (k, into) => {
        for (let i = 0; i < size; i++) into[i] = key[k * width + from + i];
        return 0;
      }, { y: map });
      softmax(map, count, 1 / Math.sqrt(size), near && near.subarray((head * near.length) / heads, ((head + 1) * near.length) / heads));
      yield { name, map };
      if (off.has(name)) continue;
      product({ x: map, count, inner: count }, size, (i, into) => {
        for (let k = 0; k < count; k++) into[k] = value[k * width + from + i];
        return 0;
      }, { y: written, stride: width, from });
    }
    normed(part, layer + ".middle", add(run("output", written, middle), x), epsilon);
    normed(part, layer + ".end", add(run("narrow", gelu(run("wide", middle, inner)), x), middle), epsilon);
  }
  return x;
}

/* The `most` pieces of the vocabulary that the masked-LM head finds likeliest at a place, with their probabilities. */
function guesses({ epsilon }, part, states, at, most) {
  const width = part("guess.weight").length / part("guess.bias").length, state = states.subarray(at * width, (at + 1) * width);
  const told = normed(part, "guessed", gelu(linear(part, "guess", state, 1, new Float32Array(part("guess.bias").length))), epsilon);
  const matrix = part("words.weight") ? "words.weight" : "word", size = part("words.bias").length;
  const logits = linear(part, "words", told, 1, new Float32Array(size), matrix);
  const top = logits.reduce((most, one) => Math.max(most, one), -Infinity);
  const sum = logits.reduce((sum, one) => sum + Math.exp(one - top), 0);
  const order = [...logits.keys()].sort((one, other) => logits[other] - logits[one]).slice(0, most);
  return order.map((id) => ({ id, share: Math.exp(logits[id] - top) / sum }));
}
