/* The worker in which models run, and what it has been asked. When it dies, all that waits is told so, and the next question
   begins another one. A worker that was ended says nothing, so that silence, too, is taken for its end. */
const DIED = "The model stopped, perhaps because this device has too little memory. Try again, or a shorter sentence.";
const LOST = "A script of this site could not be fetched. Try again.";
const PATIENT = 15000; // milliseconds for a script to come
const SILENT = 30; // seconds in which a question waits and nothing is heard; the worker tells of each head

class Engine {
  constructor(address) {
    this.address = address;
    this.waiting = new Map();
    this.last = 0;
  }

  /* The answer to a question; `advance` is told which share of the work is done. */
  ask(asked, advance = () => {}) {
    const number = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject, advance });
      this.#worker().postMessage({ number, ...asked });
    });
  }

  #worker() {
    if (!this.worker) {
      this.worker = new Worker(this.address);
      this.worker.onmessage = ({ data }) => this.#hear(data);
      this.worker.onerror = ({ message }) => this.#end(message === undefined ? LOST : DIED); // it tells no message of what it could not load
      this.silent = 0;
      this.heard = false;
      this.clock = setInterval(() => this.#wait(), 1000); // counted, so that a device that slept has not been silent
    }
    return this.worker;
  }

  #wait() {
    if (!this.waiting.size) this.silent = 0;
    else if (++this.silent > SILENT) this.#end(this.heard ? DIED : LOST);
  }

  #hear({ number, done, answer, wrong }) {
    const { resolve, reject, advance } = this.waiting.get(number);
    this.silent = 0;
    this.heard = true;
    if (done !== undefined) return advance(done);
    this.waiting.delete(number);
    if (answer) resolve(answer);
    else reject(new Error(wrong || DIED));
  }

  #end(sentence) {
    this.worker.terminate();
    this.worker = null;
    clearInterval(this.clock);
    for (const { reject } of this.waiting.values()) reject(new Error(sentence));
    this.waiting.clear();
  }
}
