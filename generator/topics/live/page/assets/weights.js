/* Fetches a model: what says all about it, then its weights in shards. What has come whole is kept when the next one fails, so
   that a second try fetches the rest. */
const STALLED = 15000; // milliseconds without a byte

const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? 0xedb88320 ^ (byte >>> 1) : byte >>> 1;
  return byte;
});

/* What is told to a reader, in a sentence. */
class Told extends Error {}

/* Put the bytes at an address where they belong as they come, so that nothing is held twice. `told` is how many there must be,
   and their checksum. */
async function fetched(address, told, into, advance) {
  const stop = new AbortController();
  let waits, size = 0, sum = -1;
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
      if (size + one.value.length <= told.bytes) into.set(one.value, size);
      for (const byte of one.value) sum = CRC[(sum ^ byte) & 255] ^ (sum >>> 8);
      size += one.value.length;
      advance(one.value.length);
    }
  } catch {
    advance(-size);
    const why = stop.signal.aborted ? `nothing came for ${STALLED / 1000} seconds` : "the connection broke, or the file is not there";
    throw new Told("The model could not be fetched: " + why + ". Try again.");
  } finally {
    clearTimeout(waits);
  }
  if (size === told.bytes && ~sum >>> 0 === told.crc32) return into;
  advance(-size);
  throw new Told("The model arrived damaged: a checksum is wrong. Try again; if it stays so, the site needs to be built anew.");
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
      const whole = await fetched(this.address, told, new Uint8Array(told.bytes), advance), about = JSON.parse(new TextDecoder().decode(whole));
      this.tokenizer = new Tokenizer(about.tokenizer);
      this.weights = new ArrayBuffer(about.bytes); // half precision, the lower byte first, as browsers have numbers, too
      this.about = about;
    }
    let start = 0;
    for (const shard of this.about.shards) {
      if (this.there.has(shard.name)) {
        advance(shard.bytes);
      } else {
        await fetched(new URL(shard.name, this.address), shard, new Uint8Array(this.weights, start, shard.bytes), advance);
        this.there.add(shard.name);
      }
      start += shard.bytes;
    }
    const parts = new Map(this.about.places.map(([name, from, size]) => [name, new Uint16Array(this.weights, 2 * from, size)]));
    this.part = (name) => parts.get(name);
  }
}
