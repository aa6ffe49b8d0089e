// The duel's words, keys and controls. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { lengthWords, spanWords } = await import("rr/board/wording");
const { askers, cameTo, isAsked, isMyMove, isOnCall, latest, moneyOf, sidesOf } = await import("rr/duel/game");
const { battleLine, beforeLine, endingOf, finalScore, optionRows, scoreOf, statusOf, titleOf, verdict, waitingLine } = await import("rr/duel/words");
const { wishOf } = await import("rr/duel/keys");
const { DuelControls } = await import("rr/duel/controls");
const { changesOf } = await import("rr/duel/options");
const { FILTERS, invitationTo, playersLine, stateLine } = await import("rr/duel/list");
const { opponentOf } = await import("rr/duel/dossier");
const { sumWords } = await import("rr/duel/new");
const { callText, pretty, publicIdIn } = await import("rr/console");
const { maySit } = await import("rr/duel/before");
const { Store, fresh, withView } = await import("rr/board/store");

const GAME = { latest, ui: {} };
const OPTIONS = { best_of: 5, no_ties: true, clock_seconds: 30, stake: 20, tax_bp: 500, rated: false, listed: true, spectators: true };

function duelView(game = {}, seat = 0) {
  return {
    match: { public_id: "m", title: "The Alley No. 4", status: "running", options: OPTIONS, options_revision: 3, rated: false, challenge: null },
    phase: 7,
    seats: ["ann", "bob"].map((name, no) => ({ no, player: { name, bot: false, rating: 1500 }, ready: true, present: true })),
    you: { seat, name: seat === null ? null : ["ann", "bob"][seat], balance: 80, may: [] },
    log: [],
    game: {
      stage: "throwing",
      throw: 3,
      wins_needed: 3,
      stake: 20,
      seats: [{ no: 0, wins: 1, hand_in: false, asks_suspension: false, is_back: false }, { no: 1, wins: 2, hand_in: true, asks_suspension: false, is_back: false }],
      you: seat === null ? null : { hand: null, legal: ["throw", "resign", "suspend"] },
      throws: [{ throw: 1, hands: ["rock", "paper"], winners: [1], counted: true }, { throw: 2, hands: ["paper", "paper"], winners: [], counted: false }],
      result: null,
      ...game,
    },
  };
}

function controlled(view) {
  const sent = [];
  const store = new Store({ ...fresh(view, GAME), link: "open" });
  return { sent, store, controls: new DuelControls(store, (frame) => sent.push(frame)) };
}

test("one's own seat stands on the left, the first one for spectators", () => {
  assert.deepEqual(sidesOf(duelView({}, 1)), [1, 0]);
  assert.deepEqual(sidesOf(duelView({}, null)), [0, 1]);
  assert.equal(scoreOf(duelView({}, 1)), "2 : 1");
  assert.equal(titleOf(duelView({}, 1)), "bob vs ann");
});

test("a duel with a free seat is called by its table", () => {
  const view = duelView();
  view.seats[1].player = null;
  assert.equal(titleOf(view), "The Alley No. 4");
  assert.equal(beforeLine({ ...view, match: { ...view.match, status: "open" } }), "Best of 5 · ties are thrown again");
});

test("a throw is told as a battle, whoever is called You", () => {
  const [first, second] = duelView().game.throws;
  assert.equal(battleLine(first), "Paper covers Rock");
  assert.equal(verdict(duelView(), first), "bob wins the throw");
  assert.equal(verdict(duelView({}, 1), first), "You win the throw");
  assert.equal(battleLine(second), "Paper meets Paper");
  assert.equal(verdict(duelView(), second), "Tie. Throw again.");
});

test("a matched throw may count for both, a missing hand loses, none is void", () => {
  const view = duelView();
  assert.equal(verdict(view, { hands: ["rock", "rock"], winners: [0, 1], counted: true }), "A win for both");
  assert.equal(battleLine({ hands: ["rock", null], winners: [0], counted: true }), "Rock against bare hands");
  assert.equal(battleLine({ hands: [null, null], winners: [], counted: false }), "Nobody threw");
});

test("it is my move while my hand may be thrown, and never an spectator's", () => {
  assert.equal(isMyMove(duelView()), true);
  assert.equal(isMyMove(duelView({ you: { hand: "rock", legal: ["resign"] } })), false);
  assert.equal(isMyMove(duelView({}, null)), false);
});

test("who has yet to choose is named, and what a seat does", () => {
  assert.equal(waitingLine(duelView()), "ann is choosing");
  assert.equal(statusOf(duelView(), 0), "Choosing…");
  assert.equal(statusOf(duelView(), 1), "Hand is in");
  assert.equal(statusOf(duelView({ stage: "suspended" }), 0), "Away");
});

test("whoever asks to suspend is found", () => {
  const view = duelView();
  assert.deepEqual(askers(view), []);
  view.game.seats[1].asks_suspension = true;
  assert.deepEqual(askers(view), [1]);
});

