// The common modules of all boards: sums, words and storage. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { ServerClock, spanText } = await import("rr/board/clock");
const { Connection } = await import("rr/board/connection");
const { BoardControls } = await import("rr/board/controls");
const { isAside, isTyping } = await import("rr/board/keys");
const { GIVE_UP_AFTER, Outbox, RESEND_AFTER } = await import("rr/board/outbox");
const { callName, nameOf } = await import("rr/board/seats");
const { missingPoints, offeredPurse } = await import("rr/board/purse");
const { Salts } = await import("rr/board/salts");
const { clamp } = await import("rr/board/slider");
const { isWaiting } = await import("rr/board/push-offer");
const { choose, setting } = await import("rr/settings");
const { Store, feedOf, following, fresh, withReply, withSaid, withView } = await import("rr/board/store");
const { refusal, signed } = await import("rr/board/wording");

/** A game that no page knows: its cards are turned over one after the other. */
const CARDS = { latest: (game) => game?.cards.at(-1) ?? null, ui: { picked: null } };

class Memory {
  #items = new Map();
  getItem(key) {
    return this.#items.get(key) ?? null;
  }
  setItem(key, value) {
    this.#items.set(key, value);
  }
}

function cardsView(game = {}) {
  return {
    match: { public_id: "m", title: "T", status: "running" },
    phase: 4,
    seats: ["bob", "tessio"].map((name, no) => ({ no, player: { name, bot: false }, ready: true, present: true })),
    you: { seat: 0, name: "bob", balance: 90, may: [] },
    log: [],
    game: { cards: [], you: { may: ["draw"] }, result: null, ...game },
  };
}

function controlled(view) {
  const sent = [];
  const store = new Store({ ...fresh(view, CARDS), link: "open" });
  return { sent, store, controls: new BoardControls(store, (frame) => sent.push(frame)) };
}

test("the clock trusts the quickest answer", () => {
  const clock = new ServerClock();
  const at = Date.parse("2026-11-21T12:00:00.000Z");
  clock.learn(new Date(at + 5000).toISOString(), at - 2000, at); // slow
  clock.learn(new Date(at + 1000).toISOString(), at - 20, at); // quick
  assert.equal(clock.offset, 1010);
  assert.equal(clock.left(new Date(at + 11_010).toISOString(), at), 10_000);
  assert.equal(clock.left(new Date(at - 1).toISOString(), at), 0);
});

test("a span is counted down in whole seconds, one until the end", () => {
  assert.deepEqual([1, 12_000, 61_000, 3_723_000].map(spanText), ["1", "12", "1:01", "1:02:03"]);
});

test("an unanswered frame goes out again with the same id, also after a reload", () => {
  const storage = new Memory();
  const outbox = new Outbox(storage, "k", 0);
  outbox.add({ id: "abcdefgh", type: "act", action: { kind: "lock" } }, 1000);
  assert.deepEqual(outbox.due(1000 + RESEND_AFTER - 1), []);
  assert.equal(outbox.due(1000 + RESEND_AFTER)[0].id, "abcdefgh");
  assert.equal(new Outbox(storage, "k", 5000).all(5000)[0].id, "abcdefgh");
  outbox.settle("abcdefgh");
  assert.equal(new Outbox(storage, "k", 5000).size, 0);
});

test("a frame for which the house was busy goes out again when the house has said", () => {
  const outbox = new Outbox(new Memory(), "k", 0);
  outbox.add({ id: "abcdefgh", type: "act", action: { kind: "lock" } }, 1000);
  assert.equal(outbox.postpone("abcdefgh", 1100, 700), true);
  assert.deepEqual(outbox.due(1799), []);
  assert.equal(outbox.due(1800)[0].id, "abcdefgh");
  assert.deepEqual(outbox.due(1800 + RESEND_AFTER - 1), [], "sent just now");
  assert.equal(outbox.postpone("abcdefgh", 1900, 4000), true);
  assert.deepEqual(outbox.due(1900 + RESEND_AFTER), [], "later than it would be by itself");
  assert.deepEqual([...outbox.kinds()], ["lock"], "its button stays pending");
  assert.equal(outbox.postpone("abcdefgh", 1000 + GIVE_UP_AFTER, 1), false, "too late: it is told");
  assert.equal(outbox.postpone("unknown1", 1100, 700), false);
  outbox.add({ id: "typed123", type: "command", text: "!call" }, 1000);
  assert.equal(outbox.postpone("typed123", 1100, 700), false);
});

