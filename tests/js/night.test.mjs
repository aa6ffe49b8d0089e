// Night, death and end of the towns, as far as they are words and decisions. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { clockWords, earliestIn, isUnchosen, leadersOf } = await import("rr/mafia/game");
const { housesOf } = await import("rr/mafia/sky");
const { isNewCard } = await import("rr/mafia/own_card");
const agora = await import("rr/agora/words");
const { nightActions } = await import("rr/agora/help");
const { voteWord } = await import("rr/agora/citizens");
const { AgoraControls } = await import("rr/agora/controls");
const dynamite = await import("rr/dynamite/words");
const { Store, fresh } = await import("rr/board/store");

const NAMES = ["ann", "bob", "cyd", "dan", "eve"];

/** A view of a running game of either kind; seats: changes by number. */
function viewOf(game, own, seats = {}, seat = 0) {
  const shown = NAMES.map((_, no) => ({ no, is_alive: true, cause: null, causes: [], died_round: null, role: null, team: null, vote: null, ...seats[no] }));
  return {
    match: { public_id: "m", status: "running", options: {} },
    seats: NAMES.map((name, no) => ({ no, player: { name, bot: false }, replaced: [] })),
    you: { seat, name: NAMES[seat], may: [] },
    log: [],
    phase: 3,
    game: { stage: "night", phase: 3, round: 2, tally: [], last_night: null, last_day: null, result: null, seats: shown, ...game, you: { is_alive: true, is_done: false, target: null, nights: [], may: ["done"], mafia: null, learned: [], read_files: [], saved: [], role: "citizen", ...own } },
  };
}

function controlled(view) {
  const sent = [];
  const store = new Store({ ...fresh(view, { latest: () => null, ui: { ask: null } }), link: "open" });
  return { controls: new AgoraControls(store, ({ action }) => sent.push(action.kind)), sent, store };
}

test("all choices with most votes lead", () => {
  assert.equal(leadersOf({ tally: [] }), null);
  assert.deepEqual(leadersOf({ tally: [[3, 2], [1, 1]] }), { choices: [3], votes: 2 });
  assert.deepEqual(leadersOf({ tally: [[3, 2], ["none", 2], [1, 1]] }), { choices: [3, "none"], votes: 2 });
});

test("the light is on where somebody lives, and the target is marked by night alone", () => {
  const view = viewOf({}, { target: 3 }, { 1: { is_alive: false } });
  assert.deepEqual(housesOf(view).map(({ isLit }) => isLit), [true, false, true, true, true]);
  assert.deepEqual(housesOf(view).filter(({ isTarget }) => isTarget).map(({ no }) => no), [3]);
  assert.deepEqual(housesOf(view).filter(({ isMine }) => isMine).map(({ no }) => no), [0]);
  const day = viewOf({ stage: "day" }, { target: 3 }, { 0: { vote: 2 } });
  assert.ok(!housesOf(day).some(({ isTarget }) => isTarget));
});

test("a night ends early on a step of its clock, whoever is done", () => {
  assert.equal(earliestIn(120_000, 120_000), 20_000);
  assert.equal(earliestIn(112_000, 120_000), 12_000);
  assert.equal(earliestIn(100_000, 120_000), 20_000);
  assert.equal(earliestIn(3_590_000, 3_600_000), 50_000);
  assert.equal(earliestIn(15_000, 120_000), null, "only its time is left");
  assert.equal(earliestIn(130_000, 120_000), null, "the clock was set back");
});

test("an instant within hours has no date", () => {
  assert.doesNotMatch(clockWords("2026-12-03T08:41:00Z", 60_000), /Dec|Thu/);
  assert.match(clockWords("2026-12-03T08:41:00Z", 30 * 3_600_000), /Dec/);
});