test("the winner gets both stakes less the tax, rounded down", () => {
  assert.deepEqual(moneyOf({ stake: 15, tax_bp: 500 }), { stake: 15, pot: 30, tax: 1, prize: 29 });
  assert.deepEqual(moneyOf({ stake: 0, tax_bp: 500 }), { stake: 0, pot: 0, tax: 0, prize: 0 });
});

test("an ending says who and why", () => {
  const ended = (result) => endingOf(duelView({ stage: "over", result }));
  assert.equal(ended({ winners: [0], reason: "wins" }).headline, "You win");
  assert.deepEqual(ended({ winners: [1], reason: "resigned" }), { headline: "bob wins", reason: "You resigned." });
  assert.equal(ended({ winners: [0], reason: "resigned" }).reason, "bob resigned.");
  assert.equal(ended({ winners: [], reason: "draw" }).headline, "A draw");
  assert.equal(ended({ winners: [], reason: "abandoned" }).headline, "Nobody wins");
  assert.equal(ended({ winners: [], reason: "missed" }).headline, "Nobody wins");
});

test("a headline tells the score where it decided, the winner's wins first", () => {
  const told = (result) => finalScore(duelView({ stage: "over", result }));
  assert.equal(told({ winners: [1], reason: "wins" }), "2 : 1");
  assert.equal(told({ winners: [0], reason: "resigned" }), "");
  assert.equal(verdict(duelView({ stage: "over", result: { winners: [0], reason: "resigned" } }), duelView().game.throws[1]), "Tie");
});

test("clocks and spans are said as people say them", () => {
  assert.deepEqual([30, 90, 300, 3600, 86_400].map(lengthWords), ["30 seconds", "90 seconds", "5 minutes", "1 hour", "1 day"]);
  assert.equal(spanWords(6.5 * 86_400_000), "6 days 12 h");
  assert.equal(spanWords(7 * 86_400_000), "7 days");
  assert.equal(spanWords(3_600_000 * 3 + 60_000), "3 h 1 min");
});

test("keys throw, but not while somebody types", () => {
  const key = (name, target) => wishOf({ key: name, target });
  assert.deepEqual(key("R"), { name: "throw", hand: "rock" });
  assert.deepEqual(key("s"), { name: "throw", hand: "scissors" });
  assert.deepEqual(key("?"), { name: "help" });
  assert.equal(key("r", { closest: (query) => query.includes("input") }), null);
  assert.equal(wishOf({ key: "r", ctrlKey: true }), null);
  assert.equal(wishOf({ key: "p", repeat: true }), null);
});

test("a throw is sent once, for the phase that was seen, and clears the table", () => {
  const { sent, store, controls } = controlled(duelView());
  store.change((state) => ({ ...state, reveal: { number: 2 } }));
  controls.obey({ name: "throw", hand: "paper" });
  assert.deepEqual(sent, [{ type: "act", phase: 7, action: { kind: "throw", hand: "paper" } }]);
  assert.equal(store.state.reveal, null);
});

test("nothing is thrown when it is not the time, or without a line", () => {
  const late = controlled(duelView({ you: { hand: "rock", legal: ["resign"] } }));
  late.controls.throwHand("paper");
  assert.deepEqual(late.sent, []);
  const cut = controlled(duelView());
  cut.store.change((state) => ({ ...state, link: "lost" }));
  cut.controls.throwHand("paper");
  assert.deepEqual(cut.sent, []);
});

test("to accept is to sit on the free seat and to agree to what was shown", () => {
  const view = duelView();
  view.seats[1].player = null;
  const { sent, controls } = controlled(view);
  controls.accept();
  assert.deepEqual(sent.map((frame) => frame.action), [{ kind: "sit" }, { kind: "ready", configuration: 3 }]);
});

test("each new throw is turned over once, and none that lay there before", () => {
  const state = fresh(duelView(), GAME);
  assert.equal(state.revealed, 2);
  assert.equal(withView(state, duelView(), GAME).reveal, null);
  const third = { throw: 3, hands: ["rock", "scissors"], winners: [0], counted: true };
  const next = withView(state, duelView({ throws: [...duelView().game.throws, third] }), GAME);
  assert.equal(next.reveal.number, 3);
  assert.equal(latest({ throws: [] }), null);
});

test("the seat of a challenge is for the one who was asked", () => {
  const offered = (name, challenge) => maySit({ match: { challenge }, you: { name, may: ["sit"] } });
  assert.equal(offered("cyd", null), true);
  assert.equal(offered("cyd", { from: "ann", to: "bob" }), false);
  assert.equal(offered("bob", { from: "ann", to: "bob" }), true);
  assert.equal(offered(null, null), false);
});

test("a draft of options sends only what differs", () => {
  assert.deepEqual(changesOf({ best_of: 7, stake: 20 }, OPTIONS), { best_of: 7 });
  assert.deepEqual(changesOf({ stake: 5 }, { ...OPTIONS, stake: 0, rated: true }), { rated: false, stake: 5 });
  assert.equal(optionRows(duelView().match)[3][1], "20 each");
});

