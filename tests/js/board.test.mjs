// The common modules of all boards: sums, words and storage. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { ServerClock, spanText } = await import("rr/board/clock");
const { Connection } = await import("rr/board/connection");
const { BoardControls } = await import("rr/board/controls");
const { Typist, isAside, isTyping } = await import("rr/board/keys");
const { GIVE_UP_AFTER, Outbox, RESEND_AFTER } = await import("rr/board/outbox");
const { callName, nameOf } = await import("rr/board/seats");
const { changesIn } = await import("rr/board/options");
const { missingPoints, offeredPurse } = await import("rr/board/purse");
const { Salts, seenOf } = await import("rr/board/salts");
const { compared } = await import("rr/proofs/verify");
const { amountOf, clamp, textOf } = await import("rr/board/number-field");
const { isWaiting } = await import("rr/notices/push-offer");
const { choose, setting } = await import("rr/settings");
const { Store, feedOf, following, fresh, merged, momentOf, withReply, withSaid, withView } = await import("rr/board/store");
const { commandIn, commandMeant } = await import("rr/board/typed-line");
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

test("each line of a game and of its chat is told once, what was there before is not", () => {
  const line = (n) => ({ n, kind: "x", text: `line ${n}` });
  const state = fresh({ ...cardsView(), log: [line(0)] }, CARDS);
  assert.deepEqual(state.told, []);
  const view = { ...cardsView(), log: [line(0), line(1), line(2)] };
  const later = withView(withView(state, view, CARDS), view, CARDS);
  assert.deepEqual(later.told.map(({ text }) => text), ["line 1", "line 2"]);
  const said = { room: "table", no: 1, name: "bob", text: "hello" };
  const heard = withReply(withSaid(withSaid(later, said, true), said, true), "reply", "You have 9.");
  assert.deepEqual(heard.told.slice(2).map(({ text }) => text), ["bob says: hello", "You have 9."]);
  assert.equal(withReply(heard, "echo", "!stock").told, heard.told);
  const many = withView(heard, { ...view, log: Array.from({ length: 20 }, (_, n) => line(n)) }, CARDS);
  assert.equal(many.told.length, 6);
  assert.equal(many.told.at(-1).text, "line 19");
});

test("signs are no keys while they are switched off; named keys are", async () => {
  const key = (name) => isAside({ key: name });
  assert.deepEqual([key("r"), key("?"), key("1"), key("Enter")], [false, false, false, false]);
  await choose("has_letter_keys", false);
  assert.deepEqual([key("r"), key("?"), key("1"), key("Enter"), key("Escape")], [true, true, true, false, false]);
  await choose("has_letter_keys", true);
  assert.equal(key("r"), false);
});

test("the clock trusts the quickest answer", () => {
  const clock = new ServerClock();
  const at = Date.parse("2026-11-21T12:00:00.000Z");
  clock.learn(new Date(at + 5000).toISOString(), at - 2000, at); // slow
  clock.learn(new Date(at + 1000).toISOString(), at - 20, at); // quick
  assert.equal(clock.offset, 1010);
  assert.equal(clock.left(new Date(at + 11_010).toISOString(), at), 10_000);
  assert.equal(clock.left(new Date(at - 1).toISOString(), at), 0);
});