test("done is asked about only where somebody could have been chosen", () => {
  const doctor = controlled(viewOf({}, { role: "doctor", may: ["choose", "done"] }));
  doctor.controls.toggleDone();
  assert.deepEqual(doctor.sent, []);
  assert.deepEqual(doctor.store.state.ui.ask, { done: true });
  for (const own of [{ may: ["done"] }, { role: "doctor", may: ["choose", "done"], target: 2 }, { role: "doctor", may: ["choose", "done"], target: "none" }]) {
    const { controls, sent } = controlled(viewOf({}, own));
    controls.toggleDone();
    assert.deepEqual(sent, ["done"]);
  }
  const done = controlled(viewOf({}, { role: "doctor", may: ["choose", "undone"], is_done: true }));
  done.controls.toggleDone();
  assert.deepEqual(done.sent, ["undone"]);
  assert.equal(isUnchosen(viewOf({ stage: "day" }, { may: ["vote", "done"] })), false);
  assert.equal(agora.taskOf(viewOf({}, { role: "doctor", may: ["choose", "undone"], is_done: true })).heading, "Done: nobody chosen");
});

test("the card is shown at the start and to a substitute, once, and to those who live", () => {
  const first = viewOf({ phase: 1 }, {});
  assert.equal(isNewCard(first, () => false), true);
  assert.equal(isNewCard(first, () => true), false);
  assert.equal(isNewCard(viewOf({ phase: 2 }, {}), () => false), false);
  assert.equal(isNewCard(viewOf({ phase: 1 }, { is_alive: false }), () => false), false);
  const substitute = viewOf({ phase: 4 }, {});
  substitute.seats[0].replaced = ["fay"];
  assert.equal(isNewCard(substitute, () => false), true);
  assert.equal(isNewCard({ ...first, game: { ...first.game, you: null } }, () => false), false);
});

test("a vote for the viewer is for you, the viewer's own for yourself", () => {
  const view = viewOf({ stage: "day" }, {});
  assert.equal(voteWord(view, { no: 1, vote: 0 }), "you");
  assert.equal(voteWord(view, { no: 0, vote: 0 }), "yourself");
  assert.equal(voteWord(view, { no: 1, vote: 2 }), "cyd");
  assert.equal(voteWord(view, { no: 1, vote: "none" }), "nobody");
});

test("a role is known by its card, by being shown, by learning and among the mafia", () => {
  const view = viewOf({}, { role: "mafioso", mafia: [[0, "mafioso"], [1, "agent"]], learned: [[2, "doctor"]] });
  const known = view.game.seats.map((citizen) => agora.knownRole(view, citizen));
  assert.deepEqual(known, ["mafioso", "agent", "doctor", null, null]);
  assert.equal(agora.knownRole(viewOf({}, {}), { no: 2, role: "sheriff" }), "sheriff");
});

test("what one alone learned stands above, once, and only what came with this phase", () => {
  const own = { role: "sheriff", nights: [[1, 2], [2, 3]], read_files: [[1, 2, false], [2, 3, true]], saved: [2] };
  assert.deepEqual(agora.freshLines(viewOf({ stage: "day" }, own)), ["Night 2: the file on dan says MAFIA.", "Night 2: you were attacked, and the doctor saved you."]);
  assert.deepEqual(agora.freshLines(viewOf({}, own)), []);
  const detective = { role: "detective", learned: [[1, "doctor"], [4, "agent"]] };
  assert.deepEqual(agora.freshLines(viewOf({ last_day: { round: 1, votes: [], lynched: 4 } }, detective)), ["eve was: Agent of the mafia."]);
  const told = viewOf({ last_day: { round: 1, votes: [], lynched: 4 } }, detective, { 4: { role: "agent" } });
  assert.deepEqual(agora.freshLines(told), [], "everybody was told this role");
});

test("the mates who died are struck through", () => {
  const view = viewOf({}, { role: "agent", mafia: [[0, "agent"], [1, "mafioso"]] }, { 1: { is_alive: false } });
  assert.deepEqual(agora.fellows(view), [{ no: 1, name: "bob (Mafioso)", isDead: true }]);
});

test("the rules name only what is in play", () => {
  assert.deepEqual(nightActions({ roles: [["citizen", 2], ["doctor", 1], ["sheriff", 0], ["mafioso", 1]] }), ["the mafia kills", "the doctor protects"]);
  assert.equal(nightActions(null).length, 4);
});

