// The player's own part of the chance of a game: a salt, whose hash goes out with readiness.
// The board reveals the salt in the countdown, without the player's doing.  What the player saw of the
// game is kept with it, for the page of proofs.
// Source: docs/explanation/proof.md

const KEPT = "rr.salts";
const MOST_KEPT = 200; // lists of hash, salt, public id of the game, its commitment; the newest

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

async function pairOf(salt) {
  const text = JSON.stringify(["rock-and-racket/salt", salt]);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [hex(new Uint8Array(digest)), salt];
}

function kept(storage) {
  try {
    return JSON.parse((storage ?? globalThis.localStorage).getItem(KEPT) ?? "[]");
  } catch {
    return [];
  }
}

/** The commitment of a game that this browser saw before its start, and the salt that it gave, each time. */
export function seenOf(publicId, storage = null) {
  return kept(storage).filter(([, , id]) => id === publicId).map(([, salt, , commitment]) => ({ salt, commitment }));
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

  /** The field of an action that carries a new hash, none if there is none; match: if it is known yet. */
  field(match) {
    if (!this.#next) return {};
    const [hash] = this.#next;
    this.#keep([...kept(this.#storage), [...this.#next, ...(match ? [match.public_id, match.commitment] : [])]]);
    this.#next = null;
    this.prepare();
    return { salt_hash: hash };
  }

  /** The game of a hash that went out before the game was known; what was seen first stays. */
  note(hash, match) {
    const all = kept(this.#storage);
    const found = all.find(([each, , id]) => each === hash && !id);
    if (!found) return;
    found.push(match.public_id, match.commitment);
    this.#keep(all);
  }

  saltOf(hash) {
    return kept(this.#storage).find(([each]) => each === hash)?.[1] ?? null;
  }

  #keep(all) {
    try {
      this.#storage.setItem(KEPT, JSON.stringify(all.slice(-MOST_KEPT)));
    } catch {
      // Without storage a reload before the start costs the readiness.
    }
  }
}
