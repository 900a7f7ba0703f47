/* Stands before the theme's own script. From disk a browser starts no worker: the search then runs in the page. */
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
}
