// The player's own part of the chance of a game: a salt, whose hash goes out with readiness.
// The board reveals the salt in the countdown, without the player's doing.
// Source: docs/explanation/proof.md

const KEPT = "rr.salts";
const MOST_KEPT = 40; // games that this browser may have open at once

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function pairOf(salt) {
  const text = JSON.stringify(["rock-and-racket/salt", salt]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [hex(new Uint8Array(digest)), salt];
}

export class Salts {
  #onReady;
  #storage;
  #next = null; // made in advance, since hashing takes a moment and a press must not

  /** onReady: called when a new salt is there. */
  constructor(onReady = () => {}, storage = globalThis.localStorage) {
    this.#onReady = onReady;
    this.#storage = storage;
    this.prepare();
  }

  /** Without a secure connection a browser does not hash: the seat then adds no salt. */
  async prepare() {
    if (!globalThis.crypto?.subtle) return;
    this.#next = await pairOf(hex(crypto.getRandomValues(new Uint8Array(32))));
    this.#onReady();
  }

  get isReady() {
    return this.#next !== null;
  }

  /** The field of an action that carries a new hash, none if there is none. */
  field() {
    if (!this.#next) return {};
    const [hash] = this.#next;
    this.#keep([...this.#kept().filter(([old]) => old !== hash), this.#next]);
    this.#next = null;
    this.prepare();
    return { salt_hash: hash };
  }

  saltOf(hash) {
    return this.#kept().find(([kept]) => kept === hash)?.[1] ?? null;
  }

  #kept() {
    try {
      return JSON.parse(this.#storage.getItem(KEPT) ?? "[]");
    } catch {
      return [];
    }
  }

  #keep(pairs) {
    try {
      this.#storage.setItem(KEPT, JSON.stringify(pairs.slice(-MOST_KEPT)));
    } catch {
      // Without storage a reload before the start costs the readiness.
    }
  }
}
