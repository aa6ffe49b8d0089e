// Dynamite Town's words and controls. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { isMyMove, ownChoice, phaseOf: townPhaseOf, pressKind, roomsOf: townRoomsOf } = await import("rr/mafia/game");
const { ROOMS, causeWords, endingOf, hasWon, hunterOf, latestDead, newsOf, noteOf, planLines, preyOf, taskOf } = await import("rr/dynamite/words");
const { canPress, teamOf } = await import("rr/dynamite/players");
const { DynamiteControls } = await import("rr/dynamite/controls");
const { Scene } = await import("rr/dynamite/pictures");
const { Store, fresh } = await import("rr/board/store");

const phaseOf = (view) => townPhaseOf(view, noteOf);
const roomsOf = (view) => townRoomsOf(view, ROOMS);

const NAMES = ["ann", "bob", "cyd", "dan"];
const OPTIONS = { seats: 4, phase_seconds: 60, listed: true, spectators: true };
const OWN = { team: "rock", is_alive: true, is_done: false, is_leaving: false, danger: null, mates: [0, 1], points: 2, reserved: 0, confrontations: [], target: null, nights: [], rooms: [{ room: "rock", lines: 1, may_post: true }], may: ["vote", "leave"] };

function player(no, more = {}) {
  return { no, is_alive: true, causes: [], died_round: null, team: null, vote: null, ...more };
}

function bandView(game = {}, own = {}, seat = 0) {
  return {
    match: { public_id: "m", title: "Fuse Street", status: "running", options: OPTIONS, options_revision: 1, void_reason: null, next: null },
    phase: 1,
    due_at: null,
    seats: NAMES.map((name, no) => ({ no, player: { name, bot: false }, ready: true })),
    you: { seat, name: seat === null ? null : NAMES[seat], balance: 100, may: [] },
    log: [],
    game: { stage: "day", phase: 1, round: 1, living: 4, quiet_phases: 0, quiet_limit: 6, tally: [], teams: [["rock", 2, 0]], seats: NAMES.map((_, no) => player(no)), town_lines: 0, last_night: null, last_day: null, result: null, you: seat === null ? null : { ...OWN, ...own }, ...game },
  };
}

function controlled(view) {
  const sent = [];
  const store = new Store({ ...fresh(view, { latest: () => null, ui: { room: null, drafts: {}, ask: null } }), link: "open" });
  const controls = new DynamiteControls(store, (frame) => sent.push(frame));
  return { controls, sent: () => sent.map(({ action }) => action) };
}

test("each mafia hunts another, in a circle", () => {
  for (const team of ["rock", "paper", "scissors"]) assert.equal(preyOf(hunterOf(team)), team);
  assert.equal(hunterOf("dynamite"), undefined);
});

test("a press by day is a vote, by night a confrontation, and again its withdrawal", () => {
  const day = controlled(bandView());
  day.controls.press(2);
  assert.deepEqual(day.sent(), [{ kind: "vote", choice: 2 }]);
  const night = bandView({ stage: "night" }, { may: ["confront", "done"], target: 3 });
  assert.deepEqual([pressKind(night), ownChoice(night)], ["confront", 3]);
  const pressed = controlled(night);
  pressed.controls.press(2);
  assert.deepEqual(pressed.sent(), [{ kind: "confront", target: 2 }]);
  const again = controlled(night);
  again.controls.press(3);
  assert.deepEqual(again.sent(), [{ kind: "withdraw" }]);
});

test("nobody can be pressed who must not be", () => {
  const day = bandView();
  assert.deepEqual(day.game.seats.map((one) => canPress(day, one)), [false, true, true, true]);
  assert.equal(canPress(day, player(2, { is_alive: false })), false);
  const night = bandView({ stage: "night" }, { may: ["confront", "done"] });
  assert.deepEqual(night.game.seats.map((one) => canPress(night, one)), [false, false, true, true]);
  const idle = bandView({ stage: "night" }, { may: ["done"] });
  assert.ok(!idle.game.seats.some((one) => canPress(idle, one)));
});

test("a team is shown of oneself, one's mates and the dead, and of nobody else", () => {
  const view = bandView();
  assert.deepEqual([0, 1, 2].map((no) => teamOf(view, player(no))), ["rock", "rock", null]);
  assert.equal(teamOf(view, player(2, { team: "paper" })), "paper");
  assert.equal(teamOf(bandView({}, {}, null), player(0)), null);
  const townie = bandView({}, { team: "dynamite", mates: null, danger: 1 });
  assert.deepEqual([0, 1].map((no) => teamOf(townie, player(no))), ["dynamite", null]);
});

