// A player's private data of a game on the site: notes, and the last read post.
// Changes are sent shortly after they are made; the last one wins.
import { post } from "rr/own-page";

const WAIT = 800; // milliseconds
const AGAIN_AFTER = 5000;

/** States: "kept", "waiting" (to be sent), "lost" (could not be sent; it is tried again), "refused". */
export class Notebook {
  #change = {};
  #flying = {}; // the request that is under way
  #timer = null;
  #isSending = false;
  #listeners = new Set();
  problem = ""; // why the last change was refused
  /** Called whenever the unsent changes change. */
  onChange = () => {};

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

  /** The changes that the site may not have yet. */
  get unsent() {
    return { ...this.#flying, ...this.#change };
  }

  /** Send the changes that an earlier page of this tab left unsent. */
  resume({ notes, read_to: readTo }) {
    if (notes !== undefined) this.write(notes);
    for (const [room, last] of Object.entries(readTo ?? {})) this.mark(room, last);
  }

  #say(state) {
    this.state = state;
    for (const listener of this.#listeners) listener(state);
  }

  #later(change, wait) {
    if (this.isGuest) return;
    this.#change = { ...this.#change, ...change };
    this.onChange();
    if (["kept", "refused"].includes(this.state)) this.#say("waiting");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.send(), wait);
  }

  /** Send the changes; after a failure they are sent again with later ones. */
  async send() {
    if (this.#isSending || !Object.keys(this.#change).length) return;
    clearTimeout(this.#timer);
    const change = this.#change;
    this.#change = {};
    this.#flying = change;
    this.#isSending = true;
    const { no, is_kept: isKept, error } = await this.#ask({ no: this.no + 1, ...change });
    this.#isSending = false;
    this.#flying = {};
    if (!error) this.no = no;
    // A refused text stays in the box; it is sent again when it has changed.
    const isRefused = error?.code === "bad_field";
    // Another window may have written meanwhile: these changes are later, so send them again.
    if (!isKept && !isRefused) this.#change = { ...change, ...this.#change };
    this.onChange();
    const isDone = !Object.keys(this.#change).length;
    if (isRefused) this.problem = error.message;
    this.#say(isRefused ? "refused" : isDone ? "kept" : error ? "lost" : "waiting");
    if (!isDone) this.#later({}, error ? AGAIN_AFTER : 0);
  }

  async #ask(body) {
    try {
      const headers = { "Content-Type": "application/json" };
      const answer = await post(this.url, { headers, body: JSON.stringify(body), keepalive: true }, this.csrf);
      return await answer.json();
    } catch {
      return { error: { code: "busy" } };
    }
  }
}

const books = new Map();

/** The changes that the tab's last page left unsent. */
function leftUnsent(key) {
  try {
    return JSON.parse(globalThis.sessionStorage.getItem(key)) ?? {};
  } catch {
    return {};
  }
}

/** Store the unsent changes for this tab's next page; remove sent ones. */
function keepUnsent(key, change) {
  try {
    const place = globalThis.sessionStorage;
    if (Object.keys(change).length) place.setItem(key, JSON.stringify(change));
    else place.removeItem(key);
  } catch {
    // There is none: what goes out with the page may come after the next one was made.
  }
}

/** The one notebook of a page; what is still to be sent goes out with it, and is there on the next. */
export function notebookOf(config) {
  if (!books.has(config.notebook_url)) {
    const book = new Notebook(config.notebook, config.notebook_url, config.csrf);
    const key = `rr.notebook.${config.name}.${config.notebook_url}`;
    books.set(config.notebook_url, book);
    if (!book.isGuest) {
      // With each change, not when the page goes: the next one may be there before that is done.
      book.onChange = () => keepUnsent(key, book.unsent);
      book.resume(leftUnsent(key));
      globalThis.addEventListener?.("pagehide", () => book.send());
    }
  }
  return books.get(config.notebook_url);
}
