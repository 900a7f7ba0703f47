/* Stands before the theme's own script. Two files that it asks for at once wait until a reader needs them: the index of the
   search until somebody goes to the search or comes from its results, and the sitemap, which tells the theme where it can
   move without a reload, until the reader first does anything or comes from another page of the guide. Reading it costs a
   phone a tenth of a second. A link that is followed before the theme has read the sitemap is the browser's alone, because
   the theme would follow it once more when it has, and the way back would lead nowhere. */
(function () {
  "use strict";

  const field = (element) => Boolean(element && element.matches && element.matches(".md-search__input"));
  const once = (events, wanted) => new Promise((wake) => {
    for (const name of events) {
      document.addEventListener(name, (event) => wanted(event) && wake(), { capture: true, passive: true });
    }
  });
  /* Once a page is laid out, Chromium reports a move by 0 for a mouse at rest. */
  const acted = ({ type, movementX, movementY }) => type !== "pointermove" || movementX !== 0 || movementY !== 0;
  const unless = (known, wait) => known ? Promise.resolve() : wait();
  const searched = field(document.activeElement) || /[?&][hq]=/.test(location.search);
  const reading = document.referrer.startsWith(location.origin);
  const FILES = {
    "/search/search_index.json": unless(searched, () => once(["focusin"], ({ target }) => field(target))),
    "/sitemap.xml": unless(reading, () => once(["pointermove", "pointerdown", "scroll", "keydown"], acted)),
  };

  const { open, send } = XMLHttpRequest.prototype, waiting = new WeakMap(), sitemaps = new Set();
  const { get } = Object.getOwnPropertyDescriptor(XMLHttpRequest.prototype, "response");
  let followed = false;
  document.addEventListener("click", ({ target }) => {
    if (!target.closest("a[href]")) return;
    followed = true;
    for (const one of sitemaps) one.abort();
  }, { capture: true });
  /* What a sitemap came with: its text is read while the reader goes on, and then no longer told. */
  const read = (sitemap) => ({ text: async () => {
    const text = await get.call(sitemap).text();
    return followed ? new Promise(() => {}) : text;
  } });
  XMLHttpRequest.prototype.open = function (method, url) {
    const file = Object.keys(FILES).find((one) => String(url).endsWith(one));
    if (file) waiting.set(this, FILES[file]);
    if (file === "/sitemap.xml") {
      sitemaps.add(this);
      this.addEventListener("loadend", () => sitemaps.delete(this));
      Object.defineProperty(this, "response", { get: () => read(this) });
    }
    return open.apply(this, arguments);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    const sent = () => { if (!followed || !sitemaps.has(this)) send.apply(this, body); };
    if (waiting.has(this)) waiting.get(this).then(sent);
    else sent();
  };
})();
