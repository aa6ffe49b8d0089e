// The common controls of every board: the only place that creates frames of actions.
import { takeWish } from "rr/seat-wish";
import { setting } from "rr/settings";
import { siteClock } from "rr/board/clock";
import { Salts } from "rr/board/salts";
import { withReply, withTold } from "rr/board/store";
import { commandIn, commandMeant } from "rr/board/typed-line";
import { spanWords } from "rr/board/wording";

/** The actions that carry the hash of a new salt. */
const SALTED = ["ready", "rematch"];

export class BoardControls {
  constructor(store, send) {
    this.commands = {}; // the most words after each name of a command
    this.lesson = null; // the steps, where the game is a lesson
    this.store = store;
    this.sendFrame = send;
    this.salts = new Salts(() => this.keepSalts());
    this.unasked = new WeakSet(); // the actions that no press is behind
    this.notedHash = null; // whose game is known
    this.spoken = 0; // how often a key has asked where the game stands
    this.dueSalt = false; // what was last asked for: the salt of this hash, or a new hash (true)
  }

  get view() {
    return this.store.state.view;
  }

  get ui() {
    return this.store.state.ui;
  }

  get mine() {
    return this.view.game?.you ?? null;
  }

  setUi(change) {
    this.store.change((state) => ({ ...state, ui: { ...state.ui, ...change } }));
  }

  /** Ask before what cannot be undone; whether it asks now. Not twice, and not those who do without. */
  asks(what) {
    if (this.ui.ask === what || setting("asks_first") === false) return false;
    this.setUi({ ask: what });
    return true;
  }

  may(kind) {
    return Boolean((this.mine?.may ?? this.mine?.legal)?.includes(kind) || this.view.you.may.includes(kind));
  }

  act(kind, fields = {}) {
    if (!this.isOpen || !this.isAllowed(kind)) return;
    const salted = SALTED.includes(kind) ? this.salts.field(kind === "ready" ? this.view.match : null) : {};
    const action = { kind, ...fields, ...salted };
    this.sendFrame({ type: "act", phase: this.view.phase, action });
    return action;
  }

  /** Act without a press; a refusal is not shown. */
  actUnasked(kind, fields) {
    const action = this.act(kind, fields);
    if (action) this.unasked.add(action);
  }

  /** After each change of the state, before the start: reveal the salt, or give a new hash. */
  keepSalts() {
    const { you, match, seats } = this.view;
    if (!this.isOpen || !match || (you?.seat ?? null) === null) return;
    if (you.salt_hash && you.salt_hash !== this.notedHash) this.salts.note((this.notedHash = you.salt_hash), match);
    // The hash is missing where the salt was dropped, or where the site made the seat ready.
    const isMissing = match.status === "open" && Boolean(seats[you.seat]?.ready) && !you.salt_hash;
    const due = you.may.includes("reveal") ? you.salt_hash : isMissing;
    if (due === this.dueSalt || (due === true && !this.salts.isReady)) return;
    this.dueSalt = due;
    const salt = this.salts.saltOf(due);
    if (salt) this.actUnasked("reveal", { salt });
    else if (isMissing) this.actUnasked("ready", { configuration: match.options_revision });
  }

  /** The guest who pressed for a seat here is back with an account: sit down, with the purse on offer. */
  takeSeat() {
    const { match, you } = this.view;
    if (!this.isOpen || you?.name === null || !takeWish(match.public_id)) return;
    this.tryTo("sit", {}, false);
  }

  /** Whether a refusal is not to be shown: of what nobody pressed, or of readiness for a game that runs. */
  isUnasked({ code }, settled) {
    const { you, match, seats } = this.view;
    const action = settled?.action;
    // After a reload of the page only its kind tells.
    if (this.unasked.has(action) || action?.kind === "reveal") return true;
    if (!["stale", "over"].includes(code) || action?.kind !== "ready") return false;
    return match.status !== "open" || Boolean(seats[you.seat]?.ready);
  }

