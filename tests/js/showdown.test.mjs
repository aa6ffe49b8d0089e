// Showdown's sums, words, keys and controls. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { Store, fresh, withView } = await import("rr/board/store");
const { betWords, plansAt, pointsInPlay, presets, priceAhead, purseAfter, shownPurse } = await import("rr/showdown/betting");
const { CHOOSING, Controls, canThrow, targetOf } = await import("rr/showdown/controls");
const { choose } = await import("rr/settings");
const { betsBetween } = await import("rr/board/flights");
const { wishOf } = await import("rr/showdown/keys");
const { countedSeats, knownWords } = await import("rr/showdown/known");
const { FILTERS, invitation } = await import("rr/showdown/list");
const { LESSON } = await import("rr/showdown/lesson");
const { ALL, beatenBy, combination, hasParts, recipe, why } = await import("rr/showdown/lore");
const { changesOf } = await import("rr/showdown/options");
const { isScored, latest, toldBy } = await import("rr/showdown/reveal");
const { isActing, placeOf, statusLine } = await import("rr/showdown/seats");
const { battleLine, battleLook, doneLine, endingLine, headline, ownFirst, ratingLine, scoreLine } = await import("rr/showdown/wording");

const GAME = { latest, ui: CHOOSING };

function gameView(game = {}) {
  const names = ["bob", "tessio", "clemenza"];
  return {
    match: { public_id: "m", title: "T", status: "running" },
    phase: 4,
    seats: names.map((name, no) => ({ no, player: { name, bot: false }, purse: 10, ready: true, present: true })),
    you: { seat: 0, name: "bob", balance: 90, stock: {}, may: [] },
    log: [],
    game: {
      stage: "round",
      round: 2,
      turn: null,
      seats: names.map((_, no) => ({ no, status: "in", points: 0, purse: 30, locked: no === 1 })),
      you: { seat: 0, stock: { rock: 2, paper: 1, scissors: 0, sling: 0 }, attacks: {}, mines: {}, locked: false, may: ["attack", "combine", "lock"], targets: [1, 2] },
      last_round: null,
      result: null,
      ...game,
    },
  };
}

function controlled(view) {
  const sent = [];
  const store = new Store({ ...fresh(view, GAME), link: "open" });
  return { sent, store, controls: new Controls(store, (frame) => sent.push(frame)) };
}

test("combinations do not depend on the order and need both parts", () => {
  assert.equal(combination("paper", "rock"), "sling");
  assert.equal(combination("scissors", "scissors"), "twin_blades");
  assert.equal(hasParts("boulder", { rock: 1 }), false);
  assert.equal(hasParts("sling", { rock: 1, paper: 1 }), true);
  assert.equal(recipe("shuriken"), "S+R");
  assert.equal(ALL.length, 9);
});

test("a battle is told from the server's winner", () => {
  const battle = { a: 0, b: 1, a_weapon: "rock", b_weapon: "paper", winner: 1, taken: null };
  assert.equal(why(battle), "Paper covers Rock");
  assert.equal(why({ ...battle, a_weapon: "mask", b_weapon: "rock", winner: 0, taken: "rock" }), "Scary Mask scares off Rock and takes it");
  assert.equal(why({ ...battle, a_weapon: null, b_weapon: null, winner: null }), "Neither attacked");
  assert.equal(why({ ...battle, a_weapon: "rock", b_weapon: "sling", winner: null }), "Rock and Sling are both rock");
});

test("presets of a raise stay between the least and the most", () => {
  const of = (bet) => presets(bet).map(({ label, amount, shown }) => [label, amount, shown]);
  assert.deepEqual(of({ pot: 12, call: 3, least: 4, most: 10 }), [["Min", 4, 4], ["½ pot", 7, 7], ["All in", 10, 13]]);
  assert.deepEqual(of({ pot: 40, call: 30, least: 5, most: 5 }), [["All in", 5, 35]], "one chip where one raise is possible");
  assert.equal(purseAfter(95, 3, 92), 0);
});

