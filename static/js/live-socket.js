// The one way in which a page opens a socket: heartbeats notice a line that carries nothing any more,
// a new socket takes its place, and each end has its words and a way out.
import ReconnectingWebSocket from "partysocket";
import { askPage, viewer } from "rr/own-page";

const BEAT_EVERY = 15_000;
const BEAT_ON_CALL = 4_000; // while it counts whether the page is looked at
/** Without an answer for so long a second heartbeat goes out; after as long again, a new socket opens. */
const ANSWER_WITHIN = 8_000;
const MOST_MISSED = 2;
const FLOOD_REST = 8_000;
const COOKIE_ON_ITS_WAY = 1_500; // after a change of password the answer with the new one may still come
const ASK_AGAIN = 5_000;
/** After this number of refused handshakes in a row the page itself is asked for the reason. */
const REFUSED = 3;
const OFFLINE = "You are offline. Nothing can be sent until you are back.";

/** Close codes after which the page does not connect again automatically: the words, and the way out. */
const ENDINGS = {
  4401: ["You are logged out. Log in to continue.", "login"],
  4403: ["This is not open to you, or your account is locked.", "lobby"],
  4409: ["You have too many tabs open. This one was put aside.", "here"],
  4410: ["This practice game has expired, or you started another one.", "practice"],
  4411: ["All practice tables are taken. Try again in a minute.", "again"],
};
const OTHER_USER = ["This browser is logged in as somebody else now.", "reload"];
const UNKNOWN = ["The site has closed this connection.", "again"];
/** Words for codes after which it does. */
const LOST = {
  4412: "The site is restarting. Your seat is kept.",
  4429: "This page has sent too much at once. It goes on in a few seconds.",
};

