/* Stands before the theme's own script. The index of the search is fetched when a reader first goes to the search, or
   comes from its results; and what is pasted, dictated or filled in is searched for: the theme listens to keys alone. */
(function () {
  "use strict";

  const field = (element) => Boolean(element && element.matches && element.matches(".md-search__input"));
  const wanted = new Promise((wake) => {
    if (field(document.activeElement) || /[?&][hq]=/.test(location.search)) wake();
    document.addEventListener("focusin", (event) => field(event.target) && wake());
  });

  const { open, send } = XMLHttpRequest.prototype, indexes = new WeakSet();
  XMLHttpRequest.prototype.open = function (method, url) {
    if (String(url).endsWith("/search/search_index.json")) indexes.add(this);
    return open.apply(this, arguments);
  };
  XMLHttpRequest.prototype.send = function (...body) {
    if (indexes.has(this)) wanted.then(() => send.apply(this, body));
    else send.apply(this, body);
  };

  document.addEventListener("input", (event) => {
    if (field(event.target)) event.target.dispatchEvent(new Event("keyup"));
  });
})();