test("Ready takes the purse that is shown, and a ready seat shows the one it brings", () => {
  const view = gameView();
  view.match = { ...view.match, status: "open", options_revision: 2, options: { ante: 5, largest_purse: 100 } };
  view.seats[0] = { ...view.seats[0], ready: false, purse: 100 };
  view.you = { ...view.you, balance: 149, may: ["ready"] };
  view.game = null;
  assert.equal(shownPurse({ ...view, you: { ...view.you, seat: null } }, null), 100, "on offer");
  const { sent, store, controls } = controlled(view);
  controls.setUi({ purse: 20 });
  assert.equal(shownPurse(view, controls.ui.purse), 20);
  controls.ready();
  assert.deepEqual(sent[0].action, { kind: "ready", configuration: 2, purse: 20 });
  controls.command("!purse 30");
  assert.equal(controls.ui.purse, null, "the typed one is shown");
  controls.setUi({ purse: 70 });
  const seats = view.seats.map((seat) => ({ ...seat, ready: true, purse: 40 }));
  assert.equal(shownPurse({ ...view, seats }, 70), 40, "what counts");
  store.change((state) => ({ ...state, view: { ...view, seats } }));
  controls.follow();
  assert.equal(controls.ui.purse, null);
});

test("a wish for the next turn names its price, and does nothing at another one", () => {
  assert.equal(priceAhead({ bet: { to_match: 30 } }, { stake: 5, purse: 90 }), 25);
  assert.deepEqual(plansAt(0, 38).map(([plan, words, amount]) => [plan, words, amount]), [["check-fold", "Check / fold", null], ["check", "Check", null], ["call-any", "Call any, up to", 38]]);
  assert.deepEqual(plansAt(5, 38)[1], ["call-5", "Call", 5]);
  const done = (plan, call, purse = 38) => {
    const seats = gameView().game.seats.map((seat) => ({ ...seat, purse }));
    const { sent, controls } = controlled(gameView({ stage: "betting", turn: 0, seats, you: { ...gameView().game.you, may: ["call", "fold"], call_amount: call } }));
    controls.togglePlan(plan);
    controls.follow();
    return [sent.map(({ action }) => action.kind), controls.ui.ask];
  };
  assert.deepEqual(done("check", 0), [["call"], null]);
  assert.deepEqual(done("check", 5), [[], null]);
  assert.deepEqual(done("call-5", 5), [["call"], null]);
  assert.deepEqual(done("call-5", 9), [[], null]);
  assert.deepEqual(done("call-any", 37), [["call"], null]);
  assert.deepEqual(done("call-any", 38), [[], "call-all"], "the whole purse is asked about first");
});

test("one's own seat stands at the bottom and the others go round clockwise", () => {
  assert.deepEqual([2, 3, 0, 1].map((no) => placeOf(no, 4, 2)), ["bottom", "left", "top", "right"]);
  assert.deepEqual([0, 1].map((no) => placeOf(no, 2, null)), ["bottom", "top"]);
});

test("seats say in words what they do", () => {
  const view = gameView();
  assert.equal(statusLine(view, 1), "Locked in");
  assert.equal(statusLine(view, 2), "Choosing…");
  assert.equal(isActing(view, 1), false);
});

test("the score of a round says why", () => {
  const view = gameView();
  const alone = { wins: { 0: 2, 1: 1, 2: 0 }, points: { 0: 2 }, mine: null };
  assert.equal(scoreLine(view, alone), "You win the round outright with 2 wins: 2 victory points.");
  const shared = { wins: { 0: 1, 1: 1, 2: 0 }, points: {}, mine: null };
  assert.match(scoreLine(view, shared), /^You and tessio tie for the most with 1 win each/);
  const mine = { wins: { 0: 1, 1: 1, 2: 1 }, points: {}, mine: { seat: 2, count: 0 } };
  assert.match(scoreLine(view, mine), /^Dead level, no mines: clemenza loses the toss\. Everyone else scores 1\.$/);
  const pair = gameView({ seats: view.game.seats.filter(({ no }) => no !== 1) });
  assert.match(scoreLine(pair, mine), /loses the toss\. You score 1\.$/);
});

