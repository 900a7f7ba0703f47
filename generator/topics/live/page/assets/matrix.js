/* The one product of matrices of which a model consists. Twelve sums are kept at a time, four rows by three columns, for which
   seven numbers are read; sums are of 64 bits, which takes less time than 32, as nothing is converted in between. */
const ROWS = 4, COLUMNS = 3;
const TILE = 64; // rows that stay in the processor's cache while all columns pass
let blocks = new Float64Array(0); // ROWS rows side by side; kept, so that a sentence makes no garbage
let columns = [];

/* Every number of half precision as one of 32 bits. */
const HALF = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const sign = bits >> 15 ? -1 : 1, power = (bits >> 10) & 31, rest = bits & 1023;
  if (power === 31) return rest ? NaN : sign * Infinity;
  return sign * (power ? 2 ** (power - 15) * (1 + rest / 1024) : 2 ** -14 * (rest / 1024));
});

function put(x, count, inner, stride, from) {
  const size = Math.ceil(count / ROWS) * ROWS * inner;
  if (blocks.length < size) blocks = new Float64Array(size);
  if (!columns.length || columns[0].length < inner) columns = Array.from({ length: COLUMNS }, () => new Float64Array(inner));
  for (let row = 0; row < count; row++) {
    const at = (row - (row % ROWS)) * inner + (row % ROWS), mine = row * stride + from;
    for (let i = 0; i < inner; i++) blocks[at + ROWS * i] = x[mine + i];
  }
}

/* Multiplies `count` rows of `inner` numbers, which lie in x, `stride` apart, beginning at `from`, with `outer` columns, and
   puts what comes of it into y in the same manner. `column` writes the numbers of a column into an array, and returns what is
   added to its products. */
function product({ x, count, inner, stride = inner, from = 0 }, outer, column, { y, stride: wide = outer, from: to = 0 }) {
  put(x, count, inner, stride, from);
  const left = blocks, [first, second, third] = columns, last = outer - 1;
  for (let tile = 0; tile < count; tile += TILE) {
    const end = Math.min(tile + TILE, count);
    for (let o = 0; o < outer; o += COLUMNS) {
      const o2 = Math.min(o + 1, last), o3 = Math.min(o + 2, last); // after the last column it is taken again
      const b1 = column(o, first), b2 = column(o2, second), b3 = column(o3, third);
      for (let row = tile; row < end; row += ROWS) {
        let p = b1, q = b1, r = b1, s = b1, p2 = b2, q2 = b2, r2 = b2, s2 = b2, p3 = b3, q3 = b3, r3 = b3, s3 = b3;
        for (let i = 0, at = row * inner; i < inner; i++, at += ROWS) {
          const by = first[i], by2 = second[i], by3 = third[i];
          const a = left[at], b = left[at + 1], c = left[at + 2], d = left[at + 3];
          p += by * a;
          q += by * b;
          r += by * c;
          s += by * d;
          p2 += by2 * a;
          q2 += by2 * b;
          r2 += by2 * c;
          s2 += by2 * d;
          p3 += by3 * a;
          q3 += by3 * b;
          r3 += by3 * c;
          s3 += by3 * d;
        }
        let at = row * wide + to;
        y[at + o] = p;
        y[at + o2] = p2;
        y[at + o3] = p3;
        if (row + 1 >= end) break;
        at += wide;
        y[at + o] = q;
        y[at + o2] = q2;
        y[at + o3] = q3;
        if (row + 2 >= end) break;
        at += wide;
        y[at + o] = r;
        y[at + o2] = r2;
        y[at + o3] = r3;
        if (row + 3 >= end) break;
        at += wide;
        y[at + o] = s;
        y[at + o2] = s2;
        y[at + o3] = s3;
      }
    }
  }
  return y;
}
