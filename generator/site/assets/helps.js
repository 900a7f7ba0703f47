/* Small helps of every page: tables that are filtered as a reader types, and keys that lead from page to page. */
(function () {
  "use strict";

  function filter(input) {
    const found = input.closest("p").querySelector(".fg-found");
    const lines = [...document.getElementById(input.dataset.table).tBodies[0].rows];
    input.addEventListener("input", () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      for (const line of lines) {
        const content = line.textContent.toLowerCase();
        line.hidden = !words.every((word) => content.includes(word));
        shown += !line.hidden;
      }
      found.textContent = words.length ? shown + " of " + lines.length : "";
    });
  }

  /* To the head or claim before or after this one; keys that a field or a scrolling part needs are left to it. */
  const WAYS = { n: "next", ArrowRight: "next", p: "prev", ArrowLeft: "prev" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.key in WAYS)) return;
    if (event.target.closest("input, select, textarea, [contenteditable], [tabindex], .md-search")) return;
    const step = document.querySelector(".fg-steps a[rel=" + WAYS[event.key] + "]");
    if (step) step.click();
  });

  function mount() {
    for (const input of document.querySelectorAll(".fg-filter:not([data-ready])")) {
      input.dataset.ready = "";
      filter(input);
    }
  }

  function start() {
    mount();
    if (window.document$) window.document$.subscribe(mount);
  }
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