test("log lines come once, in order, and replies keep their place", () => {
  const log = (...lines) => lines.map(([n, text]) => ({ n, text }));
  const view = { ...cardsView(), log: log([1, "a"]) };
  const replied = withReply(withReply(fresh(view), "reply", "r"), "reply", "r");
  const feed = feedOf({ ...view, log: log([1, "a"], [2, "b"]) }, replied.feed);
  assert.deepEqual(feed.map((entry) => entry.text), ["a", "r", "r", "b"]);
  assert.equal(new Set(feed.map((entry) => entry.key)).size, 4);
});

test("a start that is put off is told once in a row", () => {
  const line = (n, kind) => ({ n, kind, text: kind });
  const first = { ...cardsView(), log: [line(1, "sat"), line(2, "start_scheduled"), line(3, "start_scheduled")] };
  const told = feedOf(first, []);
  assert.deepEqual(told.map(({ n }) => n), [1, 2]);
  const later = { ...first, log: [...first.log, line(4, "start_scheduled"), line(5, "stood"), line(6, "start_scheduled"), line(7, "sat"), line(8, "sat")] };
  assert.deepEqual(feedOf(later, told).map(({ n }) => n), [1, 2, 5, 6, 7, 8]);
});

test("what was printed stays where it is at the next game", () => {
  const view = { ...cardsView(), match: { public_id: "one" }, log: [{ n: 1, text: "a" }] };
  const replied = withReply(fresh(view), "reply", "r");
  const next = following(replied, { ...view, match: { public_id: "two" }, log: [{ n: 1, text: "b" }] });
  assert.deepEqual(next.feed.map((entry) => entry.text), ["a", "r", "b"]);
  assert.equal(new Set(withReply(next, "reply", "r").feed.map((entry) => entry.key)).size, 4);
});

test("what belongs to a phase ends with it", () => {
  const game = { ...CARDS, ui: { parts: null, tabs: 0 }, passing: ["parts"] };
  const view = { ...cardsView(), phase: 3 };
  const state = { ...fresh(view, game), ui: { dialog: null, tab: "log", parts: ["rock"], tabs: 2 } };
  assert.deepEqual(withView(state, view, game).ui.parts, ["rock"]);
  const next = withView(state, { ...view, phase: 4 }, game).ui;
  assert.deepEqual([next.parts, next.tabs], [null, 2]);
});

test("the purse on offer is that of the rules, and never all one owns", () => {
  const limits = { least: 1, most: 100 };
  assert.deepEqual([100, 60, 12, 400, 5000, 0].map((owned) => offeredPurse(limits, owned)), [20, 20, 12, 80, 100, 1]);
  assert.equal(missingPoints({ least: 5 }, 3), 2);
  assert.deepEqual([clamp("x", 4, 10), clamp("12", 4, 10), clamp(7.9, 4, 10)], [4, 10, 7]);
});

test("what has had no answer for a while is known by its kind", () => {
  const outbox = new Outbox({ getItem: () => null, setItem: () => {} }, "k", 0);
  outbox.add({ id: "abcdefgh", type: "act", action: { kind: "lock" } }, 1000);
  assert.deepEqual([...outbox.kinds(1000)], []);
  assert.deepEqual([...outbox.kinds(1001)], ["lock"]);
});

test("what is turned over is shown once, and what lay there before a reload is not", () => {
  const state = fresh(cardsView({ cards: [{ number: 1 }] }), CARDS);
  assert.equal(withView(state, state.view, CARDS).reveal, null);
  const next = withView(state, cardsView({ cards: [{ number: 1 }, { number: 2 }] }), CARDS);
  assert.equal(next.reveal.number, 2);
  assert.equal(withView(next, next.view, CARDS).revealed, 2);
});

test("a line of chat heard twice is shown once", () => {
  const said = { room: "table", no: 3, name: "bob", text: "hi" };
  const once = withSaid(fresh(cardsView()), said, false);
  assert.equal(withSaid(once, { ...said }, false).chat.length, 1);
  assert.equal(once.unread, 1);
});

