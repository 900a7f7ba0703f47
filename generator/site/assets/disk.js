/* Stands before the theme's own script. From disk a browser starts no worker, so the search runs in the page; and links to
   folders open no page, so they lead to its file. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const script = document.createElement("script"), listeners = [];
      const answer = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      script.src = String(url).replace(/min\.js$/, "page.js");
      this.listeners = new Promise((ready) => {
        script.onload = () => {
          window.fieldguideSearch((_, listener) => listeners.push(listener), answer);
          ready(listeners);
        };
      });
      document.head.append(script);
    }
    postMessage(data) {
      this.listeners.then((listeners) => listeners.forEach((listener) => listener({ data })));
    }
    terminate() {}
  };

  document.addEventListener("click", (event) => {
    const link = event.target.closest && event.target.closest("a[href]");
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (!link || !link.pathname || !link.pathname.endsWith("/") || link.protocol !== "file:") return;
    event.preventDefault();
    const there = new URL(link.href);
    there.pathname += "index.html";
    location.href = there.href;
  });
}