test("an ending names its winners", () => {
  const view = gameView({ stage: "over", result: { winners: [1], reason: "folds", pots: [], seats: {} } });
  assert.deepEqual(endingLine(view), { headline: "tessio wins", reason: "Everyone else folded. Not a finger was lifted." });
});

test("keys mean nothing while one types", () => {
  const typing = { closest: (selector) => selector.startsWith("input:not") };
  assert.equal(wishOf({ key: "f", target: typing }), null);
  assert.deepEqual(wishOf({ key: "F", target: null }), { name: "fold" });
  assert.deepEqual(wishOf({ key: "!", code: "Digit1", shiftKey: true, target: null }), { name: "combine-pick", number: 1 });
  assert.equal(wishOf({ key: "r", ctrlKey: true, target: null }), null);
});

test("an attack carries the phase of the view and goes on to the next opponent", () => {
  const { sent, store, controls } = controlled(gameView());
  controls.pressWeapon("rock");
  assert.deepEqual(sent, [{ type: "act", phase: 4, action: { kind: "attack", weapon: "rock", target: 1 } }]);
  assert.equal(targetOf(store.state.view, store.state.ui), 2);
});

test("nothing is sent without a line, without stock or without leave", () => {
  const { sent, store, controls } = controlled(gameView());
  controls.pressWeapon("scissors");
  controls.tryTo("fold");
  store.change((state) => ({ ...state, link: "lost" }));
  controls.pressWeapon("rock");
  assert.deepEqual(sent, []);
});

test("a combined weapon without stock is first shown, then made and thrown by one press", () => {
  const { sent, controls } = controlled(gameView());
  controls.pressWeapon("sling");
  assert.equal(controls.made(), "sling");
  assert.deepEqual(sent, []);
  controls.enter();
  assert.deepEqual(sent[0].action, { kind: "attack", weapon: "sling", target: 1, make: true });
  assert.deepEqual([controls.ui.combine, controls.ui.target], [null, 2]);
  controls.pressWeapon("sling");
  controls.pressWeapon("sling");
  assert.deepEqual(sent[1].action, { kind: "attack", weapon: "sling", target: 2, make: true });
});

test("those who do without questions make and throw at one press", async () => {
  const { sent, controls } = controlled(gameView());
  await choose("asks_first", false);
  controls.pressWeapon("sling");
  await choose("asks_first", true);
  assert.deepEqual(sent.map(({ action }) => action.make), [true]);
});

test("one weapon goes to all by one press where the stock has enough", () => {
  const { sent, controls } = controlled(gameView());
  assert.equal(controls.weaponForAll(), null, "nothing thrown yet");
  controls.pressWeapon("rock");
  assert.equal(controls.weaponForAll(), "rock");
  controls.obey({ name: "all" });
  assert.deepEqual(sent[1].action, { kind: "attack", weapon: "rock", target: 2, make: true, everyone: true });
  const mine = (stock, attacks) => ({ stock, attacks, targets: [1, 2] });
  assert.equal(canThrow(mine({ paper: 1 }, {}), "paper", null, true), false);
  assert.equal(canThrow(mine({ paper: 1 }, { 2: "paper" }), "paper", null, true), true, "what is set aside comes back");
  assert.equal(canThrow(mine({ rock: 2, paper: 1 }, { 1: "paper" }), "sling", null, true), true);
  assert.equal(canThrow(mine({ rock: 3, sling: 0 }, {}), "boulder", null, true), false);
  assert.equal(canThrow(mine({ rock: 2 }, {}), "boulder", 1), true);
  const done = controlled(gameView({ you: { ...gameView().game.you, attacks: { 1: "rock", 2: "rock" } } }));
  assert.equal(done.controls.weaponForAll(), null, "all have it");
});

test("bets slide into the pot once, and only in the game that is on", () => {
  const view = (stakes, id = "m", result = null) => ({ match: { public_id: id }, game: stakes && { result, seats: stakes.map((stake, no) => ({ no, stake })) } });
  assert.deepEqual(betsBetween(view(null), view([1, 1])), [[0, 1], [1, 1]]);
  assert.deepEqual(betsBetween(view([1, 1]), view([1, 4])), [[1, 3]]);
  assert.deepEqual(betsBetween(view([1, 4]), view([1, 3])), [], "what comes back does not slide in");
  assert.deepEqual(betsBetween(view([1, 1]), view([5, 5], "n")), []);
  assert.deepEqual(betsBetween(view([1, 1]), view([5, 5], "m", {})), []);
});

