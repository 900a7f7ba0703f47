/* One field: what its reader types, how much of the model has come, what went wrong, and the address with the sentence. */
const ASKED = "fieldguide-live"; // in the storage of the tab, once its reader has asked for a model
const MOST = 10000; // characters
const PAUSE = 150; // milliseconds without a key before a sentence is read again
const SENTENCE = "#s=";

/* Whether the reader of this tab has asked for a model, or that it has. In a frame a browser may keep no such thing. */
function asked(yes) {
  try {
    if (yes) sessionStorage.setItem(ASKED, "1");
    return sessionStorage.getItem(ASKED);
  } catch {
    return null;
  }
}

class Block {
  constructor(element, engine) {
    this.element = element;
    this.engine = engine;
    this.field = element.querySelector("input");
    this.status = element.querySelector("[role=status]");
    this.bar = element.querySelector("progress");
    this.place = element.querySelector(".fg-live-shown");
    this.view = element.dataset.head ? new HeadView(this) : new ModelView(this);
    this.field.addEventListener("input", () => this.#typed());
  }

  get text() {
    return this.field.value.slice(0, MOST);
  }

  get model() {
    const { model, bytes, crc32 } = this.element.dataset;
    return { address: new URL(model, document.baseURI).href, told: { bytes: Number(bytes), crc32: Number(crc32) } };
  }

  /* An address with a sentence. */
  link(address, text) {
    return address.replace(/#.*/, "") + SENTENCE + encodeURIComponent(text);
  }

  /* What another site shows of this field: its sentence, which is read after a click. */
  get frame() {
    const root = new URL("../../", this.engine.address).href, page = document.baseURI.replace(/[?#].*/, "").slice(root.length);
    const source = this.link(`${root}embed/?${new URLSearchParams({ page, figure: this.element.id })}`, this.text);
    return `<iframe src="${source}" title="A sentence and the heads of a model" width="680" height="560" style="border:0;max-width:100%" loading="lazy"></iframe>`;
  }

  /* The sentence of the address, which is read at once only if this tab has asked for a model before. */
  arrive() {
    try {
      this.field.value = decodeURIComponent(location.hash.slice(SENTENCE.length)).slice(0, MOST);
    } catch { /* an address that somebody has cut off within a letter */ }
    this.element.scrollIntoView({ block: "center" });
    if (asked()) this.show();
    else this.tell("Press Show to read this sentence.");
  }

  /* Read the sentence and show what becomes of it. What is typed meanwhile is read next, and only the last of it. */
  async show() {
    this.waits = true;
    if (this.reads) return;
    this.reads = true;
    while (this.waits) {
      this.waits = false;
      await this.#read();
    }
    this.reads = false;
  }

  async #read() {
    const text = this.text;
    if (!text.trim()) return this.tell("Type a sentence first.");
    asked(true);
    try {
      await this.#open();
      const told = await this.#usual();
      const reads = await Promise.all(this.view.asks(text).map((asked) => this.engine.ask({ task: "read", ...this.model, text, ...asked })));
      if (!this.element.isConnected) return;
      history.replaceState(history.state, "", this.link(location.href, text));
      this.tell(this.#limits(reads[0]));
      this.view.draw(told, ...reads);
    } catch (error) {
      this.tell(error.message);
    }
  }

  tell(sentence) {
    this.status.textContent = sentence;
  }

  async #usual() {
    try {
      return (await window.fieldguide.data(this.element)).live;
    } catch {
      throw new Error("A script of this site could not be fetched. Try again.");
    }
  }

  async #open() {
    if (this.about) return;
    const { total } = this.element.dataset;
    this.bar.hidden = false;
    this.tell("Fetching the model…");
    try {
      this.about = await this.engine.ask({ task: "open", ...this.model }, (came) => { this.bar.value = came / total; });
    } finally {
      this.bar.hidden = true;
    }
  }

  #limits({ cut }) {
    const long = this.field.value.length >= MOST ? `Only the first ${MOST.toLocaleString("en")} characters are read. ` : "";
    return long + (cut ? `The model reads ${this.about.positions} tokens, the two at the ends among them; what comes after is left out.` : "");
  }

  #typed() {
    clearTimeout(this.pause);
    if (this.about) this.pause = setTimeout(() => this.show(), PAUSE);
  }
}

/* The view of all fields of a tab; `here` is where scripts lie. */
export function view(here) {
  const engine = new Engine(here + "live-worker.js"), blocks = new WeakMap();
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: here + "live.css" }));
  return {
    mount(element) {
      if (!blocks.has(element)) blocks.set(element, new Block(element, engine));
      return blocks.get(element);
    },
  };
}
