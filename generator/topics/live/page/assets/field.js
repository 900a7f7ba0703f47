/* All that a page loads of the live view before a reader asks for it. The rest comes when the field is first used, or when
   the address brings a sentence. */
(function () {
  "use strict";
  const here = document.currentScript.src.replace(/[^/]*$/, "");
  const LOST = "A script of this site could not be fetched. Try again.";
  const DISK = "With a server, you could type a sentence of your own here. A page that was opened from disk cannot run the model, because browsers let a file read no other file. Serve the folder, for example with: fieldguide serve";
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
    if (location.protocol === "file:") {
      block.replaceChildren(Object.assign(document.createElement("p"), { className: "fg-note", textContent: DISK }));
      continue;
    }
    const form = block.querySelector("form"), tell = (sentence) => (block.querySelector("[role=status]").textContent = sentence);
    const mount = (then) => view().then((found) => then(found.mount(block)), () => tell(LOST));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      mount((mounted) => mounted.show());
    });
    form.addEventListener("focusin", () => mount(() => {}), { once: true });
    const arrive = () => { if (block.isConnected && location.hash.startsWith("#s=")) mount((mounted) => mounted.arrive()); };
    arrive();
    addEventListener("hashchange", arrive); // an address that was put in the place of this one
  }
})();
