// Wagons, votes between posts, phases and search. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { changesOf, countWords, lastVote, phaseOf, timeWords, wagonText, wagonsAt, withVotes } = await import("rr/mafia/wagons");
const { NOTHING, found, needsOlder, placed } = await import("rr/mafia/posts");
const { appointedWords } = await import("rr/mafia/appointment");
const { mayWriteWill } = await import("rr/mafia/will");

const NAMES = ["Ann", "Bob", "Cyd", "Dan", "Eve"];
const name = (choice) => (choice === "none" ? "Nobody" : NAMES[choice]);
const AT = "2026-11-25T14:02:00.000Z";

function cast(seat, choice, after = 0, more = {}) {
  return { seat, choice, after, at: AT, is_death: false, needed: 3, ...more };
}

const DAY = {
  round: 1,
  living: [0, 1, 2, 3, 4],
  needed: 3,
  is_over: true,
  cast: [
    cast(0, 3, 1),
    cast(1, 2, 1),
    cast(2, "none", 4),
    cast(1, 3, 5),
    cast(0, null, 5),
    cast(4, null, 6, { is_death: true, needed: 3 }),
    cast(0, 3, 6),
    cast(2, 3, 6),
    cast(3, null, 6, { is_death: true, needed: 2 }),
  ],
};

function seatsOf({ wagons }) {
  return wagons.map(({ choice, voters }) => [choice, voters.map(({ seat }) => seat)]);
}

test("a wagon has its voters in the order of the votes that stand", () => {
  assert.deepEqual(seatsOf(wagonsAt(DAY, 0)), []);
  assert.deepEqual(wagonsAt(DAY, 0).silent, [0, 1, 2, 3, 4]);
  assert.deepEqual(seatsOf(wagonsAt(DAY, 3)), [[3, [0]], [2, [1]], ["none", [2]]]);
  assert.deepEqual(seatsOf(wagonsAt(DAY, 4)), [[3, [0, 1]], ["none", [2]]]);
  // Who takes the vote back and votes again stands last.
  assert.deepEqual(seatsOf(wagonsAt(DAY, 7)), [[3, [1, 0]], ["none", [2]]]);
});

test("the dead neither vote nor are missed", () => {
  const after = wagonsAt(DAY, 6);
  assert.deepEqual([after.silent, after.living, after.needed], [[0, 3], [0, 1, 2, 3], 3]);
  assert.deepEqual(wagonsAt(DAY, 9).needed, 2);
});

test("a finished day is shown as it was decided, a running one as it stands", () => {
  assert.equal(lastVote(DAY), 8);
  assert.equal(lastVote({ ...DAY, is_over: false }), 9);
  assert.deepEqual(seatsOf(wagonsAt(DAY, lastVote(DAY))), [[3, [1, 0, 2]]]);
});

test("wagons are copied as plain text", () => {
  const clock = timeWords(AT);
  assert.equal(wagonText("Bell Street, day 1", wagonsAt(DAY, 3), name), [
    "Bell Street, day 1",
    `Dan (1 of 3): Ann (#1, ${clock})`,
    `Cyd (1 of 3): Bob (#1, ${clock})`,
    `Nobody (1 of 3): Cyd (#4, ${clock})`,
    "Not voting (2): Dan, Eve",
    "5 alive, 3 votes decide.",
  ].join("\n"));
  const free = { ...DAY, needed: null, cast: [cast(0, 1, 0, { needed: null })] };
  assert.equal(wagonText("x", wagonsAt(free, 1), name), `x\nBob (1): Ann (${clock})\nNot voting (4): Bob, Cyd, Dan, Eve`);
  assert.equal(countWords(2, null), "2");
});

test("votes stand between the posts, with the size of their wagon then", () => {
  const changes = changesOf([DAY], "night");
  assert.deepEqual(changes.map(({ seat, choice, size, phase }) => [seat, choice, size, phase]), [
    [0, 3, 1, 2], [1, 2, 1, 2], [2, "none", 1, 2], [1, 3, 2, 2], [0, null, 0, 2], [0, 3, 2, 2], [2, 3, 3, 2],
  ]);
  assert.deepEqual([phaseOf(2, "night"), phaseOf(2, "day")], [4, 3]);
  const posts = [4, 5, 6, 7].map((no) => ({ no }));
  const kinds = (items) => items.map(({ post, change }) => post?.no ?? `${change.seat}>${change.choice}`);
  assert.deepEqual(kinds(withVotes(posts, changes, 1)), ["0>3", "1>2", 4, "2>none", 5, "1>3", "0>null", 6, "0>3", "2>3", 7]);
  assert.deepEqual(kinds(withVotes(posts, changes, 4)), [4, "2>none", 5, "1>3", "0>null", 6, "0>3", "2>3", 7]);
  assert.deepEqual(kinds(withVotes([], changes.slice(0, 2), 1)), ["0>3", "1>2"]);
});

test("posts are found by phase and by all words, in text or author", () => {
  const posts = [
    { no: 1, phase: 2, name: "Ann", text: "Who is the Doctor?" },
    { no: 2, phase: 4, name: "Bob", text: "Not me." },
    { no: 3, phase: 4, name: "Ann", text: "" },
  ];
  const numbers = (...given) => found(posts, ...given).map(({ no }) => no);
  assert.deepEqual([numbers(0, ""), numbers(4, " "), numbers(0, "ann doctor"), numbers(4, "ANN"), numbers(2, "bob")], [[1, 2, 3], [2, 3], [1], [3], []]);
});

test("a will stands in the day that ended with its author's death", () => {
  const posts = [{ no: 1, phase: 2 }, { no: 2, phase: 3, is_will: true }, { no: 3, phase: 4, is_will: true }, { no: 4, phase: 7, is_will: true }];
  const phases = (...given) => placed(posts, ...given).map(({ phase }) => phase);
  assert.deepEqual(phases("night", 6), [2, 2, 4, 6]);
  assert.deepEqual(phases("day", 6), [2, 3, 3, 6]);
  assert.equal(placed(posts, "night", 6)[0], posts[0]);
});

test("older pages are read as far as the choice needs them", () => {
  const room = { posts: [{ no: 51, phase: 4 }], last: 100 };
  assert.equal(needsOlder(room, "all", 0, " "), false);
  assert.deepEqual([needsOlder(room, "2", 0, ""), needsOlder(room, "all", 0, "x"), needsOlder(room, "all", 4, ""), needsOlder(room, "all", 2, "")], [true, true, true, true]);
  assert.equal(needsOlder(room, "all", 6, ""), false);
  assert.equal(needsOlder({ posts: [{ no: 1, phase: 2 }], last: 9 }, "2", 2, "x"), false);
  assert.equal(needsOlder(NOTHING, "2", 2, "x"), false);
});

test("an appointment is said in the viewer's time", () => {
  assert.match(appointedWords(AT), /25/);
});

test("a will is written by the living where the table has wills", () => {
  const view = { match: { status: "running", options: { last_wills: true } }, game: { stage: "day", you: { is_alive: true } } };
  assert.equal(mayWriteWill(view), true);
  assert.equal(mayWriteWill({ ...view, match: { ...view.match, options: {} } }) || false, false);
  for (const you of [null, { is_alive: false }, { is_alive: true, is_leaving: true }]) assert.equal(mayWriteWill({ ...view, game: { ...view.game, you } }), false);
  assert.equal(mayWriteWill({ ...view, game: { ...view.game, stage: "over" } }), false);
});
