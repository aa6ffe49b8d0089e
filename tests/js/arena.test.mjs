// The arena's words, keys, store, controls and calculator. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { MOST, MOVES, bestOf, calculate, countOf, countRule, grouped, repliesTo, tableOf } = await import("rr/arena/calculator");
const { bonuses, brokenLine, dockLines, fate, howLine, note, optionsOn, ownLast, resultOf, roundHeadline, seasonHeading, spoken, waitingLine, watchingLine, wishesLine } = await import("rr/arena/words");
const { share, shortCount } = await import("rr/arena/floor");
const { pinned, placed } = await import("rr/arena/rivals");
const { choiceOf, fresh, isNew, mayChoose, preferenceOf, withAnswered, withBlocked, withLine, withView, withWanted } = await import("rr/arena/store");
const { ArenaControls } = await import("rr/arena/controls");
const { crowdWords } = await import("rr/arena/list");
const { wishOf } = await import("rr/arena/keys");
const { Store } = await import("rr/board/store");

const OFF = { blitz: false, classic: false, inverted: false, count: false, team: false, survivor: false };
const LAST = {
  round: 11,
  options: OFF,
  counts: { rock: 3, paper: 4, scissors: 0 },
  per_move: { rock: { wins: 0, losses: 12, ties: 6 }, paper: { wins: 12, losses: 0, ties: 12 }, scissors: { wins: 0, losses: 0, ties: 0 } },
  players: 7,
};
const OWN = { round: 11, move: "paper", how: "chosen", wins: 3, losses: 0, ties: 3, result: "won", score_delta: 2, why: null, reason: "You beat 3 rocks." };

function you(change = {}) {
  return { is_in: true, is_watching_because: null, choice: null, streak: 3, score: 41, is_sat_out: false, preferences: {}, bonus: { sees_choices: false, multiplier: 2, best_choice: false }, live: null, last: OWN, waits_until_round_end: null, ...change };
}

function frame(own = you(), change = {}) {
  const arena = { state: "selecting", round: 12, ends_at: "2030-01-01T00:00:05.000Z", shows_result_until: null, options: OFF, drawn: "ann", people: 7, bots: 0, names: [], last: LAST, reason: "4 papers beat 3 rocks.", streaks: [], broken: [], season: null, ...change };
  return { type: "arena", revision: 1, now: "2030-01-01T00:00:00.000Z", arena, you: own };
}

const viewWith = (own, change) => fresh(frame(own, change)).view;

function controlled(given = frame()) {
  const sent = [];
  const store = new Store({ ...fresh(given), link: "open" });
  return { sent, store, controls: new ArenaControls(store, (one) => sent.push(one)) };
}

function key(name, { on = "", ...change } = {}) {
  const target = { closest: (selector) => (on && selector.split(", ").some((one) => one.startsWith(on)) ? {} : null) };
  return { key: name, target, ...change };
}

// The calculator ------------------------------------------------------------------------

test("Count: more losers than winners tie, twice as many turn the battle round", () => {
  assert.equal(countRule(2n, 2n), "usual");
  assert.equal(countRule(2n, 3n), "tie");
  assert.equal(countRule(2n, 4n), "turned");
  assert.equal(countRule(0n, 0n), "usual");
  assert.equal(countRule(0n, 1n), "turned");
});

test("the table turns with Inverted, and with the numbers under Count", () => {
  const counts = { rock: 4n, paper: 2n, scissors: 2n };
  assert.deepEqual(tableOf(counts, { inverted: false, count: false }).rock, { rock: "T", paper: "L", scissors: "W" });
  assert.deepEqual(tableOf(counts, { inverted: true, count: false }).rock, { rock: "T", paper: "W", scissors: "L" });
  assert.deepEqual(tableOf(counts, { inverted: false, count: true }).rock, { rock: "T", paper: "W", scissors: "W" });
});