test("the log tells a round after its cards", () => {
  const battle = { a: 0, b: 1, a_weapon: "rock", b_weapon: "paper", winner: 1, taken: null };
  const feed = [{ type: "log", kind: "locked" }, { type: "log", kind: "round_resolved" }, { type: "reply" }, { type: "log", kind: "round_started" }];
  const reveal = { round: 1, battles: [battle], step: 0 };
  assert.deepEqual(toldBy({ feed, reveal }), [feed[0], feed[2]]);
  assert.deepEqual(toldBy({ feed, reveal: { ...reveal, step: 1 } }), feed);
  assert.deepEqual(toldBy({ feed, reveal: null }), feed);
});

test("the count of the others' weapons is shown of those who are in", () => {
  const known = { rock: 2, paper: 0, scissors: 3, added: 1 };
  const view = gameView();
  view.game.seats = view.game.seats.map((seat) => ({ ...seat, known }));
  view.game.seats[2].status = "folded";
  assert.deepEqual(countedSeats(view).map(({ no }) => no), [1]);
  assert.deepEqual(countedSeats({ ...view, you: { seat: null } }).map(({ no }) => no), [0, 1]);
  assert.equal(knownWords(known), "At most 2 Rock, 0 Paper and 3 Scissors, and 1 added weapon.");
  view.game.seats[1].known = null;
  assert.deepEqual(countedSeats(view), [], "a game from before the count");
});

test("a part is picked twice only if there are two", () => {
  const { controls } = controlled(gameView());
  controls.toggleCombine();
  controls.pickPart("paper");
  controls.pickPart("paper");
  assert.deepEqual(controls.ui.combine, ["paper"]);
});

test("going all in needs a confirmation", () => {
  const mine = { ...gameView().game.you, may: ["raise_by"], raise_min: 1, raise_max: 9 };
  const { sent, controls } = controlled(gameView({ stage: "betting", turn: 0, you: mine }));
  controls.setUi({ raise: 9 });
  controls.raise();
  assert.deepEqual(sent, []);
  controls.raise();
  assert.deepEqual(sent[0].action, { kind: "raise_by", amount: 9 });
});

test("those who do without questions fold for nothing at one press", async () => {
  const { controls, sent } = controlled(gameView({ stage: "betting", turn: 0, you: { ...gameView().game.you, may: ["call", "fold"], call_amount: 0 } }));
  await choose("asks_first", false);
  controls.fold();
  await choose("asks_first", true);
  assert.equal(controls.ui.ask, null);
  assert.deepEqual(sent[0].action, { kind: "fold" });
});

test("folding needs a confirmation only where checking is free", () => {
  const betting = (call) => ({ stage: "betting", turn: 0, you: { ...gameView().game.you, may: ["call", "fold"], call_amount: call } });
  const free = controlled(gameView(betting(0)));
  free.controls.fold();
  assert.equal(free.controls.ui.ask, "fold");
  assert.deepEqual(free.sent, []);
  free.controls.fold();
  assert.deepEqual(free.sent[0].action, { kind: "fold" });
  const priced = controlled(gameView(betting(3)));
  priced.controls.fold();
  assert.equal(priced.sent.length, 1);
});

test("bare hands are not locked in without a question", () => {
  const { sent, controls } = controlled(gameView());
  controls.enter();
  assert.equal(controls.ui.ask, "lock");
  assert.deepEqual(sent, []);
  controls.lock();
  assert.deepEqual(sent[0].action, { kind: "lock" });
  const armed = { ...gameView().game.you, attacks: { 1: "rock", 2: "rock" } };
  const ready = controlled(gameView({ you: armed }));
  ready.controls.enter();
  assert.equal(ready.sent.length, 1);
  const empty = { ...gameView().game.you, stock: { rock: 0, paper: 0, scissors: 0 } };
  const out = controlled(gameView({ you: empty }));
  out.controls.enter();
  assert.equal(out.sent.length, 1);
});

