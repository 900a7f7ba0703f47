/* Stands before the theme's worker, which takes every word for the beginning of one, and a hyphen for a space: "sep"
   would find "separates" first, and "3-1" all heads with a 3 or a 1. So whole words count more than beginnings, and the
   name of a head is one word. A query with operators, such as quotes or a plus, stays as it is. */
addEventListener("message", ({ data }) => {
  if (typeof data.data !== "string") return;
  lunr.QueryLexer.termSeparator = /\s+/;
  if (/["+*~^:]|(^|\s)-/.test(data.data)) return;
  const words = data.data.replace(/-(?!\d)/g, " ").match(/[\p{L}\p{N}.]+(-\d+)*/gu) || [];
  data.data = words.map((word) => word + "^9" + (word.includes("-") ? "" : " " + word)).join(" ");
});