test("the largest counts are added and multiplied without losing one", () => {
  const { moves, totals } = calculate({ rock: MOST, paper: MOST, scissors: MOST }, { inverted: false, count: false });
  assert.equal(moves.rock.all.wins, 94_906_266n ** 2n);
  assert.equal(moves.rock.all.ties, 94_906_266n * 94_906_265n);
  assert.equal(totals.wins, totals.losses);
  assert.equal(totals.wins * 2n + totals.ties, totals.battles * 2n);
});

test("a move nobody is on has no battles and no score", () => {
  const { moves } = calculate({ rock: 0n, paper: 5n, scissors: 5n }, { inverted: false, count: false });
  assert.deepEqual(moves.rock, { players: 0n, each: { wins: 0n, losses: 0n, ties: 0n }, all: { wins: 0n, losses: 0n, ties: 0n }, effect: 0n, score: 0n });
  assert.equal(moves.scissors.score, 5n);
  assert.equal(moves.paper.score, -5n);
});

test("the best reply is what one player more would do best with, or several as good", () => {
  const plain = { inverted: false, count: false };
  assert.deepEqual(bestOf(repliesTo({ rock: 5n, paper: 0n, scissors: 0n }, plain)), ["paper"]);
  assert.deepEqual(bestOf(repliesTo({ rock: 0n, paper: 0n, scissors: 0n }, plain)), MOVES);
});

test("typed numbers are read with their separators, and refused beyond the limit", () => {
  assert.equal(countOf("94,906,266"), MOST);
  assert.equal(countOf("94 906 267"), null);
  assert.equal(countOf(""), 0n);
  for (const bad of ["-1", "1e3", "x", "0x10", "9".repeat(40)]) assert.equal(countOf(bad), null);
  assert.equal(grouped(-1234567n), "\u22121,234,567");
});

// Words -----------------------------------------------------------------------------------

test("an own result is told only with the round that is on show", () => {
  assert.equal(ownLast(viewWith(you())), OWN);
  assert.equal(ownLast(viewWith(you({ last: { ...OWN, round: 10 } }))), null);
  assert.equal(ownLast(viewWith(null)), null);
});

test("how a move was come to is said: chosen, drawn, or made as the best reply", () => {
  assert.equal(howLine(OWN), "You threw paper.");
  const why = "You chose nothing: paper was drawn for you.";
  assert.equal(howLine({ ...OWN, how: "random", why }), why);
  assert.equal(howLine({ ...OWN, move: null, how: "none", result: "none" }), "You sat this round out.");
});

test("results name what the score changed by, tied rounds and no rounds do not", () => {
  assert.equal(resultOf(OWN).headline, "You won the round · +2");
  assert.equal(resultOf({ ...OWN, result: "lost", score_delta: -1 }).headline, "You lost the round · −1");
  assert.equal(resultOf({ ...OWN, result: "tied", score_delta: 0 }).headline, "The round was a tie");
  assert.equal(resultOf({ ...OWN, result: "none", score_delta: 0 }).headline, "You had no battle");
});

test("what listeners hear names round, counts and the own result once", () => {
  assert.equal(spoken(viewWith(you())), "Round 11: rock 3, paper 4, scissors 0. You threw paper. You won the round · +2. You beat 3 rocks.");
  assert.equal(spoken(viewWith(null)), "Round 11: rock 3, paper 4, scissors 0. Paper came out ahead. 4 papers beat 3 rocks.");
  assert.equal(spoken(viewWith(null, { last: null })), "");
});

test("a move's fate is even where wins and losses are, and nobody's where nobody is", () => {
  assert.deepEqual(MOVES.map((move) => fate(LAST, move)), ["lost", "won", ""]);
  const even = { ...LAST, per_move: { ...LAST.per_move, paper: { wins: 4, losses: 4 } } };
  assert.equal(fate(even, "paper"), "tied");
  assert.equal(roundHeadline(even), "Nobody came out ahead");
});

