// Frames that have not been answered yet.  Pure: storage and time are arguments.
// Their ids are kept on retries, so that the server recognises repeats;
// they are stored in the tab's session storage, so that a reload sends them again.

export const RESEND_AFTER = 2500;
const FORGET_AFTER = 60_000;
/** Milliseconds for which the page retries automatically after the answer "busy". */
export const GIVE_UP_AFTER = 12_000;

export class Outbox {
  #frames = new Map();
  #storage;
  #key;

  constructor(storage, key, now = 0) {
    this.#storage = storage;
    this.#key = key;
    for (const entry of this.#read()) {
      if (now - entry.madeAt < FORGET_AFTER) this.#frames.set(entry.frame.id, { ...entry, sentAt: 0 });
    }
  }

  #read() {
    try {
      return JSON.parse(this.#storage.getItem(this.#key) ?? "[]");
    } catch {
      return [];
    }
  }

  #write() {
    try {
      this.#storage.setItem(this.#key, JSON.stringify([...this.#frames.values()]));
    } catch {
      // A full or forbidden storage only costs the repetition after a reload.
    }
  }

  add(frame, now) {
    this.#frames.set(frame.id, { frame, madeAt: now, sentAt: now });
    this.#write();
  }

  /** An ack or an error has come: the frame is settled. Returns it, or undefined. */
  settle(id) {
    const entry = this.#frames.get(id);
    this.#frames.delete(id);
    this.#write();
    return entry?.frame;
  }

  /**
   * The house is busy and has said when it will not be: the frame waits, unless it has for too long.
   * A typed line does not: it carries no phase, and might be done in another one than it was meant for.
   */
  postpone(id, now, retryMs) {
    const entry = this.#frames.get(id);
    if (entry?.frame.type !== "act" || now + retryMs - entry.madeAt > GIVE_UP_AFTER) return false;
    entry.againAt = now + retryMs;
    return true;
  }

  /** Frames to send again now. */
  due(now) {
    const late = [...this.#frames.values()].filter((entry) => now >= (entry.againAt ?? entry.sentAt + RESEND_AFTER));
    for (const entry of late) {
      entry.sentAt = now;
      delete entry.againAt;
    }
    return late.map((entry) => entry.frame);
  }

  /** After a reconnection everything unanswered goes out again. */
  all(now) {
    for (const entry of this.#frames.values()) entry.sentAt = now;
    return [...this.#frames.values()].map((entry) => entry.frame);
  }

  get size() {
    return this.#frames.size;
  }

  /** Kinds that wait for an answer (since before an instant), to draw their buttons as pending. */
  kinds(before = Infinity) {
    const waiting = [...this.#frames.values()].filter(({ madeAt }) => madeAt < before);
    return new Set(waiting.map(({ frame }) => frame.action?.kind ?? frame.type));
  }
}