test("keys pressed at once wait for one another", () => {
  const { sent, store, controls } = controlled(gameView());
  const mine = gameView().game.you;
  controls.obey({ name: "weapon", number: 1 });
  controls.obey({ name: "weapon", number: 2 });
  store.change((state) => ({ ...state, pending: new Set(["attack"]) }));
  controls.obey({ name: "enter" });
  assert.deepEqual(sent.map(({ action }) => action.target), [1, 2]);
  assert.equal(controls.ui.ask, null, "no question while the attacks are on their way");
  store.change((state) => ({ ...state, pending: new Set(), view: gameView({ you: { ...mine, attacks: { 1: "rock", 2: "paper" } } }) }));
  controls.follow();
  assert.deepEqual(sent.at(-1).action, { kind: "lock" });
});

test("what waits is forgotten with its round", () => {
  const { sent, store, controls } = controlled(gameView());
  store.change((state) => ({ ...state, pending: new Set(["attack"]) }));
  controls.obey({ name: "lock" });
  store.change((state) => ({ ...state, pending: new Set(), view: { ...gameView(), phase: 5 } }));
  controls.follow();
  assert.deepEqual([sent, controls.ui.ask], [[], null]);
});

test("a wish for the next turn is done once, and only while the betting lasts", () => {
  const betting = (call, may = ["call", "fold"]) => gameView({ stage: "betting", turn: 0, you: { ...gameView().game.you, may, call_amount: call } });
  const wishing = (plan, call) => {
    const { sent, store, controls } = controlled(betting(call, ["leave"]));
    controls.togglePlan(plan);
    controls.follow();
    assert.deepEqual(sent, [], "not before the turn");
    store.change((state) => ({ ...state, view: betting(call) }));
    controls.follow();
    controls.follow();
    return sent.map(({ action }) => action.kind);
  };
  assert.deepEqual(wishing("check-fold", 0), ["call"]);
  assert.deepEqual(wishing("check-fold", 3), ["fold"]);
  assert.deepEqual(wishing("call-any", 3), ["call"]);
  const late = controlled(gameView());
  late.controls.togglePlan("call-any");
  late.controls.follow();
  assert.deepEqual([late.sent, late.controls.ui.plan], [[], null]);
});

test("what the page does by itself is refused in silence, a press is not", () => {
  const refusal = ({ controls, sent }) => controls.isUnasked({ code: "stale" }, sent[0]);
  const betting = gameView({ stage: "betting", turn: 0, you: { ...gameView().game.you, may: ["call", "fold"], call_amount: 3 } });
  const wished = controlled(betting);
  wished.controls.togglePlan("call-any");
  wished.controls.follow();
  const pressed = controlled(betting);
  pressed.controls.act("call");
  assert.deepEqual([refusal(wished), refusal(pressed)], [true, false]);
  const battles = [{ a: 0, b: 1, a_weapon: "paper", b_weapon: "rock", winner: 0, taken: null }];
  const again = [true, false].map((isAsked) => {
    const board = controlled(gameView({ last_round: { round: 1, battles, wins: {}, points: {} } }));
    board.controls.sameAgain(isAsked);
    return refusal(board);
  });
  assert.deepEqual(again, [false, true]);
});

test("the same again throws what the last round saw, as far as the stock goes", () => {
  const battles = [{ a: 0, b: 1, a_weapon: "paper", b_weapon: "rock", winner: 0, taken: null }, { a: 0, b: 2, a_weapon: "scissors", b_weapon: null, winner: 0, taken: null }];
  const { sent, controls } = controlled(gameView({ last_round: { round: 1, battles, wins: {}, points: {} } }));
  controls.obey({ name: "same" });
  assert.deepEqual(sent.map(({ action }) => action), [{ kind: "attack", weapon: "paper", target: 1 }]);
});