test("every reason for watching and waiting has words of its own", () => {
  const lines = [null, "left", "idle", "gone"].map((why) => watchingLine(viewWith(you({ is_in: false, is_watching_because: why }))));
  assert.equal(new Set(lines).size, 4);
  assert.match(waitingLine({ waits_until_round_end: "leave" }), /still counts/);
  assert.match(waitingLine({ waits_until_round_end: "reset" }), /back to 0/);
  assert.equal(waitingLine({ waits_until_round_end: null }), "");
});

test("the dock tells rest, sitting out, being alone, a choice and the best reply apart", () => {
  const line = (own, change, choice = null) => dockLines(viewWith(own, change), choice).join(": ");
  assert.match(line(you(), { state: "resting" }), /^The arena rests/);
  assert.match(line(you({ is_sat_out: true })), /^You sit this one out: No health/);
  assert.match(line(you(), { people: 1 }), /Nobody else is in: no battle/);
  assert.match(line(you(), {}, "rock"), /^Rock it is: You may change it/);
  assert.match(line(you({ bonus: { best_choice: true } })), /best reply is made for you/);
  assert.match(line(you()), /one of the three is drawn/);
});

test("what a streak gives now is marked, as the server says it", () => {
  const on = (streak, bonus) => bonuses(viewWith(you({ streak, bonus: { sees_choices: false, multiplier: null, best_choice: false, ...bonus } }))).filter((one) => one.isOn);
  const at = (streak, bonus) => on(streak, bonus).map((one) => one.at);
  assert.deepEqual(at(9, {}), []);
  assert.deepEqual(at(2, { multiplier: 2 }), ["+3"]);
  assert.equal(on(2, { multiplier: 2 })[0].words, "a win scores 2");
  assert.deepEqual(at(5, { multiplier: 5, sees_choices: true }), ["+3", "+5"]);
  assert.deepEqual(at(-5, { best_choice: true, sees_choices: true }), ["−5", "−3"]);
});

test("options are named in their order, whose they are is said, and notes turn with Inverted", () => {
  assert.deepEqual(optionsOn({ ...OFF, survivor: true, blitz: true }), ["blitz", "survivor"]);
  assert.equal(wishesLine({ drawn: "ann" }, "ann", { count: "on" }), "Your options apply this round.");
  assert.equal(wishesLine({ drawn: "ann" }, "ann", { count: "any" }), "You were drawn; you wish nothing, so all stays.");
  assert.equal(wishesLine({ drawn: "ann" }, "bob"), "ann’s options apply this round.");
  assert.match(wishesLine({ drawn: null }, null), /plain/);
  assert.equal(note("rock", OFF), "beats scissors");
  assert.equal(note("rock", { ...OFF, inverted: true }), "beats paper");
  assert.equal(note("rock", { ...OFF, count: true }), "depends on numbers");
});

test("bars are shares of the largest count, and large counts are short", () => {
  assert.deepEqual(MOVES.map((move) => share(LAST.counts, move)), [75, 100, 0]);
  assert.equal(share({ rock: 0, paper: 0, scissors: 0 }, "rock"), 0);
  assert.deepEqual([shortCount(999), shortCount(9999), shortCount(94_321)], ["999", "9,999", "94.3K"]);
});

test("the front page says who is in, bots for company, and rest", () => {
  assert.equal(crowdWords({ people: 1, bots: 0 }), "1 person is in");
  assert.equal(crowdWords({ people: 2000, bots: 1 }), "2,000 people are in, with a bot for company");
  assert.match(crowdWords({ people: 0, bots: 0 }), /Quiet now/);
});

// Keys, store and controls ----------------------------------------------------------------