test("a quick duel calls the waiting player, and asks a player who is not ready any more", () => {
  const seen = (seat, ready, name, quick = true) => ({
    match: { status: "open", options: { quick } },
    you: { seat },
    seats: [{ no: 0, ready, player: { name: "ann" } }, { no: 1, ready: true, player: name && { name } }],
  });
  const told = (view) => [isOnCall(view), cameTo(view), isAsked(view)];
  assert.deepEqual(told(seen(0, true, null)), [true, null, false]);
  assert.deepEqual(told(seen(0, true, "bob")), [true, "bob", false]);
  assert.deepEqual(told(seen(0, false, null)), [true, null, true]);
  assert.deepEqual(told(seen(0, false, "bob")), [true, "bob", true]);
  assert.deepEqual(told(seen(0, false, "bob", false)), [false, null, false]);
  assert.deepEqual(told(seen(null, true, "bob")), [false, null, false]);
});

test("the list invites to free seats and tells the score of the others", () => {
  const open = { status: "open", players: [{ name: "ann", bot: false }], no_ties: true, clock_seconds: 30, stake: 0, title: "T", spectators: true };
  const running = { ...open, status: "running", players: [{ name: "ann", bot: false }, { name: "Vito", bot: true }], throw: 4, wins: [2, 1], suspended: false, stake: 5 };
  assert.deepEqual(invitationTo(open), { word: "Play", brass: true });
  assert.deepEqual(invitationTo(open, "ann"), { word: "Continue", brass: false });
  assert.deepEqual(invitationTo(running), { word: "Watch", brass: false });
  assert.equal(playersLine(open), "ann waits for an opponent");
  assert.equal(playersLine(running), "ann vs Vito (bot)");
  assert.equal(stateLine(running), "throw 4 · 2 : 1 · 30 seconds per throw");
  assert.equal(FILTERS.staked(running) && FILTERS.free(open) && FILTERS.seat(open), true);
});

test("the form's sum says what the numbers mean", () => {
  assert.equal(sumWords({ bestOf: 5, clock: 30, stake: 0, taxBp: 500 }), "3 wins decide; 30 seconds for each throw.");
  assert.equal(sumWords({ bestOf: 1, clock: 60, stake: 20, taxBp: 500 }), "1 win decides; 1 minute for each throw. The winner gets 38; 2 go to the house.");
});

test("the console finds the match in an address and refuses what is no JSON", () => {
  assert.equal(publicIdIn("https://play.example/duels/abc_D-1/"), "abc_D-1");
  assert.equal(publicIdIn(" abc "), "abc");
  assert.equal(callText(1, "sit", ""), '{"jsonrpc":"2.0","id":1,"method":"sit"}');
  assert.equal(callText(2, "best_of", "[5]"), '{"jsonrpc":"2.0","id":2,"method":"best_of","params":[5]}');
  assert.throws(() => callText(3, "best_of", "[5"), SyntaxError);
  assert.equal(pretty("no json"), "no json");
});

test("the log tells a throw once its cards lie open", () => {
  const { store, controls } = controlled(duelView());
  const feed = [{ type: "log", kind: "hand_in" }, { type: "log", kind: "hand_chosen" }, { type: "log", kind: "hands_revealed" }, { type: "reply" }, { type: "log", kind: "game_ended" }];
  store.change((state) => ({ ...state, feed, reveal: { throw: 2, number: 2 } }));
  assert.deepEqual(controls.told(store.state), [feed[0], feed[3]]);
  controls.turned();
  assert.deepEqual(controls.told(store.state), feed);
  controls.hideReveal();
  controls.turned(); // its timer came after Escape
  assert.equal(store.state.reveal, null);
});

test("a key tells score and time, as often as it is asked", () => {
  const due = new Date(Date.now() + 7_500).toISOString();
  const { store, controls } = controlled(duelView({ due_at: due }, 1));
  assert.deepEqual(wishOf({ key: "t" }), { name: "speak" });
  controls.obey({ name: "speak" });
  controls.obey({ name: "speak" });
  const told = store.state.told.map(({ text }) => text);
  assert.equal(told.length, 2);
  assert.match(told[0], /^Score 2 : 1\. [78] s left$/);
});

test("habits are those of the person against whom one plays", () => {
  const config = { name: "ann" };
  assert.equal(opponentOf(duelView(), config), "bob");
  assert.equal(opponentOf(duelView({}, 1), { name: "bob" }), "ann");
  for (const other of [{}, { ...config, replay: {} }, { ...config, practice: true }]) assert.equal(opponentOf(duelView(), other), null);
  assert.equal(opponentOf(duelView({}, null), config), null);
  const bot = duelView();
  bot.seats[1].player.bot = true;
  assert.equal(opponentOf(bot, config), null);
  bot.seats[1].player = null;
  assert.equal(opponentOf(bot, config), null);
});