  /** Whether the step of a lesson lets this act; it says what is meant if not. */
  isAllowed(kind) {
    const { allows, title } = this.lesson?.[this.ui.lessonStep ?? 0] ?? {};
    if (!allows || allows.includes(kind)) return true;
    this.toast(`First: ${title.toLowerCase()}. Press what is ringed, or skip the step.`);
    return false;
  }

  /** Act when it is allowed now, else do nothing (keys come at any time). */
  tryTo(kind, fields, isAsked = true) {
    if (!this.may(kind)) return;
    if (isAsked) this.act(kind, fields);
    else this.actUnasked(kind, fields);
  }

  /** After each change of the state: a game's controls do what was asked for in advance. */
  follow() {}

  /** The lines of the log that may be shown now. */
  told({ feed }) {
    return feed;
  }

  /** A key while something is on show; return whether the key is spent on it. */
  skipReveal() {
    this.hideReveal();
    return false;
  }

  hideReveal() {
    this.store.change((state) => ({ ...state, reveal: null }));
  }

  get isOpen() {
    return this.store.state.link === "open";
  }

  /** Write in the box for lines; a question about the old text goes. */
  writeLine(line) {
    this.setUi({ line, held: null });
  }

  /** Take the line in the box: it stays there while it is asked about, and while there is no connection. */
  say(text) {
    if (!text.trim()) return undefined;
    if (!this.isOpen) return this.toast("No connection: your line is not sent. It stays in the box.");
    const command = commandIn(text);
    if (command) return this.command(command);
    const meant = commandMeant(text, this.commands);
    return meant ? this.setUi({ held: { text, command: meant, isTalk: true } }) : this.talk(text);
  }

  talk(text) {
    if (!this.isOpen) return this.say(text);
    const room = this.view.you.seat === null ? "spectators" : "table";
    this.taken();
    this.sendFrame({ type: "say", room, text: text.trim() });
    return this.openTab("chat");
  }

  /** A line is on its way: the next one that was refused comes into the box. */
  taken() {
    const [line = "", ...unsent] = this.ui.unsent ?? [];
    this.setUi({ line, unsent, held: null });
  }

  /** A line was refused, or got lost: it comes back into the box, behind what is being typed there. */
  putBack({ type, text }) {
    if (!["say", "command"].includes(type)) return;
    const { line = "", unsent = [] } = this.ui;
    this.setUi(line.trim() ? { unsent: [...unsent, text] } : { line: text });
  }

  /** Say a quick phrase, whose text the site knows; whether it was sent. */
  phrase(id) {
    if (!this.isOpen) return false;
    this.sendFrame({ type: "phrase", room: "table", phrase: id });
    this.openTab("chat");
    return true;
  }

  /** Remove the chat of somebody who was muted; more does not come. */
  hush(name) {
    this.store.change((state) => ({ ...state, chat: state.chat.filter((said) => said.name !== name) }));
  }

  /** A typed command is for the phase in which it was typed. */
  command(text) {
    if (!this.isOpen) return this.say(text);
    this.taken();
    this.store.change((state) => withReply(state, "echo", text));
    this.openTab("log");
    return this.sendFrame({ type: "command", text, phase: this.view.phase });
  }

  openTab(tab) {
    this.store.change((state) => ({ ...state, unread: tab === "chat" ? 0 : state.unread, ui: { ...state.ui, tab } }));
  }

  /** Say a line to screen readers alone; each key once. */
  tell(key, text) {
    this.store.change((state) => withTold(state, key, text));
  }

  /** Answer a key: where the game stands and the time left, to screen readers alone. */
  speak(...parts) {
    const dueAt = this.view.game?.due_at;
    const left = dueAt ? `${spanWords(siteClock.left(dueAt, Date.now()))} left` : "no time limit";
    this.tell(`spoken/${(this.spoken += 1)}`, [...parts, left].filter(Boolean).join(". "));
  }

  toast(text, tone = "bad") {
    const key = `${Date.now()}${Math.random()}`;
    this.store.change((state) => ({ ...state, toasts: [...state.toasts, { key, text, tone }].slice(-3) }));
    setTimeout(() => this.dropToast(key), 6000);
  }

  dropToast(key) {
    this.store.change((state) => ({ ...state, toasts: state.toasts.filter((toast) => toast.key !== key) }));
  }
}