const isRefusal = (code) => code >= 4400 && code < 4500 && code !== 4408 && !(code in LOST);
const rest = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export class LiveSocket {
  #socket;
  #listener;
  #sentAt = []; // when each unanswered heartbeat was sent
  #missed = 0;
  #isWaiting = false; // for an answer, else for the next heartbeat
  #timer;
  #refused = 0;
  #sessionTries = 0;
  #hasOpened = false;
  #isDoubted = false; // the network was away: only an answer shows that the line survived
  #isPausing = false; // the socket is closed for a while on purpose
  #ending = null; // the close code that ended it
  #isClosed = false;
  #page = { online: () => this.#online(), offline: () => this.#offline() };
  #look = () => this.#seenAgain();

  /**
   * listener: {beat(), the frame of a heartbeat; onFrame(frame); onLink(link, words, way)}, and if it
   * likes {onOpen(), onAnswer(frame, sentAt), isAnswer(frame), isOnCall(), isPublic}.  A link is open,
   * lost or ended; isOnCall: whether it counts that the page is looked at; isPublic: who is logged out
   * stays.
   */
  constructor(path, listener) {
    this.#listener = { onOpen() {}, onAnswer() {}, isOnCall: () => false, isAnswer: (frame) => frame.type === "now", ...listener };
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.#socket = new ReconnectingWebSocket(`${scheme}://${location.host}${path}`, [], {
      minReconnectionDelay: 200 + Math.random() * 500,
      maxReconnectionDelay: 5000,
      reconnectionDelayGrowFactor: 1.5,
      connectionTimeout: 5000,
      maxEnqueuedMessages: 0, // who sends keeps what matters
    });
    this.#socket.addEventListener("open", () => this.#opened());
    this.#socket.addEventListener("close", (event) => this.#closed(event.code));
    this.#socket.addEventListener("message", (event) => this.#heard(JSON.parse(event.data)));
    for (const [name, hear] of Object.entries(this.#page)) addEventListener(name, hear);
    document.addEventListener("visibilitychange", this.#look);
  }

  get isOpen() {
    return this.#socket.readyState === ReconnectingWebSocket.OPEN;
  }

  get #isConnecting() {
    return this.#socket.readyState === ReconnectingWebSocket.CONNECTING;
  }

  /** Send a frame, if the socket is open. */
  send(frame) {
    if (this.isOpen) this.#socket.send(JSON.stringify(frame));
  }

  /** Send a heartbeat now. */
  beat() {
    if (!this.isOpen) return;
    this.#sentAt.push(Date.now());
    if (!this.#isWaiting) this.#wait();
    this.send(this.#listener.beat());
  }

  /** Connect again after an end. */
  resume() {
    if (this.#isClosed || this.#ending === null) return;
    this.#ending = null;
    this.#sessionTries = 0;
    this.#listener.onLink("lost", "", "");
    this.#socket.reconnect();
  }

  close() {
    this.#isClosed = true;
    this.#still();
    for (const [name, hear] of Object.entries(this.#page)) removeEventListener(name, hear);
    document.removeEventListener("visibilitychange", this.#look);
    this.#socket.close();
  }

  #wait() {
    this.#isWaiting = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#miss(), ANSWER_WITHIN);
  }

  #miss() {
    this.#isWaiting = false;
    this.#missed += 1;
    if (this.#missed < MOST_MISSED) this.beat();
    else this.#socket.reconnect(); // the old line may never report its end
  }

  /** No heartbeat is under way. */
  #still() {
    clearTimeout(this.#timer);
    this.#sentAt = [];
    this.#missed = 0;
    this.#isWaiting = false;
  }

  #opened() {
    this.#still();
    this.#hasOpened = true;
    this.#refused = 0;
    this.#isDoubted = false;
    this.#listener.onOpen(); // first: what is sent afterwards belongs to this socket
    this.#listener.onLink("open", "", "");
    this.beat();
  }

  #heard(frame) {
    if (this.#listener.isAnswer(frame)) return this.#answered(frame);
    this.#sessionTries = 0;
    return this.#listener.onFrame(frame);
  }

  #answered(frame) {
    const sentAt = this.#sentAt.shift();
    this.#missed = 0;
    if (this.#isDoubted) this.#listener.onLink("open", "", "");
    this.#isDoubted = false;
    if (this.#sentAt.length) this.#wait();
    else {
      this.#isWaiting = false;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.beat(), this.#listener.isOnCall() ? BEAT_ON_CALL : BEAT_EVERY);
    }
    if (sentAt !== undefined) this.#listener.onAnswer(frame, sentAt);
  }

  #offline() {
    if (this.#ending !== null) return;
    this.#isDoubted = true;
    this.#listener.onLink("lost", OFFLINE, "");
  }

  #online() {
    if (this.isOpen) this.beat();
    else if (this.#ending === null && !this.#isPausing && !this.#isConnecting) this.#socket.reconnect();
  }

  /** Timers of a hidden tab are late: once it is looked at, its line is tried, or asked for again. */
  #seenAgain() {
    if (document.hidden) {
      if (this.#listener.isOnCall()) this.beat();
    } else if (this.#ending === 4409) this.resume();
    else if (!this.#isWaiting || this.#listener.isOnCall()) this.beat();
  }

  #closed(code) {
    this.#still();
    if (this.#isClosed || this.#ending !== null || this.#isPausing) return;
    if (code === 4401 && !this.#listener.isPublic) this.#lookWhoIAm();
    else if (code !== 4401 && isRefusal(code)) this.#end(code);
    else this.#lose(code);
  }

  #lose(code) {
    this.#refused += this.#hasOpened ? 0 : 1;
    this.#hasOpened = false;
    this.#listener.onLink("lost", navigator.onLine === false ? OFFLINE : (LOST[code] ?? ""), "");
    if (code === 4429) this.#pause(() => rest(FLOOD_REST));
    else if (this.#refused && this.#refused % REFUSED === 0) this.#askWhy();
  }

  #end(code, [words, way] = ENDINGS[code] ?? UNKNOWN) {
    this.#ending = code;
    this.#still();
    this.#socket.close();
    this.#listener.onLink("ended", words, way);
  }

  /** Close the socket while something is done, which may end it for good. */
  async #pause(work) {
    this.#isPausing = true;
    this.#socket.close();
    await work();
    this.#isPausing = false;
    if (!this.#isClosed && this.#ending === null) this.#socket.reconnect();
  }

  /** The session has ended: once, with the current cookie, it is tried again as the same person. */
  #lookWhoIAm() {
    this.#listener.onLink("lost", "", "");
    return this.#pause(async () => {
      await rest(COOKIE_ON_ITS_WAY);
      let page = await askPage();
      while (page === null && !this.#isClosed) {
        await rest(ASK_AGAIN);
        page = await askPage();
      }
      const isFirst = this.#sessionTries++ === 0;
      if (!this.#isClosed) this.#compare(page, isFirst);
    });
  }

  #compare(page, isFirst) {
    if (page.viewer && page.viewer !== viewer()) this.#end(4401, OTHER_USER);
    else if (page.viewer !== viewer() || !isFirst) this.#end(4401);
  }

  /** The handshake is refused without a reason that a script may see. */
  async #askWhy() {
    const page = await askPage();
    if (page === null || this.isOpen || this.#isClosed || this.#isPausing || this.#ending !== null) return;
    if (!this.#listener.isPublic) this.#compare(page, true);
    if (this.#ending === null && !page.isOpen) this.#end(4403);
  }
}

const WORDS = { login: "Log in", lobby: "Back to the lobby", reload: "Reload", here: "Use here", again: "Try again" };

/** The way out of an end, as what a link or a button needs: {words, href} or {words, press}. */
export function wayOut(way, resume) {
  const words = WORDS[way];
  if (way === "login") return { words, href: `/accounts/login/?next=${encodeURIComponent(location.pathname)}` };
  if (way === "lobby") return { words, href: "/" };
  return { words, press: way === "reload" ? () => location.reload() : resume };
}

/** The same as an element, for pages that are not drawn by a board. */
export function wayOutButton(way, resume) {
  const { words, href, press } = wayOut(way, resume);
  const made = document.createElement(href ? "a" : "button");
  Object.assign(made, href ? { href } : { type: "button", onclick: press });
  made.className = "btn";
  made.textContent = words;
  return made;
}
