/* Stands before the theme's worker, which takes every word for the beginning of one, and a hyphen for a space: "sep"
   would find "separates" first, and "3-1" all heads with a 3 or a 1. So whole words count more than beginnings, the
   name of a head is one word, also as papers write it ("L3H1", "layer 3 head 1"), and a plural finds its singular.
   A query with operators, such as quotes or a plus, stays as it is. */
addEventListener("message", ({ data }) => {
  if (typeof data.data !== "string") return;
  lunr.QueryLexer.termSeparator = /\s+/;
  if (/["+*~^:]|(^|\s)-/.test(data.data)) return;
  const named = data.data.replace(/\bl(?:ayer)?\s*(\d+)\W*h(?:ead)?\s*(\d+)\b/gi, "$1-$2");
  const words = named.replace(/-(?!\d)/g, " ").match(/[\p{L}\p{N}.]+(-\d+)*/gu) || [];
  const one = (word) => (/[a-rt-z]s$/i.test(word) && word.length > 4 ? " " + word.slice(0, -1) : "");
  data.data = words.map((word) => word + "^9" + (word.includes("-") ? "" : " " + word + one(word))).join(" ");
});
