/* Splits a text into pieces as the tokenizers library does. `settings` is what generator/topics/live/compute/tokenizer.py
   writes; the two kinds of vocabulary split a text into words, and a word into pieces. */
const HIDDEN = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const SPACES = /\p{White_Space}/gu;
const CHINESE = /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const PUNCTUATION = /([!-/:-@[-`{-~]|\p{P})/u;
const WORD = /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;
const UNSEEN = /(?! )[\p{C}\p{Z}]/u;

/* Words of BERT's kind: its normalizer, splitting at spaces and punctuation, WordPiece. */
class WordPieces {
  constructor(settings, ids) {
    Object.assign(this, settings, { ids });
  }

  normal(text) {
    if (this.clean) text = text.replace(HIDDEN, "").replace(SPACES, " ");
    if (this.chinese) text = text.replace(CHINESE, " $& ");
    if (this.accents) text = text.normalize("NFD").replace(/\p{Mn}/gu, "");
    return this.lowercase ? Array.from(text, (sign) => sign.toLowerCase()).join("") : text; // each by itself: no final sigma
  }

  words(text) {
    return text.split(/\p{White_Space}+/u).flatMap((one) => one.split(PUNCTUATION)).filter(Boolean);
  }

  pieces(word) {
    const signs = [...word], found = [];
    if (signs.length > this.longest) return [this.unknown];
    for (let start = 0; start < signs.length; ) {
      let end = signs.length, piece;
      for (; end > start; end--) {
        piece = (start ? this.prefix : "") + signs.slice(start, end).join("");
        if (this.ids.has(piece)) break;
      }
      if (end === start) return [this.unknown];
      found.push(piece);
      start = end;
    }
    return found;
  }

  /* Pieces as people read them: those of a word together. */
  shown(pieces) {
    return pieces.map((piece, at) => (at && piece.startsWith(this.prefix) ? piece.slice(this.prefix.length) : piece)).join("");
  }
}

/* Words of RoBERTa's kind: bytes, of which pairs are joined, the most frequent first; a space belongs to the word after it. */
class BytePairs {
  static signs = (() => {
    const plain = [[33, 126], [161, 172], [174, 255]], signs = Array(256);
    for (const [first, last] of plain) for (let byte = first; byte <= last; byte++) signs[byte] = String.fromCharCode(byte);
    for (let byte = 0, next = 256; byte < 256; byte++) signs[byte] ??= String.fromCharCode(next++);
    return signs;
  })();
  static bytes = new Map(BytePairs.signs.map((sign, byte) => [sign, byte]));

  constructor({ merges, spaced }) {
    this.spaced = spaced;
    this.ranks = new Map(merges.map((pair, rank) => [pair, rank]));
  }

  normal(text) {
    return text;
  }

  words(text) {
    return (this.spaced && !text.startsWith(" ") ? " " + text : text).match(WORD) ?? [];
  }

  pieces(word) {
    const found = Array.from(new TextEncoder().encode(word), (byte) => BytePairs.signs[byte]);
    const ranks = found.map((_, at) => this.#rank(found, at));
    for (;;) {
      let best = 0;
      for (let at = 1; at < ranks.length; at++) if (ranks[at] < ranks[best]) best = at;
      if (ranks[best] === Infinity) return found;
      found.splice(best, 2, found[best] + found[best + 1]);
      ranks.splice(best, 1);
      for (const at of [best - 1, best]) if (at >= 0) ranks[at] = this.#rank(found, at);
    }
  }

  #rank(found, at) {
    return this.ranks.get(found[at] + " " + found[at + 1]) ?? Infinity;
  }

  /* As generator/numbers/pieces.py reads them. */
  shown(pieces) {
    const whole = pieces.join("");
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(whole, (sign) => BytePairs.bytes.get(sign)));
      if (!/[^ \n]/.test(text)) return text.replaceAll(" ", "␣").replaceAll("\n", "↵");
      return UNSEEN.test(text) ? whole : text.replace(/^ +| +$/g, "");
    } catch {
      return whole; // a part of a character
    }
  }
}

const KINDS = { WordPiece: WordPieces, BPE: BytePairs };

class Tokenizer {
  constructor(settings) {
    const { kind, vocabulary, added, begin, end, mask, punctuation } = settings;
    Object.assign(this, { vocabulary, begin, end, mask });
    this.ids = new Map(vocabulary.map((piece, id) => [piece, id]));
    this.kind = new KINDS[kind](settings, this.ids);
    this.classes = new Map([[begin, "attention.cls"], [end, "attention.sep"], ...punctuation.map((id) => [id, "attention.punctuation"])]);
    this.written = this.#splitter(added.filter((one) => !one.normalized), (content) => content);
    this.normalized = this.#splitter(added.filter((one) => one.normalized), (content) => this.kind.normal(content));
  }

  /* Ids, with those at both ends of a sentence; for each the word to which it belongs, from 0, or -1. No more than `most`
     ids; `cut` says whether there were more. */
  read(text, most) {
    const ids = [], words = [], kept = most - 2;
    let word = 0;
    for (const pieces of this.#words(text)) {
      for (const piece of pieces) {
        ids.push(this.ids.get(piece));
        words.push(word);
      }
      word++;
    }
    return { ids: [this.begin, ...ids.slice(0, kept), this.end], words: [-1, ...words.slice(0, kept), -1], cut: ids.length > kept };
  }

  /* An answer of `read` as people read it: its tokens, its words, and for each token the measure that counts what it gets. */
  shown({ ids, words }) {
    const pieces = ids.map((id) => this.vocabulary[id]), grouped = [];
    words.forEach((word, at) => { if (word >= 0) (grouped[word] ??= []).push(pieces[at]); });
    const classes = ids.map((id) => this.classes.get(id));
    return { tokens: ids.map((id) => this.piece(id)), names: grouped.map((some) => visible(this.kind.shown(some))), classes };
  }

  piece(id) {
    return visible(this.kind.shown([this.vocabulary[id]]));
  }

  /* The pieces of each word; an added token is one by itself. */
  *#words(text) {
    for (const [part, token] of this.written(text)) {
      if (token) yield [token];
      else {
        for (const [normal, found] of this.normalized(this.kind.normal(part))) {
          if (found) yield [found];
          else for (const word of this.kind.words(normal)) yield this.kind.pieces(word);
        }
      }
    }
  }

  /* A function that splits a text at added tokens into [text] and [text, token]; these may take the spaces beside them. */
  #splitter(added, read) {
    const spaces = "\\p{White_Space}*", escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
    const sorted = [...added].sort((one, other) => other.content.length - one.content.length);
    const parts = sorted.map(({ content, lstrip, rstrip }) => `${lstrip ? spaces : ""}(${escaped(read(content))})${rstrip ? spaces : ""}`);
    if (!parts.length) return (text) => [[text]];
    const any = new RegExp(parts.join("|"), "gu");
    return (text) => {
      const found = [];
      let start = 0;
      for (const match of text.matchAll(any)) {
        found.push([text.slice(start, match.index)], [match[0], sorted[match.slice(1).findIndex((one) => one !== undefined)].content]);
        start = match.index + match[0].length;
      }
      return [...found, [text.slice(start)]].filter(([part]) => part);
    };
  }
}