test("a round is shown battle by battle; a key goes to its score, the next one ends it", () => {
  const battle = { a: 0, b: 1, a_weapon: "rock", b_weapon: "paper", winner: 1, taken: null };
  const round = { round: 1, battles: [battle, { ...battle, b: 2, winner: null, a_weapon: null, b_weapon: null }], wins: {}, points: { 1: 2 } };
  const { store, controls } = controlled(gameView());
  store.change((state) => ({ ...state, reveal: latest({ last_round: round }) }));
  assert.equal(isScored(store.state.reveal), false);
  assert.equal(controls.skipReveal(null), true);
  assert.equal(isScored(store.state.reveal), true, "a pair that threw nothing is not shown");
  assert.equal(controls.skipReveal({ name: "enter" }), true, "it means the round on show, not a lock");
  assert.equal(store.state.reveal, null);
  store.change((state) => ({ ...state, reveal: latest({ last_round: round }) }));
  assert.equal(controls.skipReveal({ name: "weapon", number: 1 }), false, "a weapon acts at once");
  assert.equal(store.state.reveal, null);
  assert.equal(headline(gameView(), { round: 1, points: { 1: 1, 0: 1 } }), "Round 1: you +1 VP, tessio +1 VP");
});

test("a step of the lesson lets only its own action through", () => {
  const { sent, store, controls } = controlled(gameView());
  controls.lesson = LESSON;
  controls.setUi({ lessonStep: 2 });
  controls.attack("rock");
  assert.deepEqual(sent, []);
  assert.equal(store.state.toasts.length, 1);
  controls.setUi({ lessonStep: 1 });
  controls.attack("rock");
  assert.equal(sent.length, 1);
});

test("an ending says why a rating did not change", () => {
  const result = { winners: [0], reason: "target", pots: [], seats: {} };
  const view = gameView({ stage: "over", result, last_round: {} });
  const rate = (...changes) => view.seats.forEach((chair, no) => (chair.rating_change = changes[no]));
  view.match.rated = true;
  rate(30, -10, -20);
  assert.equal(ratingLine(view), null);
  rate(30, -30, null);
  view.game.seats[2].status = "folded";
  assert.equal(ratingLine(view), "Not rated after a fold: clemenza.");
  rate(null, null, null);
  assert.match(ratingLine(view), /five games a day/);
  view.game.last_round = null;
  assert.match(ratingLine(view), /^No round was fought/);
  for (const change of [{ rated: false }, { rated: true, old_scale: true }]) {
    assert.equal(ratingLine({ ...view, match: { ...view.match, ...change } }), null);
  }
});

test("who gave up reads that, not that everyone else did", () => {
  const view = gameView({ stage: "over", result: { winners: [1], reason: "last_left", pots: [], seats: {} } });
  view.game.seats[0].status = "gave_up";
  assert.equal(endingLine(view).reason, "You gave up.");
  assert.match(endingLine({ ...view, you: { seat: 1 } }).reason, /^Everyone else gave up/);
});

test("a mine is planted only after a question, and only its owner is told", () => {
  const { sent, controls } = controlled(gameView({ you: { ...gameView().game.you, may: ["mine"] } }));
  controls.mineTarget();
  assert.deepEqual(sent, []);
  controls.mineTarget();
  assert.deepEqual(sent[0].action, { kind: "mine", target: 1 });
  assert.equal(doneLine(sent[0].action, gameView()), "You plant a landmine under tessio. Only you know.");
  assert.match(doneLine({ kind: "add", weapon: "rock" }, gameView()), /^You bring in a Rock from your stash\./);
  assert.equal(doneLine({ kind: "lock" }, gameView()), null);
});

test("the felt and the dock say the same of a turn", () => {
  const turn = (call) => ({ turn: 0, bet: { to_match: 7 }, you: { seat: 0, call_amount: call } });
  assert.deepEqual([betWords(turn(0)), betWords(turn(3))], ["check or raise", "3 to call"]);
  assert.equal(betWords({ ...turn(null), turn: 1 }), "the bet is 7");
});

