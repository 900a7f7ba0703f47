/* All that a page loads of the live view before a reader asks for it. The rest comes when the field is first used, or when
   the address brings a sentence. */
(function () {
  "use strict";
  const here = document.currentScript.src.replace(/[^/]*$/, "");
  const LOST = "A script of this site could not be fetched. Try again.";
  const DISK = "A page that was opened from disk cannot run the model, because browsers let a file read no other file. Serve the folder, for example with: fieldguide serve";
  const PATIENT = 15000; // milliseconds for a script to come
  let tries = 0;

  /* A browser asks for a module that did not come no second time at the same address. */
  function fetched() {
    const again = tries++ ? "?" + tries : "", late = new Promise((_, reject) => setTimeout(reject, PATIENT));
    return Promise.race([import(here + "live-view.js" + again), late]);
  }

  function view() {
    window.fieldguideLive ??= fetched().then((loaded) => loaded.view(here));
    window.fieldguideLive.catch(() => (window.fieldguideLive = null)); // the next touch tries again
    return window.fieldguideLive;
  }

  for (const block of document.querySelectorAll(".fg-live:not([data-mounted])")) {
    block.dataset.mounted = "";
    const form = block.querySelector("form"), tell = (sentence) => (block.querySelector("[role=status]").textContent = sentence);
    const mount = (then) => view().then((found) => then(found.mount(block)), () => tell(LOST));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (location.protocol === "file:") tell(DISK);
      else mount((mounted) => mounted.show());
    });
    if (location.protocol === "file:") continue;
    form.addEventListener("focusin", () => mount(() => {}), { once: true });
    if (location.hash.startsWith("#s=")) mount((mounted) => mounted.arrive());
  }
})();