test("the deciding vote is quoted as it was told", () => {
  const last_day = { round: 2, votes: [[0, 3], [1, 3], [2, "none"], [4, 3]], lynched: 3 };
  const view = viewOf({ stage: "over", last_day }, {});
  view.log = ["ann votes for dan.", "bob votes for dan.", "cyd votes for dan.", "cyd votes for nobody.", "eve votes for dan.", "dan is lynched."].map((text, n) => ({ n, text }));
  assert.deepEqual(agora.decidingVote(view), { title: "The deciding vote, day 2", text: "eve votes for dan." });
  view.log = [];
  assert.equal(agora.decidingVote(view).text, "ann, bob and eve voted for dan.");
  assert.equal(agora.decidingVote(viewOf({ stage: "over", last_day: { ...last_day, lynched: null } }, {})), null);
  assert.equal(agora.decidingVote(viewOf({ stage: "over" }, {})), null);
});

test("danger says what the standing votes would do now", () => {
  const day = (danger, votes) => dynamite.dangerNow(viewOf({ stage: "day", tally: [[1, 2], [0, votes]] }, { danger }));
  assert.deepEqual(day(0, 3), { danger: 0, held: 3, level: 3, words: "3 of 3 if the day ended now: you explode" });
  assert.deepEqual(day(2, 1).level, 3);
  assert.equal(day(1, 4).words, "3 of 3 if the day ended now: you explode");
  assert.equal(day(1, 1).words, "2 of 3 if the day ended now: it drops by 1");
  assert.equal(dynamite.dangerNow(viewOf({ stage: "day" }, { danger: 0 })).words, "0 of 3 if the day ended now: calm");
  assert.deepEqual(dynamite.dangerNow(viewOf({ tally: [] }, { danger: 2 })).held, 0);
  const blown = viewOf({}, { danger: 3, is_alive: false }, { 0: { is_alive: false, causes: ["explosion"] } });
  assert.equal(dynamite.dangerNow(blown).words, "You exploded.");
});

test("a confrontation tells what became of it, from what everybody saw", () => {
  const line = (seats) => dynamite.ownLines(viewOf({}, { team: "scissors", nights: [[1, 2]] }, seats))[0];
  assert.equal(line({}), "Night 1: you confronted cyd. Nothing happened: neither Paper Mafia nor a townie.");
  assert.equal(line({ 2: { is_alive: false, causes: ["confronted"], died_round: 1 } }), "Night 1: you confronted cyd. Dead.");
  assert.match(line({ 2: { is_alive: false, causes: ["confronted"], died_round: 2 } }), /Nothing happened/);
  assert.equal(line({ 0: { is_alive: false, causes: ["townie"], died_round: 1 } }), "Night 1: you confronted cyd. A townie: you died of it.");
  const next = viewOf({ stage: "day", last_night: { round: 1, died: [] } }, { team: "scissors", nights: [[1, 2]] });
  assert.equal(dynamite.freshLines(next).length, 1);
});

test("the death in the last phase that wiped out a team decided the game", () => {
  const seats = { 1: { is_alive: false, team: "paper", causes: ["confronted"], died_round: 2 }, 2: { is_alive: false, team: "paper", causes: ["stapler"], died_round: 1 }, 3: { is_alive: false, team: "rock", causes: ["left"], died_round: 3 } };
  const last_day = { round: 2, votes: [], died: [3] };
  const over = (result, died = [1]) => viewOf({ stage: "over", result, last_day, last_night: { round: 2, died } }, { team: "rock" }, seats);
  const won = over({ reason: "eliminated", teams: ["scissors"], winners: [4], awards: [] });
  assert.equal(dynamite.decidingDeath(won).text, "bob, the last of the Paper Mafia: confronted by the Scissors Mafia in night 2.");
  const byDay = viewOf({ ...won.game, last_day: { ...last_day, died: [2] }, last_night: { round: 1, died: [] }, you: undefined }, { team: "rock" }, seats);
  assert.match(dynamite.decidingDeath(byDay).text, /^cyd, the last of the Paper Mafia: killed by a rampaging stapler/);
  const draw = over({ reason: "quiet", teams: [], winners: [4], awards: [] });
  assert.equal(dynamite.decidingDeath(draw), null);
  assert.equal(dynamite.hasWon(draw), null);
  assert.equal(dynamite.hasWon(won), false);
});
