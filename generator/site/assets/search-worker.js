/* Stands before the theme's worker, which takes every word for the beginning of one, and a hyphen for a space: "sep"
   would find "separates" first, and "3-1" all heads with a 3 or a 1. So whole words count more than beginnings, the
   name of a head is one word, also as papers write it ("L3H1", "layer 3 head 1"), a plural finds its singular, a word
   that ends in -ing one that ends in -e and the other way round, and where the guide has another word for what is asked
   it is looked for as well, in titles. A query with operators, such as quotes or a plus, stays as it is. What the finder of
   heads can answer gets a hit that leads there, after the first one. */
const SAME = [
  [/\bfine-?tun(e|ed|ing)\b/i, "pre-trained weights"],
  [/\bspecial tokens?\b/i, "parts speech"],
];
/* The key by which lunr joins alike ends of words: its own runs letters and numbers together, so that words with digits
   may be taken for others, and a query then fails. */
function key() {
  return this._str || [Number(this.final), ...Object.keys(this.edges).sort().map((one) => one + this.edges[one].id)].join(" ");
}
const HEADS = new RegExp("[<>≤≥=]|\\b(?:" + "FIELD" + "|heads? (?:for|that))\\b", "i"), queries = [];
const told = postMessage;
postMessage = (answer) => {
  const asked = answer.type === 3 ? queries.shift().trim() : "";
  if (HEADS.test(asked)) {
    const title = ("Find a head for " + asked.replace(/^(?:find )?(?:an? )?heads? (?:for|that) /i, "")).replace(/[&<>"]/g, (sign) => "&#" + sign.charCodeAt() + ";");
    const location = "heads/?where=" + encodeURIComponent(asked);
    answer.data.items.splice(1, 0, [{ location, title, text: "", score: 0, terms: {} }]);
  }
  told(answer);
};
addEventListener("message", ({ data }) => {
  lunr.TokenSet.prototype.toString = key;
  if (data.type === 2) queries.push(data.data);
  if (typeof data.data !== "string") return;
  lunr.QueryLexer.termSeparator = /\s+/;
  if (/["+*~^:]|(^|\s)-/.test(data.data)) return;
  const named = data.data.replace(/\bl(?:ayer)?\s*(\d+)\W*h(?:ead)?\s*(\d+)\b/gi, "$1-$2");
  const words = named.replace(/-(?!\d)/g, " ").match(/[\p{L}\p{N}.]+(-\d+)*/gu) || [];
  const one = (word) => {
    if (word.length < 5) return "";
    if (/[a-rt-z]s$/i.test(word)) return " " + word.slice(0, -1);
    return /ing$/i.test(word) ? " " + word.slice(0, -3) + "e" : /e$/i.test(word) ? " " + word.slice(0, -1) + "ing" : "";
  };
  const same = SAME.filter(([asked]) => asked.test(data.data)).flatMap(([, title]) => title.split(/\W/));
  data.data = [
    ...words.map((word) => word + "^9" + (word.includes("-") ? "" : " " + word + one(word))),
    ...same.map((word) => "title:" + word + "^9"),
  ].join(" ");
});
