/* All that a page loads of the live view before a reader asks for it. The rest comes when the field is first used, or when
   the address brings a sentence. */
(function () {
  "use strict";
  const here = document.currentScript.src.replace(/[^/]*$/, "");

  function load() {
    window.fieldguideLive ??= new Promise((resolve, reject) => {
      const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: here + "live.css" });
      const script = Object.assign(document.createElement("script"), { src: here + "live-view.js" });
      script.onload = () => resolve(window.fieldguideLiveView(here));
      script.onerror = reject;
      document.head.append(style, script);
    });
    window.fieldguideLive.catch(() => (window.fieldguideLive = null)); // the next touch tries again
    return window.fieldguideLive;
  }

  for (const block of document.querySelectorAll(".fg-live:not([data-mounted])")) {
    block.dataset.mounted = "";
    const form = block.querySelector("form"), mount = () => load().then((view) => view.mount(block));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      mount().then((mounted) => mounted.show()).catch(() => {
        block.querySelector("[role=status]").textContent = "A script of this site could not be fetched. Try again.";
      });
    });
    form.addEventListener("focusin", mount, { once: true });
    if (location.hash.startsWith("#s=")) mount();
  }
})();