test("keys choose, space and n choose nothing, fields and held keys mean nothing", () => {
  assert.deepEqual(wishOf(key("R")), { name: "choose", move: "rock" });
  assert.deepEqual(wishOf(key("n")), { name: "choose", move: null });
  assert.deepEqual(wishOf(key(" ")), { name: "choose", move: null });
  assert.deepEqual(wishOf(key("?")), { name: "help" });
  assert.equal(wishOf(key(" ", { on: "button" })), null);
  assert.equal(wishOf(key("r", { on: "input" })), null);
  assert.equal(wishOf(key("r", { repeat: true })), null);
  assert.equal(wishOf(key("x")), null);
});

test("a press shows at once, until the answer to this very press or another round comes", () => {
  const begun = fresh(frame());
  const pressed = withWanted(withWanted(begun, "rock"), "paper");
  assert.equal(choiceOf(pressed), "paper");
  const act = (move) => ({ type: "act", phase: 12, action: { kind: "choose", move } });
  assert.equal(choiceOf(withAnswered(pressed, act("rock"))), "paper");
  assert.equal(choiceOf(withAnswered(withView(pressed, frame(you({ choice: "paper" }))), act("paper"))), "paper");
  assert.equal(choiceOf(withAnswered(pressed, act("paper"))), null);
  assert.equal(choiceOf(withView(pressed, frame(you(), { round: 13 }))), null);
  assert.equal(choiceOf(withView(pressed, frame())), "paper");
});

test("choosing sends the round it was made for, and nothing where nothing may be chosen", () => {
  const { controls, sent, store } = controlled();
  controls.choose("rock");
  controls.choose(null);
  assert.deepEqual(sent.map((one) => [one.phase, one.action]), [[12, { kind: "choose", move: "rock" }], [12, { kind: "choose", move: null }]]);
  assert.equal(choiceOf(store.state), null);
  for (const own of [null, you({ is_in: false }), you({ is_sat_out: true })]) {
    const other = controlled(frame(own));
    assert.equal(mayChoose(other.store.state.view), false);
    other.controls.choose("rock");
    assert.deepEqual(other.sent, []);
  }
});

test("without a line nothing is sent and nothing shows as chosen", () => {
  const { controls, sent, store } = controlled();
  store.change((state) => ({ ...state, link: "lost" }));
  controls.choose("rock");
  controls.prefer("blitz", "on");
  assert.deepEqual([sent.length, choiceOf(store.state), preferenceOf(store.state, "blitz")], [0, null, "any"]);
});

test("a preference shows at once and until its own answer; what is passed over is not sent", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { controls, sent, store } = controlled();
  const prefer = (value) => ({ type: "act", phase: 12, action: { kind: "prefer", option: "blitz", value } });
  const shown = () => preferenceOf(store.state, "blitz");
  controls.prefer("blitz", "on");
  controls.prefer("blitz", "off");
  assert.deepEqual([shown(), sent], ["off", []]);
  context.mock.timers.tick(1000);
  assert.deepEqual([shown(), sent], ["off", [prefer("off")]]);
  // A press before the answer begins at what is shown, and that answer is not to the newer press.
  controls.prefer("blitz", "any");
  store.change((state) => withAnswered(state, prefer("off")));
  assert.equal(shown(), "any");
  context.mock.timers.tick(1000);
  store.change((state) => withAnswered(withView(state, frame(you({ preferences: { blitz: "any" } }))), prefer("any")));
  assert.deepEqual([shown(), store.state.preferred.blitz, sent.length], ["any", undefined, 2]);
});

test("commands and dialogs go their ways", () => {
  const { controls, sent, store } = controlled();
  controls.command("!status");
  controls.obey({ name: "help" });
  assert.deepEqual(sent, [{ type: "command", text: "!status", phase: 12 }]);
  assert.equal(store.state.feed.at(-1).text, "!status");
  assert.equal(store.state.ui.dialog, "help");
});

