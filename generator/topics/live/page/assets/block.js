/* One field: what its reader types, how much of the model has come, what went wrong, and the address with the sentence. */
const KEPT = "fieldguide-live"; // in the storage of the tab: whether its reader has asked for a model, and whether that works
const IDLE = "asked", AT_WORK = "at work";
const KILLED = "This page ended while the model worked, perhaps because this device has too little memory. Press Show to try again, or take a shorter sentence.";
const MOST = 10000; // characters
const PAUSE = 150; // milliseconds without a key before a sentence is read again
const SENTENCE = "#s=";

/* What the tab keeps, or is to keep. In a frame a browser may keep no such thing. */
function kept(state) {
  try {
    if (state) sessionStorage.setItem(KEPT, state);
    return sessionStorage.getItem(KEPT);
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

  /* What is typed; half of a sign, such as one that the limit cuts, is none. */
  get text() {
    return this.field.value.slice(0, MOST).replace(/\p{Cs}/gu, "\ufffd");
  }

  get model() {
    const { model, bytes, crc32, total } = this.element.dataset;
    return { address: new URL(model, document.baseURI).href, told: { bytes: Number(bytes), crc32: Number(crc32) }, total: Number(total) };
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
    if (kept() === IDLE) this.show();
    else this.tell(kept() ? KILLED : "Press Show to read this sentence.");
  }

  /* Read the sentence and show what becomes of it. What is typed meanwhile is read next, and only the last of it. */
  async show() {
    clearTimeout(this.pause);
    this.waits = true;
    if (this.reads) return;
    this.reads = true;
    while (this.waits) {
      this.waits = false;
      await this.#read();
    }
    this.reads = false;
  }

  /* The address has the sentence before it is read, so that it is there again if the tab does not survive. */
  async #read() {
    const text = this.text;
    if (!this.element.isConnected) return;
    if (!text.trim()) return this.tell("Type a sentence first.");
    kept(AT_WORK);
    history.replaceState(history.state, "", this.link(location.href, text));
    try {
      await this.#open();
      const told = await this.#usual(), measures = told.measures.map(([measure]) => measure);
      await this.#answer({ text, measures, ...this.view.asks(text) });
      if (!this.element.isConnected) return;
      this.tell(this.#limits(this.answer));
      this.#draw(told);
    } catch (error) {
      this.about = null; // the model may have to be fetched again, and is not while its reader types
      this.tell(error.message);
    } finally {
      kept(IDLE);
    }
  }

  /* What the worker makes of a text; the same question is asked once. */
  async #answer(asked) {
    const question = JSON.stringify(asked);
    if (question === this.question) return;
    this.answer = await this.#ask({ task: "read", ...asked });
    this.question = question;
  }

  /* The focus stays where it is, or goes to the field if what had it is no longer shown. */
  #draw(told) {
    const focused = document.activeElement, mine = this.place.contains(focused);
    this.view.draw(told, this.answer);
    if (mine) (this.place.querySelector(`[data-key="${focused.dataset.key}"]`) ?? this.field).focus();
  }

  /* The answer of the worker; a bar shows how much of the model has come, or is done of what takes longer than a moment. */
  async #ask(asked) {
    const begun = performance.now();
    this.bar.hidden = asked.task !== "open";
    this.bar.value = 0;
    try {
      return await this.engine.ask({ ...this.model, ...asked }, (done) => {
        if (performance.now() - begun > PAUSE) this.bar.hidden = false;
        this.bar.value = done;
      });
    } finally {
      this.bar.hidden = true;
    }
  }

  tell(sentence) {
    this.status.textContent = sentence;
  }

  async #usual() {
    try {
      const late = new Promise((_, reject) => setTimeout(reject, PATIENT));
      return (await Promise.race([window.fieldguide.data(this.element), late])).live;
    } catch {
      const { dataset } = this.element;
      dataset.from = dataset.from.replace(/\?.*|$/, "?" + Date.now()); // else the next try waits for the same request
      throw new Error(LOST);
    }
  }

  async #open() {
    if (this.about) return;
    this.tell("Fetching the model…");
    this.about = await this.#ask({ task: "open" });
  }

  #limits({ cut, tokens }) {
    const long = this.field.value.length >= MOST ? `Only the first ${MOST.toLocaleString("en")} characters are read. ` : "";
    const read = cut ? `The model reads ${tokens.length} tokens` : `Read as ${tokens.length} tokens`;
    return `${long}${read}, the two at the ends among them${cut ? "; what comes after is left out" : ""}.`;
  }

  #typed() {
    clearTimeout(this.pause);
    if (this.about) this.pause = setTimeout(() => this.show(), PAUSE);
  }
}

/* The view of all fields of a tab; `here` is where scripts lie. A page that is left while a model works was not killed. */
export function view(here) {
  addEventListener("pagehide", () => { if (kept()) kept(IDLE); });
  const engine = new Engine(here + "live-worker.js"), blocks = new WeakMap();
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: here + "live.css" }));
  return {
    mount(element) {
      if (!blocks.has(element)) blocks.set(element, new Block(element, engine));
      return blocks.get(element);
    },
  };
}
