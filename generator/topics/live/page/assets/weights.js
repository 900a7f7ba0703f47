/* Fetches a model: what says all about it, then its weights in shards, which are kept when one fails, so that a second try
   fetches the rest. */
const STALLED = 30000; // milliseconds without a byte

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});

function crc32(bytes) {
  let sum = -1;
  for (const byte of bytes) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
  return ~sum >>> 0;
}

/* The bytes at an address. Rejects with a sentence for a reader. */
async function bytes(address, advance) {
  const stop = new AbortController(), parts = [];
  let waits, size = 0;
  const wait = () => {
    clearTimeout(waits);
    waits = setTimeout(() => stop.abort(), STALLED);
  };
  try {
    wait();
    const answer = await fetch(address, { signal: stop.signal });
    if (!answer.ok) throw new Error("status " + answer.status);
    const reader = answer.body.getReader();
    for (let one = await reader.read(); !one.done; one = await reader.read()) {
      wait();
      parts.push(one.value);
      size += one.value.length;
      advance(one.value.length);
    }
  } catch (error) {
    advance(-size);
    const why = stop.signal.aborted ? "nothing came for half a minute" : "the connection broke, or the file is not there";
    throw new Error("The model could not be fetched: " + why + ". Try again.");
  } finally {
    clearTimeout(waits);
  }
  const whole = new Uint8Array(size);
  parts.reduce((at, one) => (whole.set(one, at), at + one.length), 0);
  return whole;
}

function checked(whole, { bytes: size, crc32: sum }, advance) {
  if (whole.length === size && crc32(whole) === sum) return whole;
  advance(-whole.length);
  throw new Error("The model arrived damaged: a checksum is wrong. Try again; if it stays so, the site needs to be built anew.");
}

class Model {
  constructor(address) {
    this.address = address; // of the file that says all else
    this.there = new Set(); // names of shards that have come
  }

  /* Fetch what is not there yet. `told` is how many bytes and which checksum the first file has; `advance` is given how
     many more bytes have come. */
  async load(told, advance) {
    if (this.part) return;
    if (this.about) {
      advance(told.bytes);
    } else {
      const whole = checked(await bytes(this.address, advance), told, advance);
      this.about = JSON.parse(new TextDecoder().decode(whole));
      this.tokenizer = new Tokenizer(this.about.tokenizer);
      this.numbers = new Uint16Array(this.about.bytes / 2); // the bits of half precision
    }
    const { shards, places } = this.about;
    let start = 0;
    for (const shard of shards) {
      if (this.there.has(shard.name)) {
        advance(shard.bytes);
      } else {
        const whole = checked(await bytes(new URL(shard.name, this.address), advance), shard, advance);
        const view = new DataView(whole.buffer);
        for (let at = 0; at < whole.length / 2; at++) this.numbers[start + at] = view.getUint16(2 * at, true);
        this.there.add(shard.name);
      }
      start += shard.bytes / 2;
    }
    const parts = new Map(places.map(([name, from, size]) => [name, this.numbers.subarray(from, from + size)]));
    this.part = (name) => parts.get(name);
  }
}