test("every cause has words and a picture, and several are told together", () => {
  assert.equal(causeWords({ causes: ["stapler", "explosion"], team: "dynamite" }), "killed by a rampaging stapler and exploded");
  assert.equal(causeWords({ causes: ["confronted"], team: "rock" }), "confronted by the Paper Mafia");
  for (const cause of ["stapler", "explosion", "confronted", "townie", "left"]) assert.ok(Scene({ cause, team: "rock" }), cause);
  assert.equal(Scene({ cause: "old age", team: "rock" }), null);
});

test("what the town waits for is a vote by day and the check-in by night, of those who live and stay", () => {
  assert.equal(isMyMove(bandView()), true);
  assert.equal(isMyMove(bandView({ seats: NAMES.map((_, no) => player(no, { vote: 1 })) })), false);
  assert.equal(isMyMove(bandView({ stage: "night" }, { is_done: true })), false);
  assert.equal(isMyMove(bandView({ stage: "night" }, { is_leaving: true })), false);
  assert.equal(isMyMove(bandView({}, { is_alive: false })), false);
});

test("each state of the game has words of its own", () => {
  assert.equal(phaseOf(bandView()).title, "Day 1");
  assert.match(phaseOf(bandView({ quiet_phases: 4 })).note, /4 of 6/);
  assert.doesNotMatch(phaseOf(bandView({ quiet_phases: 3 })).note, /draw/);
  assert.match(taskOf(bandView()).heading, /vote/);
  assert.equal(taskOf(bandView({}, { is_leaving: true })).heading, "You have left");
  assert.match(taskOf(bandView({ stage: "night" }, { may: ["done"], team: "dynamite", danger: 0 })).words, /tough/);
  assert.match(taskOf(bandView({ stage: "night" }, { may: ["done"] })).heading, /too few points/);
  assert.match(taskOf(bandView({ stage: "night" }, { may: ["confront", "done"] })).heading, /Confront/);
  assert.equal(taskOf(bandView({ stage: "night" }, { may: ["confront", "withdraw"], target: 2 })).heading, "You confront cyd");
  assert.equal(taskOf(bandView({}, {}, null)).heading, "You are watching");
});

test("who died at the last change of phase is told, by day of the night, by night of the day", () => {
  const dead = player(2, { is_alive: false, causes: ["left"], team: "paper", died_round: 1 });
  const seats = [player(0), player(1), dead, player(3)];
  assert.equal(newsOf(bandView()), "Three mafias, one town, and nobody knows who is who.");
  const night = bandView({ stage: "night", seats, last_day: { round: 1, votes: [], died: [2] } });
  assert.equal(newsOf(night), "cyd died at the end of the day.");
  assert.deepEqual(latestDead(night.game), [dead]);
  assert.equal(newsOf(bandView({ round: 2, seats, last_night: { round: 1, died: [] } })), "Nobody died last night.");
});

test("endings name all that won", () => {
  const over = (result, seat = 0) => bandView({ stage: "over", result }, {}, seat);
  const won = over({ reason: "eliminated", teams: ["rock", "paper"], winners: [0, 3], awards: [] });
  assert.deepEqual(endingOf(won.game), { headline: "Rock Mafia and Paper Mafia win", reason: "The Scissors Mafia and Rock Mafia are wiped out. Townies who live win, too." });
  assert.deepEqual([hasWon(won), hasWon(over(won.game.result, 1)), hasWon(over(won.game.result, null))], [true, false, null]);
  assert.equal(endingOf(over({ reason: "quiet", teams: [], winners: [], awards: [] }).game).headline, "A draw");
  assert.equal(hasWon(over({ reason: "void", teams: [], winners: [], awards: [] })), null);
});

test("a mafia that left has lost where the others draw", () => {
  const drawn = bandView({ stage: "over", result: { reason: "quiet", teams: [], winners: [], awards: [] } });
  assert.equal(hasWon(drawn), null);
  const seats = drawn.game.seats.map((player) => (player.no ? player : { ...player, is_alive: false, causes: ["shot", "left"] }));
  assert.equal(hasWon({ ...drawn, game: { ...drawn.game, seats } }), false);
});

test("plans and rooms are those of the own team", () => {
  const view = bandView({ stage: "night" }, { confrontations: [[1, 3]] });
  assert.deepEqual(planLines(view), ["bob → dan"]);
  assert.deepEqual(roomsOf(view).map(({ room, word }) => [room, word]), [["rock", "The Rock Mafia"]]);
  assert.deepEqual(roomsOf(bandView({}, {}, null)).map(({ room }) => room), ["town"]);
});
