/* The worker in which models run, and what it has been asked. When it dies, all that waits is told so, and the next question
   begins another one. */
const DIED = "The model stopped, perhaps because this device has too little memory. Try again, or a shorter sentence.";

class Engine {
  constructor(address) {
    this.address = address;
    this.waiting = new Map();
    this.last = 0;
  }

  /* The answer to a question; `advance` is told how many bytes have come. */
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
      this.worker.onerror = () => this.#die();
    }
    return this.worker;
  }

  #hear({ number, came, answer, wrong }) {
    const { resolve, reject, advance } = this.waiting.get(number);
    if (came !== undefined) return advance(came);
    this.waiting.delete(number);
    if (wrong) reject(new Error(wrong));
    else resolve(answer);
  }

  #die() {
    this.worker.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new Error(DIED));
    this.waiting.clear();
  }
}