test("a computer's clock that is set counts from the next answer on", () => {
  for (const jump of [3 * 3_600_000, -3 * 3_600_000, 200_000, -40_000]) {
    const clock = new ServerClock();
    const at = Date.parse("2026-11-21T12:00:00.000Z");
    const now = (ms) => new Date(at + ms).toISOString();
    for (let beat = 0; beat < 8; beat += 1) clock.learn(now(beat * 15_000), at + beat * 15_000 - 20, at + beat * 15_000);
    const later = at + 120_000 + jump;
    clock.learn(now(120_000), later - 60, later); // slower than all before it
    assert.ok(Math.abs(clock.left(now(130_000), later) - 10_000) < 100, `after a jump of ${jump}`);
  }
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
  assert.equal(new Outbox(storage, "k", 5000).resume(5000, "now").again[0].id, "abcdefgh");
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

test("what was made for a moment that is over is dropped and told, not sent", () => {
  const storage = new Memory();
  const outbox = new Outbox(storage, "k", 0);
  const add = (id, type, at, moment) => outbox.add({ id, type }, at, moment);
  add("thrown-1", "act", 1000, "throw 1");
  add("typed--1", "command", 1000, "throw 1");
  add("said---1", "say", 1000, "throw 1");
  add("thrown-2", "act", 2000, "throw 2");
  add("said---2", "say", 70_000, "throw 2");
  const ids = (frames) => frames.map(({ id }) => id);
  const { again, over } = outbox.resume(80_000, "throw 2");
  assert.deepEqual(ids(over), ["thrown-1", "typed--1", "said---1"]);
  assert.deepEqual(ids(again), ["thrown-2", "said---2"], "a move waits as long as its moment");
  assert.deepEqual(ids(outbox.resume(140_000, "throw 2").over), ["said---2"], "talk does not");
  assert.deepEqual(ids(new Outbox(storage, "k", 3000).resume(3000, "throw 3").over), ["thrown-2"], "also after a reload");
  assert.equal(refusal({ code: "over" }).endsWith("it is not sent again."), true);
});

test("a moment is a phase of a match, before the start also its company and its options", () => {
  const view = cardsView();
  const open = { ...view, match: { ...view.match, status: "open", options_revision: 1 } };
  const empty = { no: 2, player: null };
  assert.equal(momentOf(view), momentOf({ ...view, seats: [...view.seats, empty] }));
  assert.notEqual(momentOf(view), momentOf({ ...view, phase: 5 }));
  assert.notEqual(momentOf(view), momentOf({ ...view, match: { ...view.match, public_id: "n" } }));
  assert.notEqual(momentOf(open), momentOf({ ...open, seats: [view.seats[0], { no: 1, player: { name: "sonny" } }] }));
  assert.notEqual(momentOf(open), momentOf({ ...open, match: { ...open.match, options_revision: 2 } }));
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
  replied.ui = { ...replied.ui, tab: "chat", line: "well pl" };
  const next = following(replied, { ...view, match: { public_id: "two" }, log: [{ n: 1, text: "b" }] });
  assert.deepEqual(next.feed.map((entry) => entry.text), ["a", "r", "b"]);
  assert.deepEqual(next.ui, { dialog: null, tab: "log", line: "well pl" }, "what is being typed stays too");
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

test("a typed number stays as it is typed, whatever is drawn meanwhile, and is clamped on leaving", () => {
  // Select all, type 4, somebody sits down, type 7: 47, not 1007 and not the whole purse.
  let value = 100;
  let typed = null;
  const write = (text) => {
    const amount = amountOf(text, 1, 100);
    typed = { text, amount: amount ?? value };
    value = amount ?? value;
    return textOf(typed, value, 1, 100);
  };
  assert.equal(write("4"), "4");
  assert.equal(textOf(typed, value, 1, 100), "4", "drawn again");
  assert.deepEqual([write("47"), value], ["47", 47]);
  assert.deepEqual([write("1007"), value], ["1007", 100], "the button has the number that counts");
  assert.equal(textOf(null, value, 1, 100), "100", "left");
  assert.deepEqual([write(""), value], ["", 100], "an emptied field changes nothing");
  assert.deepEqual([write("1"), textOf(typed, 20, 20, 100)], ["1", "1"], "also under new limits");
  assert.equal(textOf(typed, 60, 1, 100), "60", "a preset or the slider has changed it");
});

test("a draft of options keeps what is being chosen when others change theirs", () => {
  assert.deepEqual(changesIn({ ante: 7, seats: 3 }, { ante: 5, seats: 3 }), { ante: 7 });
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

const COUNTS = { rock: 1, call: 0, combine: 2, r: 0 };

test("what starts with an exclamation mark is a command of its phase, else talk", () => {
  const { sent, controls } = controlled(cardsView());
  controls.say(" !status ");
  controls.say("hello");
  controls.say("  ");
  for (const unseen of ["\u200b", "\u3164", "\u2800 ", "\ufe0f\u0301", "\ufeff"]) {
    controls.say(`${unseen}!status`);
    assert.deepEqual(sent.pop().text, "!status", "behind signs that nobody sees");
  }
  controls.say("\u200b!status");
  const status = { type: "command", text: "!status", phase: 4 };
  assert.deepEqual(sent, [status, { type: "say", room: "table", text: "hello" }, status]);
});

test("a line that would be a command with its mark is held and asked about", () => {
  const meant = (line) => commandMeant(line, COUNTS);
  for (const line of ["rock Ann", "Rock  Ann", "\uff01rock Ann", "\ufe57rock Ann", "\uff0frock Ann", "\u00a1rock Ann", "❗ rock Ann", ".rock Ann", "rock: Ann"]) {
    assert.match(meant(line) ?? "", /^!rock Ann$/i, line);
  }
  assert.equal(meant("\uff01help me please"), "!help me please", "with a mark whatever it says");
  assert.deepEqual(["call", "R", "combine r p"].map(meant), ["!call", "!R", "!combine r p"]);
  for (const line of ["call me later", "rock beats scissors", "hello", "constructor", "👏", "…", "well, rock Ann"]) assert.equal(meant(line), null, line);
  const { sent, controls } = controlled(cardsView());
  controls.commands = COUNTS;
  controls.writeLine("rock Ann");
  controls.say("rock Ann");
  controls.say("rock Ann");
  assert.deepEqual([sent, controls.ui.line], [[], "rock Ann"]);
  assert.deepEqual(controls.ui.held, { text: "rock Ann", command: "!rock Ann", isTalk: true });
  controls.command(controls.ui.held.command);
  assert.deepEqual([sent[0].text, controls.ui.line, controls.ui.held], ["!rock Ann", "", null]);
  controls.say("rock Ann");
  controls.talk(controls.ui.held.text);
  assert.deepEqual(sent[1], { type: "say", room: "table", text: "rock Ann" });
  controls.say("rock Ann");
  controls.writeLine("rock Ann?");
  assert.equal(controls.ui.held, null, "what is written anew is asked about anew");
});

test("a line that was refused comes back into the box, behind what is typed there", () => {
  const { sent, controls } = controlled(cardsView());
  controls.writeLine("six");
  controls.say("six");
  assert.equal(controls.ui.line, "");
  controls.putBack(sent[0]);
  assert.equal(controls.ui.line, "six");
  controls.putBack({ type: "command", text: "!seven" });
  assert.deepEqual([controls.ui.line, controls.ui.unsent], ["six", ["!seven"]]);
  controls.putBack({ type: "act", action: {} });
  controls.say("six");
  assert.deepEqual([controls.ui.line, controls.ui.unsent], ["!seven", []]);
});

test("without a connection a line stays in the box and nothing is kept for later", () => {
  const { sent, store, controls } = controlled(cardsView());
  controls.writeLine("!rock");
  store.change((state) => ({ ...state, link: "lost" }));
  for (const line of ["!rock", "hello"]) controls.say(line);
  controls.phrase("gg");
  assert.deepEqual([sent, controls.ui.line, store.state.toasts.length], [[], "!rock", 2]);
});

test("letters for a field that has gone while somebody typed are no keys", () => {
  const field = { isConnected: true, closest: (selector) => selector.startsWith("input:not") };
  const page = { closest: () => null };
  const typist = new Typist();
  const at = (target, timeStamp) => typist.loses({ target, timeStamp });
  assert.deepEqual([at(page, 0), at(field, 100), at(page, 200)], [false, false, false], "left, and still there");
  at(field, 300);
  field.isConnected = false;
  assert.deepEqual([at(page, 500), at(page, 1900), at(page, 3500), at(page, 3600)], [true, true, false, false]);
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

test("notifications are offered after a game, and to who waits for hours", () => {
  const now = Date.parse("2026-11-25T12:00:00Z");
  const at = (status, { seat = 0, players = 2, seats = 2, due = null } = {}) => ({
    match: { status }, due_at: due, you: { seat }, seats: [...Array(seats).keys()].map((no) => ({ no, player: no < players ? { name: "n" } : null })),
  });
  const tomorrow = "2026-11-26T12:00:00Z";
  assert.equal(isWaiting(at("running", { due: tomorrow }), now), true);
  assert.equal(isWaiting(at("running", { due: tomorrow, seat: null }), now), false);
  assert.equal(isWaiting(at("running", { due: "2026-11-25T12:01:00Z" }), now), false);
  assert.equal(isWaiting(at("running"), now), false);
  assert.equal(isWaiting(at("open", { players: 1 }), now), false);
  assert.equal(isWaiting(at("over", { due: tomorrow }), now), false);
  assert.equal(isWaiting({ ...at("finished"), game: { result: {} } }, now), true);
  assert.equal(isWaiting({ ...at("finished", { seat: null }), game: { result: {} } }, now), false);
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

test("the browser keeps what it saw of a game with the salt, and the proof is compared with that", async () => {
  const storage = new Memory();
  const view = cardsView();
  Object.assign(view.match, { public_id: "first", commitment: "c1", status: "open", options_revision: 1 });
  const { sent, store, controls } = controlled(view);
  controls.salts = new Salts(undefined, storage);
  await controls.salts.prepare();
  controls.act("ready", { configuration: 1 });
  const [{ salt, commitment }] = seenOf("first", storage);
  assert.equal(commitment, "c1");
  // A rematch's game is known once the board is there; what was seen first stays.
  await controls.salts.prepare();
  controls.act("rematch");
  const { salt_hash: hash } = sent[1].action;
  for (const told of ["c2", "c3"]) {
    const match = { ...view.match, public_id: "second", commitment: told };
    store.change((state) => ({ ...state, view: { ...view, match, you: { ...view.you, salt_hash: hash } } }));
    controls.notedHash = null; // as after a reload
    controls.keepSalts();
  }
  assert.deepEqual(seenOf("second", storage), [{ salt: controls.salts.saltOf(hash), commitment: "c2" }]);
  const entries = [{ no: 1, facts: [[{ kind: "game_started" }, null]] }];
  const tones = (proof, id = "first") => compared({ entries, salts: [[0, salt]], ...proof }, seenOf(id, storage)).map(([, tone]) => tone);
  assert.deepEqual(tones({ commitment: "c1" }), ["good", "good"]);
  assert.deepEqual(tones({ commitment: "c2" }), ["bad", "good"]);
  assert.deepEqual(tones({ commitment: "c1", salts: [] }), ["good", "plain"]);
  assert.deepEqual(tones({ commitment: "c1", salts: [], entries: [] }), ["good"]);
  assert.deepEqual(tones({ commitment: "c1" }, "another"), []);
  for (let number = 0; number < 300; number += 1) {
    await controls.salts.prepare();
    controls.salts.field(null);
  }
  assert.equal(JSON.parse(storage.getItem("rr.salts")).length, 200);
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
  const deaf = { addEventListener() {}, removeEventListener() {} };
  Object.assign(globalThis, { WebSocket: Line, location: { protocol: "http:", host: "h" }, ...deaf, document: { ...globalThis.document, ...deaf } });
  const heard = [];
  let connection = null;
  const listener = {
    momentOf: () => "0",
    onFrame: (frame, settled) => heard.push([frame.code ?? frame.type, settled?.action.kind]),
    onLink: (link) => link === "open" && connection.send({ type: "act", phase: 0, action: { kind: "ready" } }),
    onPending() {},
    onLate() {},
  };
  connection = new Connection("/ws/m/", listener, new Memory());
  t.after(() => connection.close());
  while (!Line.all.length) await new Promise(setImmediate);
  const [line] = Line.all;
  let now = Date.now();
  t.mock.method(Date, "now", () => (now += 1)); // each look at the clock is a millisecond later
  line.open();
  line.answer({ type: "view", revision: 1, now: "2026-11-26T12:00:00Z" });
  const acts = line.sent.filter(({ type }) => type === "act");
  assert.equal(acts.length, 1);
  line.answer({ type: "error", id: acts[0].id, code: "stale" });
  line.answer({ type: "error", id: acts[0].id, code: "stale" });
  line.answer({ type: "error", code: "flood" });
  assert.deepEqual(heard, [["view", undefined], ["stale", "ready"], ["flood", undefined]]);
});

test("a guest's press for a seat counts once, at that table, and not the next day", async () => {
  const { takeWish } = await import("rr/seat-wish");
  const wish = (at) => ({ kept: JSON.stringify({ seat: "m", at }), getItem() { return this.kept; }, removeItem() { this.kept = null; } });
  const storage = wish(1_000);
  assert.equal(takeWish("other", storage, 2_000), false);
  assert.equal(takeWish("m", storage, 2_000), true);
  assert.equal(takeWish("m", storage, 2_000), false);
  assert.equal(takeWish("m", wish(1_000), 86_400_000), false);
});

test("equal lines of one person in a row are one, with their number", () => {
  const said = (no, name, text) => ({ no, name, text, room: "table" });
  const chat = [said(1, "bob", "Oops"), said(2, "bob", "Oops"), said(3, "tom", "Oops"), said(4, "bob", "Oops"), said(5, "bob", "Thanks")];
  assert.deepEqual(merged(chat).map(([{ no }, times]) => [no, times]), [[1, 2], [3, 1], [4, 1], [5, 1]]);
  assert.deepEqual(merged([]), []);
});

test("a bot has the face of its place in the list, and always the same one", async () => {
  const { faceOf } = await import("rr/board/bot-face");
  const bots = [["A", "calm", "easy"], ["B", "loud", "easy"], ["C", "loud", "hard"]];
  assert.deepEqual(bots.map(([name]) => faceOf(name, bots)), [{ manner: 0, strength: 0 }, { manner: 1, strength: 0 }, { manner: 1, strength: 1 }]);
  assert.deepEqual(faceOf("D", bots), faceOf("D"));
});

test("clocks against bots alone are said to be longer", async () => {
  const { clockRow } = await import("rr/board/options");
  const seats = (...bots) => bots.map((bot) => ({ player: bot === null ? null : { bot } }));
  const match = { options: { clock_times: 3 } };
  assert.deepEqual(clockRow({ match, seats: seats(false, true) }), [["Against bots", "clocks 3 times as long"]]);
  for (const others of [seats(false, null), seats(false, false, true), seats(true, true)]) assert.deepEqual(clockRow({ match, seats: others }), []);
  assert.deepEqual(clockRow({ match: { options: {} }, seats: seats(false, true) }), []);
});
