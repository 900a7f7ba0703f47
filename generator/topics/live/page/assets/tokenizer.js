/* Splits a text into pieces as the tokenizers library does with BERT's settings: its normalizer, splitting at spaces and
   punctuation, WordPiece. `settings` is what generator/topics/live/compute/tokenizer.py writes. */
const HIDDEN = /[\0\ufffd]|(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;
const SPACES = /\p{White_Space}/gu;
const CHINESE = /[\u4e00-\u9fff\u3400-\u4dbf\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;
const PUNCTUATION = /([!-/:-@[-`{-~]|\p{P})/u;

class Tokenizer {
  constructor(settings) {
    this.settings = settings;
    this.ids = new Map(settings.vocabulary.map((piece, id) => [piece, id]));
    const added = Object.keys(settings.added).sort((one, other) => other.length - one.length);
    this.added = new RegExp("(" + added.map((one) => one.replace(/[^\w]/g, "\\$&")).join("|") + ")");
  }

  /* Ids, with those at both ends of a sentence; for each the word to which it belongs, from 0, or -1. No more than `most`
     ids; `cut` says whether there were more. */
  read(text, most) {
    const { begin, end, added } = this.settings;
    const ids = [], words = [];
    let word = 0;
    for (const part of text.split(this.added)) {
      if (part in added) {
        ids.push(added[part]);
        words.push(word++);
      } else {
        for (const one of this.#words(part)) {
          for (const id of this.#pieces(one)) {
            ids.push(id);
            words.push(word);
          }
          word++;
        }
      }
    }
    const kept = most - 2, cut = ids.length > kept;
    return { ids: [begin, ...ids.slice(0, kept), end], words: [-1, ...words.slice(0, kept), -1], cut };
  }

  piece(id) {
    return this.settings.vocabulary[id];
  }

  #words(text) {
    const { clean, chinese, accents, lowercase } = this.settings;
    if (clean) text = text.replace(HIDDEN, "").replace(SPACES, " ");
    if (chinese) text = text.replace(CHINESE, " $& ");
    if (accents) text = text.normalize("NFD").replace(/\p{Mn}/gu, "");
    if (lowercase) text = Array.from(text, (sign) => sign.toLowerCase()).join(""); // each by itself: no final sigma
    return text.split(/\p{White_Space}+/u).flatMap((one) => one.split(PUNCTUATION)).filter(Boolean);
  }

  #pieces(word) {
    const { longest, unknown, prefix } = this.settings, signs = [...word], found = [];
    if (signs.length > longest) return [this.ids.get(unknown)];
    for (let start = 0; start < signs.length; ) {
      let end = signs.length, id;
      for (; end > start; end--) {
        id = this.ids.get((start ? prefix : "") + signs.slice(start, end).join(""));
        if (id !== undefined) break;
      }
      if (id === undefined) return [this.ids.get(unknown)];
      found.push(id);
      start = end;
    }
    return found;
  }
}