test("a line of the arena is a command with any mark or none, and stays in the box without a connection", () => {
  const { controls, sent, store } = controlled();
  for (const line of ["rock", "!rock", "\uff01rock", "?", "prefer blitz on", " "]) controls.say(line);
  assert.deepEqual(sent.map(({ text }) => text), ["!rock", "!rock", "!rock", "!?", "!prefer blitz on"]);
  controls.writeLine("paper");
  store.change((state) => ({ ...state, link: "lost" }));
  controls.say("paper");
  assert.deepEqual([sent.length, controls.ui.line], [5, "paper"]);
});

test("a blocked name stays blocked once, and can be shown again; lines are kept to a number", () => {
  const begun = fresh(frame());
  const blocked = withBlocked(withBlocked(begun, "bob", true), "bob", true);
  assert.deepEqual(blocked.blocked, ["bob"]);
  assert.deepEqual(withBlocked(blocked, "bob", false).blocked, []);
  const long = Array.from({ length: 60 }).reduce((state) => withLine(state, "reply", "x"), begun);
  assert.equal(long.feed.length, 40);
  assert.equal(new Set(long.feed.map((line) => line.number)).size, 40);
});

// Rivals, seasons, guests ---------------------------------------------------------------

test("equal streaks share a place, and the own row is pinned only where it is not listed", () => {
  const streaks = [7, 4, 4, 2].map((streak, index) => ({ name: `p${index}`, streak }));
  assert.deepEqual(placed(streaks).map((row) => row.place), [1, 2, 2, 4]);
  assert.equal(pinned(viewWith(you(), { streaks }), "p2"), null);
  assert.deepEqual(pinned(viewWith(you({ streak: 1, streak_place: 9 }), { streaks }), "me"), { place: 9, name: "me", streak: 1 });
  assert.equal(pinned(viewWith(you({ is_in: false }), { streaks }), "me"), null);
  assert.equal(brokenLine({ by: "D", of: "C", streak: 7 }), "D broke C’s +7.");
});

test("a season says when it ends, or when the next one is, in the viewer's zone", () => {
  const hours = { begins_at: "2027-03-21T19:00:00.000Z", ends_at: "2027-03-21T21:00:00.000Z" };
  assert.equal(seasonHeading({ ...hours, is_running: true }, "America/New_York"), "Season until 17:00");
  assert.equal(seasonHeading({ ...hours, is_running: false }, "UTC"), "Next season 21 Mar, 19:00 to 21:00");
});

test("a player is new with few rounds and without a wish", () => {
  const own = (change) => ({ you: you({ round_wins: 1, round_losses: 1, round_ties: 0, preferences: { count: "any" }, ...change }) });
  assert.equal(isNew(own({}), { plain_rounds: 3 }), true);
  assert.equal(isNew(own({ round_ties: 1 }), { plain_rounds: 3 }), false);
  assert.equal(isNew(own({ preferences: { count: "off" } }), { plain_rounds: 3 }), false);
});

test("a guest may throw while rounds are left, sees the own result, and keeps it in later frames", () => {
  const guest = { left: 10, choice: null, won: 0, lost: 0, tied: 0, last: null };
  const state = fresh({ ...frame(null), guest });
  assert.equal(mayChoose(state.view), true);
  const last = { ...OWN, counts: null };
  const thrown = withView(state, { ...frame(null), guest: { ...guest, left: 9, choice: "rock", last } });
  assert.equal(choiceOf(thrown), "rock");
  assert.equal(ownLast(thrown.view).result, "won");
  const later = withView(thrown, frame(null));
  assert.equal(later.view.guest.left, 9);
  assert.equal(mayChoose(withView(state, { ...frame(null), guest: { ...guest, left: 0 } }).view), false);
  const alone = { ...last, round: null, counts: { rock: 2, paper: 1, scissors: 1 } };
  assert.equal(ownLast(withView(state, { ...frame(null, { state: "resting" }), guest: { ...guest, last: alone } }).view), alone);
  assert.equal(ownLast(withView(state, { ...frame(null), guest: { ...guest, last: alone } }).view), null);
});