test("points in the game are not gone", () => {
  const seats = [{ no: 0, purse: 15, stake: 5 }];
  assert.equal(pointsInPlay(gameView({ seats })), 20);
  assert.equal(pointsInPlay(gameView({ seats, result: { winners: [] } })), 0);
  assert.equal(pointsInPlay({ ...gameView({ seats }), you: { seat: null } }), 0);
});

test("a round in lines: one's own battles first, told from one's own side", () => {
  const battles = [
    { a: 1, b: 2, a_weapon: "rock", b_weapon: "paper", winner: 2 },
    { a: 0, b: 1, a_weapon: "rock", b_weapon: "rock", winner: null },
    { a: 0, b: 2, a_weapon: "rock", b_weapon: "scissors", winner: 0 },
  ];
  const view = gameView();
  const lines = ownFirst(view, battles).map((battle) => [battleLine(view, battle), battleLook(view, battle)]);
  assert.deepEqual(lines, [["You and tessio draw", "is-draw"], ["You beat clemenza", "is-won"], ["clemenza beats tessio", "is-other"]]);
});

test("what a weapon beats is read from the rules' own table", () => {
  const matrix = ["DLWLLWDSWW", "WDLWLLWDSW", "LWDLWLSWDW", "WLWDLWDLWW"];
  assert.deepEqual(beatenBy("boulder", matrix).map(({ name }) => name), ["rock", "scissors", "twin_blades", "shuriken"]);
});

test("the lobby's filters and invitations follow the seats", () => {
  const table = { status: "open", seats: 2, players: [{}], ante: 6, spectators: true };
  assert.equal(FILTERS.seat(table), true);
  assert.equal(FILTERS.low(table), false);
  assert.deepEqual(invitation({ ...table, players: [{}, {}] }), { word: "Watch", brass: false });
});

test("an options draft sends only what differs", () => {
  const options = { seats: 3, ante: 1, target: 5 };
  assert.deepEqual(changesOf({}, options), {});
  assert.deepEqual(changesOf({ ante: "1", target: "7" }, options), { target: 7 });
  assert.deepEqual(changesOf({ ante: "", seats: "x" }, { ...options, ante: 0 }), {});
});

test("nobody is out of luck in a game that was called off", () => {
  const view = gameView({ stage: "over" });
  view.match.status = "void";
  assert.equal(statusLine(view, 0), "Got it all back");
});

test("a new round is shown once, an old one after a reload is not", () => {
  const last = { round: 1, battles: [], wins: {}, points: {} };
  const state = fresh(gameView({ last_round: last }), GAME);
  assert.equal(withView(state, state.view, GAME).reveal, null);
  const next = withView(state, gameView({ last_round: { ...last, round: 2 } }), GAME);
  assert.equal(next.reveal.round, 2);
});

test("the lesson has six steps, each done when the view says so", () => {
  assert.equal(LESSON.length, 6);
  const [bet, first, battles, combine, mine, pot] = LESSON;
  const you = { stock: { rock: 3, boulder: 0 }, attacks: {}, mines: {} };
  const view = (game) => ({ you: { seat: 0 }, game: { stage: "round", target: 6, you, ...game } });
  assert.equal(bet.isDone(view({ stage: "betting" })), false);
  assert.equal(bet.isDone(view({})), true);
  assert.equal(first.isDone(view({ last_round: null })), false);
  const won = { battles: [{ a: 0, b: 1, a_weapon: "rock", b_weapon: "scissors", winner: 0 }] };
  assert.equal(first.isDone(view({ last_round: won })), true);
  assert.match(battles.text(view({ last_round: won })), /^Rock against Scissors: you win the battle\./);
  assert.equal(battles.isDone, undefined);
  assert.equal(combine.isDone(view({})), false);
  assert.equal(combine.isDone(view({ you: { ...you, stock: { boulder: 1 } } })), false, "it has to be thrown");
  assert.equal(combine.isDone(view({ you: { ...you, attacks: { 1: "boulder" } } })), true);
  assert.equal(mine.isDone(view({})), false);
  assert.equal(mine.isDone(view({ you: { ...you, mines: { 1: 1 } } })), true);
  assert.match(pot.text(view({ result: {} })), /whole game/);
});
