/* Stands before the theme's own script. Two files that it asks for at once wait until a reader needs them: the index of the
   search until somebody goes to the search or comes from its results, and the sitemap, which tells the theme where it can
   move without a reload, until the reader first does anything or comes from another page of the guide. Reading it costs a
   phone a tenth of a second. */
(function () {
  "use strict";

  const field = (element) => Boolean(element && element.matches && element.matches(".md-search__input"));
  const once = (events, wanted) => new Promise((wake) => {
    for (const event of events) {
      document.addEventListener(event, ({ target }) => wanted(target) && wake(), { capture: true, passive: true });
    }
  });
  const unless = (known, wait) => known ? Promise.resolve() : wait();
  const searched = field(document.activeElement) || /[?&][hq]=/.test(location.search);
  const reading = document.referrer.startsWith(location.origin);
  const FILES = {
    "/search/search_index.json": unless(searched, () => once(["focusin"], field)),
    "/sitemap.xml": unless(reading, () => once(["pointermove", "pointerdown", "scroll", "keydown"], () => true)),
  };

  const { open, send } = XMLHttpRequest.prototype, waiting = new WeakMap();
  XMLHttpRequest.prototype.open = function (method, url) {
    const file = Object.keys(FILES).find((one) => String(url).endsWith(one));
    if (file) waiting.set(this, FILES[file]);
    return open.apply(this, arguments);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (waiting.has(this)) waiting.get(this).then(() => send.apply(this, body));
    else send.apply(this, body);
  };
})();
