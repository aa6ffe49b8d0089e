// One socket to one match: frames out are kept until answered, frames in go to the listener.
import ReconnectingWebSocket from "partysocket";
import { ServerClock } from "rr/board/clock";
import { Outbox } from "rr/board/outbox";

const SEEN_EVERY = 15_000;
const SEEN_VIEWS = 12; // the server asks for at least every 16
const LOOK_EVERY = 500;
const LATE_AFTER = 1_500; // then the user is told that nothing has arrived yet
const FLOOD_REST = 8_000;
const COOKIE_ON_ITS_WAY = 1_500; // after a change of password the answer with the new one may still come

/** Close codes after which the page must not reconnect automatically. */
const ENDINGS = {
  4401: "You are logged out. Log in to continue.",
  4403: "This account may not play at the moment.",
  4409: "This table is open in too many windows. Close one, then reload.",
  4410: "This practice game has expired, or you started another one.",
  4411: "All practice tables are taken. Try again in a minute.",
};

function frameId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function address(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

export class Connection {
  clock = new ServerClock();
  #socket;
  #outbox;
  #listener;
  #seenAt = []; // when each unanswered `seen` was sent
  #views = 0;
  #revision = 0;
  #sessionTries = 0;
  #timers = [];
  #late = new Set();
  #net = { online: () => this.#online(), offline: () => this.#listener.onLink("lost", "You are offline. Your move is sent when you are back.") };
  #isClosed = false;

  /** listener: {onFrame(frame, settled), onLink(link, text), onPending(kinds), onLate(kinds), isStillMe()} */
  constructor(path, listener, storage = sessionStorage) {
    this.#listener = listener;
    this.#outbox = new Outbox(storage, `rr.outbox.${path}`, Date.now());
    this.#socket = new ReconnectingWebSocket(address(path), [], {
      minReconnectionDelay: 200 + Math.random() * 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 1.5,
      connectionTimeout: 5000,
      maxEnqueuedMessages: 0, // the outbox keeps what matters, with its ids
    });
    this.#socket.addEventListener("open", () => this.#opened());
    this.#socket.addEventListener("close", (event) => this.#closed(event.code));
    this.#socket.addEventListener("message", (event) => this.#heard(JSON.parse(event.data)));
    this.#timers.push(setInterval(() => this.#seen(), SEEN_EVERY), setInterval(() => this.#look(), LOOK_EVERY));
    for (const [name, hear] of Object.entries(this.#net)) addEventListener(name, hear);
  }

  /** Send a frame that wants an answer; its id is made here. */
  send(frame) {
    const whole = { id: frameId(), ...frame };
    this.#outbox.add(whole, Date.now());
    this.#write(whole);
    this.#listener.onPending(this.#outbox.kinds());
  }

  close() {
    this.#isClosed = true;
    this.#timers.forEach(clearInterval);
    for (const [name, hear] of Object.entries(this.#net)) removeEventListener(name, hear);
    this.#socket.close();
  }

  get #isOpen() {
    return this.#socket.readyState === ReconnectingWebSocket.OPEN;
  }

  #write(frame) {
    if (this.#isOpen) this.#socket.send(JSON.stringify(frame));
  }

  #opened() {
    this.#seenAt = [];
    this.#revision = 0;
    this.#seen();
    // Kept frames go first, so that a new frame of the listener goes out once.
    this.#outbox.all(Date.now()).forEach((frame) => this.#write(frame));
    this.#listener.onLink("open", "");
  }

  /** The browser has a network again; the next answer shows whether the connection survived. */
  #online() {
    if (this.#isOpen) this.#listener.onLink("open", "");
    this.#seen();
  }

  #look() {
    this.#resend();
    const late = this.#outbox.kinds(Date.now() - LATE_AFTER);
    if (late.size === this.#late.size && [...late].every((kind) => this.#late.has(kind))) return;
    this.#late = late;
    this.#listener.onLate(late);
  }

  #resend() {
    if (this.#isOpen) this.#outbox.due(Date.now()).forEach((frame) => this.#write(frame));
  }

  #seen() {
    if (!this.#isOpen) return;
    this.#views = 0;
    this.#seenAt.push(Date.now());
    this.#write({ type: "seen", revision: this.#revision });
  }

  #heard(frame) {
    if (frame.type === "now") return this.#answered(frame);
    if (frame.revision !== undefined) this.#looked(frame); // a view of what this socket shows
    if (frame.code === "busy" && this.#outbox.postpone(frame.id, Date.now(), frame.retry_ms)) {
      return void setTimeout(() => this.#resend(), frame.retry_ms);
    }
    const isAnswer = ["ack", "error", "reply"].includes(frame.type); // a question has no other answer
    const settled = isAnswer && frame.id ? this.#outbox.settle(frame.id) : undefined;
    if (frame.type === "error" && frame.id && !settled) return undefined; // of a repeat: told already
    if (isAnswer) this.#listener.onPending(this.#outbox.kinds());
    return this.#listener.onFrame(frame, settled);
  }

  #answered(frame) {
    const sentAt = this.#seenAt.shift();
    if (sentAt !== undefined) this.clock.learn(frame.now, sentAt, Date.now());
  }

  #looked(frame) {
    this.#sessionTries = 0;
    this.#revision = frame.revision;
    this.clock.hint(frame.now, Date.now());
    this.#views += 1;
    if (this.#views >= SEEN_VIEWS) this.#seen();
  }

  #closed(code) {
    if (this.#isClosed) return;
    if (code === 4401) {
      this.#lookWhoIAm();
      return;
    }
    if (ENDINGS[code]) {
      this.#end(code);
      return;
    }
    this.#listener.onLink("lost", code === 4412 ? "The site is restarting. Your seat is kept." : "");
    if (code === 4429) this.#rest();
  }

  #end(code) {
    this.close();
    this.#listener.onLink("ended", ENDINGS[code]);
  }

  /** The session has ended: once, with the current cookie, it is tried again as the same person. */
  async #lookWhoIAm() {
    this.#socket.close();
    this.#listener.onLink("lost", "");
    await new Promise((resolve) => setTimeout(resolve, COOKIE_ON_ITS_WAY));
    const mayReturn = this.#sessionTries++ === 0 && (await this.#listener.isStillMe());
    if (this.#isClosed) return;
    if (mayReturn) this.#socket.reconnect();
    else this.#end(4401);
  }

  /** After a flood the server wants quiet for a while. */
  #rest() {
    this.#socket.close();
    setTimeout(() => this.#isClosed || this.#socket.reconnect(), FLOOD_REST);
  }
}
