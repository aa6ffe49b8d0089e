// Frames that have not been answered yet.  Pure: storage and time are arguments.
// Their ids are kept on retries, so that the server recognises repeats;
// they are stored in the tab's session storage, so that a reload sends them again.
// Each keeps the moment for which it was made: in another one it is not done.

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

  /** moment: of the last view, null before the first. */
  add(frame, now, moment = null) {
    this.#frames.set(frame.id, { frame, madeAt: now, sentAt: now, moment });
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

  /**
   * After a reconnection what is unanswered goes out again, if its moment is still there and it is no
   * talk of long ago; what is over is dropped, to be told. Returns {again, over}, as frames.
   * What was sent since the socket opened is no repeat.
   */
  resume(now, moment, openedAt = Infinity) {
    const entries = [...this.#frames.values()];
    const isOver = (entry) => (entry.moment ?? moment) !== moment || (entry.frame.type !== "act" && now - entry.madeAt >= FORGET_AFTER);
    const over = entries.filter(isOver);
    for (const { frame } of over) this.#frames.delete(frame.id);
    const again = entries.filter((entry) => !over.includes(entry) && entry.sentAt < openedAt);
    for (const entry of again) entry.sentAt = now;
    this.#write();
    return { again: again.map(({ frame }) => frame), over: over.map(({ frame }) => frame) };
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
