// One socket to one match: frames out are kept until answered, frames in go to the listener.
import { siteClock } from "rr/board/clock";
import { Outbox } from "rr/board/outbox";
import { LiveSocket } from "rr/live-socket";

const SEEN_VIEWS = 12; // the server asks for at least every 16
const LOOK_EVERY = 500;
const LATE_AFTER = 1_500; // then the user is told that nothing has arrived yet
const CLOCK_SET = 1_000; // the computer's clock and its stopwatch differ by so much more than before

function frameId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Connection {
  clock = siteClock;
  #socket;
  #outbox;
  #listener;
  #views = 0;
  #revision = 0;
  #isFirst = true; // whether this socket has shown nothing yet
  #asks = true; // for changed parts: until a whole view has come, each heartbeat does
  #view = null; // the last view of this socket, as it came
  #openedAt = 0;
  #moment = null; // of the last view: what frames are made for
  #timer;
  #late = new Set();
  #drift = Date.now() - performance.now();

  /** listener: {onFrame(frame, settled), onLink(link, words, way), onPending(kinds), onLate(kinds), momentOf(frame)} and, if it likes, isOnCall(); wantsParts: of views */
  constructor(path, listener, storage = sessionStorage) {
    this.#listener = { isOnCall: () => false, ...listener };
    this.#outbox = new Outbox(storage, `rr.outbox.${path}`, Date.now());
    this.#socket = new LiveSocket(path, {
      beat: () => this.#seen(),
      isOnCall: () => this.#listener.isOnCall(),
      onOpen: () => this.#opened(),
      onFrame: (frame) => this.#heard(frame),
      onAnswer: (frame, sentAt) => this.clock.learn(frame.now, sentAt, Date.now()),
      onLink: (link, words, way) => listener.onLink(link, words, way),
    });
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY);
  }

  /** Send a frame that wants an answer; its id is made here. */
  send(frame) {
    const whole = { id: frameId(), ...frame };
    this.#outbox.add(whole, Date.now(), this.#moment);
    this.#write(whole);
    this.#listener.onPending(this.#outbox.kinds());
  }

  close() {
    clearInterval(this.#timer);
    this.#socket.close();
  }

  /** Send a heartbeat now. */
  beat() {
    this.#socket.beat();
  }

  /** Connect again after an end. */
  resume() {
    this.#socket.resume();
  }

  #write(frame) {
    this.#socket.send(frame);
  }

  #opened() {
    this.#isFirst = this.#asks = true;
    this.#revision = 0; // before the first heartbeat of the new socket
    this.#openedAt = Date.now();
  }

  /** The first view of a socket shows what has become of the moment for which frames wait. */
  #resume({ again, over }) {
    again.forEach((frame) => this.#write(frame));
    this.#listener.onPending(this.#outbox.kinds());
    for (const frame of over) this.#listener.onFrame({ type: "error", id: frame.id, code: "over" }, frame);
  }

  #look() {
    this.#watchClock();
    this.#resend();
    const late = this.#outbox.kinds(Date.now() - LATE_AFTER);
    if (late.size === this.#late.size && [...late].every((kind) => this.#late.has(kind))) return;
    this.#late = late;
    this.#listener.onLate(late);
  }

  /** Frames that have waited for long go out again, with a heartbeat: does anybody still listen? */
  #resend() {
    if (!this.#socket.isOpen || this.#isFirst) return;
    const due = this.#outbox.due(Date.now());
    due.forEach((frame) => this.#write(frame));
    if (due.length) this.#socket.beat();
  }

  /** After the computer's clock was set, or it woke, the site's time is asked again. */
  #watchClock() {
    const drift = Date.now() - performance.now();
    if (Math.abs(drift - this.#drift) < CLOCK_SET) return;
    this.#drift = drift;
    this.#socket.beat();
  }

  #seen() {
    this.#views = 0;
    const parts = this.#listener.wantsParts && this.#asks;
    const seen = { type: "seen", revision: this.#revision, ...(parts && { parts }) };
    return this.#listener.isOnCall() ? { ...seen, visible: !document.hidden } : seen;
  }

  #heard(frame) {
    if (frame.type !== "parts") {
      if (frame.revision !== undefined) this.#asks = false;
      this.#take(frame);
    } else if (frame.revision === this.#revision + 1) {
      this.#take({ ...frame, type: "view", view: { ...this.#view, ...frame.parts } });
    } else {
      this.#ask();
    }
  }

  /** A frame before this one is missing: ask once, and show nothing before the answer. */
  #ask() {
    if (this.#asks) return;
    this.#asks = true;
    this.#socket.beat();
  }

  #take(frame) {
    if (frame.revision !== undefined) this.#looked(frame); // a view of what this socket shows
    if (frame.code === "busy" && this.#outbox.postpone(frame.id, Date.now(), frame.retry_ms)) {
      setTimeout(() => this.#resend(), frame.retry_ms);
      return;
    }
    const isAnswer = ["ack", "error", "reply"].includes(frame.type); // a question has no other answer
    const settled = isAnswer && frame.id ? this.#outbox.settle(frame.id) : undefined;
    if (frame.type === "error" && frame.id && !settled) return undefined; // of a repeat: told already
    if (isAnswer) this.#listener.onPending(this.#outbox.kinds());
    const isFirst = frame.revision !== undefined && this.#isFirst;
    // Taken before the listener sees the view: a frame that it sends now is no repeat.
    const waiting = isFirst && this.#outbox.resume(Date.now(), this.#moment, this.#openedAt);
    this.#listener.onFrame(frame, settled);
    if (!isFirst) return;
    this.#isFirst = false;
    this.#resume(waiting);
  }

  #looked(frame) {
    this.#revision = frame.revision;
    this.#view = frame.view;
    this.#moment = this.#listener.momentOf(frame);
    this.clock.hint(frame.now, Date.now());
    this.#views += 1;
    if (this.#views >= SEEN_VIEWS) this.#socket.beat();
  }
}
