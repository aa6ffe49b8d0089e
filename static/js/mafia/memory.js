// What the site keeps for whoever plays here, and shows to nobody else: notes, and how far one has
// read. Changes go to the account a moment after they are made; the last one wins.

const WAIT = 800; // milliseconds
const AGAIN_AFTER = 5000;

/** States: "kept", "waiting" (to be sent), "lost" (could not be sent; it is tried again). */
export class Notebook {
  #change = {};
  #timer = null;
  #isSending = false;
  #listeners = new Set();

  /** kept: {notes, read_to, no}, or null for a guest: then nothing is sent. */
  constructor(kept, url, csrf) {
    this.isGuest = kept === null;
    this.notes = kept?.notes ?? "";
    this.readTo = { ...kept?.read_to };
    this.no = kept?.no ?? 0;
    this.state = "kept";
    this.url = url;
    this.csrf = csrf;
  }

  onState(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  write(notes) {
    this.notes = notes;
    this.#later({ notes }, WAIT);
  }

  mark(room, last) {
    if (last <= (this.readTo[room] ?? 0)) return;
    this.readTo = { ...this.readTo, [room]: last };
    this.#later({ read_to: this.readTo }, WAIT);
  }

  #say(state) {
    this.state = state;
    for (const listener of this.#listeners) listener(state);
  }

  #later(change, wait) {
    if (this.isGuest) return;
    this.#change = { ...this.#change, ...change };
    if (this.state === "kept") this.#say("waiting");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), wait);
  }

  /** Send what has changed; what could not be sent is tried again with what comes later. */
  async send() {
    if (this.#isSending || !Object.keys(this.#change).length) return;
    clearTimeout(this.#timer);
    const change = this.#change;
    this.#change = {};
    this.#isSending = true;
    const { no, error } = await this.#ask({ no: this.no + 1, ...change });
    this.#isSending = false;
    if (!error) this.no = no;
    // Another window has written meanwhile: this is later.
    else if (error.code === "stale") this.no = error.no;
    if (error) this.#change = { ...change, ...this.#change };
    const isDone = !Object.keys(this.#change).length;
    this.#say(isDone ? "kept" : error && error.code !== "stale" ? "lost" : "waiting");
    if (!isDone) this.#later({}, error?.code === "stale" || !error ? 0 : AGAIN_AFTER);
  }

  async #ask(body) {
    try {
      const headers = { "Content-Type": "application/json", "X-CSRFToken": this.csrf };
      const answer = await fetch(this.url, { method: "POST", headers, body: JSON.stringify(body), keepalive: true });
      return await answer.json();
    } catch {
      return { error: { code: "busy" } };
    }
  }
}

const books = new Map();

/** The one notebook of a page; what is still to be sent goes out before the page does. */
export function notebookOf(config) {
  if (!books.has(config.notebook_url)) {
    const book = new Notebook(config.notebook, config.notebook_url, config.csrf);
    books.set(config.notebook_url, book);
    globalThis.addEventListener?.("pagehide", () => book.send());
  }
  return books.get(config.notebook_url);
}