test("what starts with an exclamation mark is a command, else talk", () => {
  const { sent, controls } = controlled(cardsView());
  controls.say(" !status ");
  controls.say("hello");
  controls.say("  ");
  assert.deepEqual(sent, [{ type: "command", text: "!status" }, { type: "say", room: "table", text: "hello" }]);
});

test("only who was there when the game ended is shown the end", () => {
  const over = cardsView({ result: { winners: [0], reason: "empty" } });
  assert.equal(fresh(over).sawEnd, false);
  assert.equal(withView(fresh(over), over).sawEnd, false);
  const seen = withView(fresh(cardsView()), over);
  assert.equal(seen.sawEnd, true);
  assert.equal(withView(seen, over).sawEnd, true);
});

test("a game's own memory of the board lies beside the common one and is fresh at each match", () => {
  assert.deepEqual(fresh(cardsView(), CARDS).ui, { dialog: null, tab: "log", picked: null });
  assert.deepEqual(fresh(cardsView()).ui, { dialog: null, tab: "log" });
});

test("an action carries the phase of the view, and only what is allowed is tried", () => {
  const { sent, store, controls } = controlled(cardsView());
  controls.tryTo("draw");
  controls.tryTo("fold");
  assert.deepEqual(sent, [{ type: "act", phase: 4, action: { kind: "draw" } }]);
  store.change((state) => ({ ...state, link: "lost" }));
  controls.tryTo("draw");
  assert.equal(sent.length, 1);
});

test("keys of the browser, held keys and keys in a field mean nothing here", () => {
  assert.deepEqual([{ ctrlKey: true }, { metaKey: true }, { repeat: true }, {}].map(isAside), [true, true, true, false]);
  assert.equal(isTyping({ closest: (selector) => selector.startsWith("input:not") }), true);
  assert.equal(isTyping(null), false);
});

test("one is called You and the others by name, a free seat by its number", () => {
  const view = cardsView();
  view.seats.push({ no: 2, player: null });
  assert.deepEqual([0, 1, 2].map((no) => callName(view, no)), ["You", "tessio", "Seat 3"]);
  assert.equal(nameOf(view, 0), "bob");
});

test("gains have a sign, and refusals the page's own words where it has better ones", () => {
  assert.deepEqual([3, 0, -3].map(signed), ["+3", "0", "−3"]);
  assert.match(refusal({ code: "stale", message: "phase 3" }), /the table has moved on/);
  assert.equal(refusal({ code: "action/unknown", message: "No such card." }), "No such card.");
});

test("notifications are offered to who waits for hours, or alone at a table for two", () => {
  const now = Date.parse("2026-11-25T12:00:00Z");
  const at = (status, { seat = 0, players = 2, seats = 2, due = null } = {}) => ({
    match: { status }, due_at: due, you: { seat }, seats: [...Array(seats).keys()].map((no) => ({ no, player: no < players ? { name: "n" } : null })),
  });
  const tomorrow = "2026-11-26T12:00:00Z";
  assert.equal(isWaiting(at("running", { due: tomorrow }), now), true);
  assert.equal(isWaiting(at("running", { due: tomorrow, seat: null }), now), false);
  assert.equal(isWaiting(at("running", { due: "2026-11-25T12:01:00Z" }), now), false);
  assert.equal(isWaiting(at("running"), now), false);
  assert.equal(isWaiting(at("open", { players: 1 }), now), true);
  assert.equal(isWaiting(at("open"), now), false);
  assert.equal(isWaiting(at("open", { players: 1, seats: 4 }), now), false);
  assert.equal(isWaiting(at("over", { due: tomorrow }), now), false);
});

test("a guest's setting counts at once, with and without storage", async () => {
  assert.equal(await choose("volume", 30), false);
  assert.equal(setting("volume"), 30);
  globalThis.localStorage = new Memory();
  assert.equal(await choose("volume", 40), true);
  assert.deepEqual(JSON.parse(localStorage.getItem("rr.settings")), { volume: 40 });
  delete globalThis.localStorage;
});

const SALT_HASH = /^[0-9a-f]{64}$/;

test("readiness carries the hash of a new salt, and the board reveals it when asked", async () => {
  const storage = new Memory();
  const view = cardsView();
  view.match.options_revision = 3;
  view.match.status = "open";
  view.you.may = ["ready"];
  view.seats[0].ready = false;
  const { sent, store, controls } = controlled(view);
  controls.salts = new Salts(undefined, storage);
  await controls.salts.prepare();
  controls.keepSalts();
  assert.equal(sent.length, 0); // nobody has pressed Ready yet
  controls.act("ready", { configuration: 3 });
  const { salt_hash: hash } = sent[0].action;
  assert.match(hash, SALT_HASH);
  store.change((state) => ({ ...state, view: { ...view, you: { ...view.you, may: ["unready", "reveal"], salt_hash: hash } } }));
  controls.keepSalts();
  controls.keepSalts();
  assert.equal(sent.length, 2);
  const { kind, salt } = sent[1].action;
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`["rock-and-racket/salt","${salt}"]`));
  assert.equal(kind, "reveal");
  assert.equal(Buffer.from(digest).toString("hex"), hash);
  assert.equal(new Salts(undefined, storage).saltOf(hash), salt); // also after a reload
});

test("a salt that comes too late is no matter of its user's, a press of Ready is", () => {
  const { store, controls } = controlled(cardsView());
  const sent = (kind) => ({ action: { kind } });
  assert.equal(controls.isUnasked({ code: "stale" }, sent("ready")), true); // the game runs
  assert.equal(controls.isUnasked({ code: "stale" }, sent("draw")), false);
  assert.equal(controls.isUnasked({ code: "busy" }, sent("reveal")), true); // nobody can press it
  const view = cardsView();
  view.match.status = "open";
  store.change((state) => ({ ...state, view }));
  assert.equal(controls.isUnasked({ code: "stale" }, sent("ready")), true); // the site made the seat ready
  view.seats[0].ready = false;
  assert.equal(controls.isUnasked({ code: "stale" }, sent("ready")), false);
});

test("a ready seat whose salt was dropped gives a new hash", async () => {
  const view = cardsView();
  view.match.options_revision = 2;
  view.match.status = "open";
  view.you = { ...view.you, may: ["unready", "ready"], salt_hash: null };
  const { sent, controls } = controlled(view);
  controls.salts = new Salts(undefined, new Memory());
  await controls.salts.prepare();
  controls.keepSalts();
  controls.keepSalts();
  assert.deepEqual(sent.map(({ action }) => [action.kind, action.configuration]), [["ready", 2]]);
  assert.match(sent[0].action.salt_hash, SALT_HASH);
  assert.equal(controls.isUnasked({ code: "forbidden" }, sent[0]), true); // whatever refuses it
  assert.equal(controls.isUnasked({ code: "forbidden" }, { action: { ...sent[0].action } }), false);
});

/** The line's other end: the frames that a page has sent, and a way to answer. */
class Line extends EventTarget {
  static OPEN = 1;
  static all = [];
  readyState = 0;
  sent = [];

  constructor() {
    super();
    Line.all.push(this);
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  answer(frame) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  close() {}
}

test("what a page sends when its line opens goes out once, and a repeat's refusal is not told", async (t) => {
  Object.assign(globalThis, { WebSocket: Line, location: { protocol: "http:", host: "h" }, addEventListener() {}, removeEventListener() {} });
  const heard = [];
  let connection = null;
  const listener = {
    onFrame: (frame, settled) => heard.push([frame.code ?? frame.type, settled?.action.kind]),
    onLink: (link) => link === "open" && connection.send({ type: "act", phase: 0, action: { kind: "ready" } }),
    onPending() {},
    onLate() {},
  };
  connection = new Connection("/ws/m/", listener, new Memory());
  t.after(() => connection.close());
  while (!Line.all.length) await new Promise(setImmediate);
  const [line] = Line.all;
  line.open();
  const acts = line.sent.filter(({ type }) => type === "act");
  assert.equal(acts.length, 1);
  line.answer({ type: "error", id: acts[0].id, code: "stale" });
  line.answer({ type: "error", id: acts[0].id, code: "stale" });
  line.answer({ type: "error", code: "flood" });
  assert.deepEqual(heard, [["stale", "ready"], ["flood", undefined]]);
});
