// The lists of the lobby by changed rows; the front page's merged list and the game to watch, picked from its frame.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pick as open } from "../../static/js/open-now.js";
import { pick as watched } from "../../static/js/featured.js";
import { LobbyRows, changed } from "../../static/js/lobby-list.js";

const row = (public_id, more) => ({ public_id, status: "open", free: 1, seats: 2, players: [], spectators: true, watching: 0, ...more });

test("open seats of all games stand in one list, those with most people first", () => {
  const games = {
    one: [row("bot", { players: [{ name: "b", bot: true }] }), row("full", { free: 0 })],
    two: [row("person", { players: [{ name: "ann", bot: false }] }), row("substitute", { status: "running" })],
  };
  assert.deepEqual(open(games).map((one) => one.public_id), ["person", "bot", "substitute"]);
  assert.deepEqual(open({ one: [] }), []);
});

test("the game to watch is running, open to spectators, and has most of them", () => {
  const running = { status: "running", free: 0 };
  const games = {
    one: [row("open"), row("closed", { ...running, spectators: false, watching: 9 }), row("few", { ...running, watching: 1 })],
    two: [row("many", { ...running, watching: 3 })],
  };
  assert.deepEqual(watched(games).map((one) => one.public_id), ["many"]);
  assert.deepEqual(watched({ one: [row("open")] }), []);
});

const keys = (list) => list.map(({ public_id }) => public_id);

test("changed rows stand where the site puts them, in place of their older versions", () => {
  const before = ["a", "b", "c", "d"].map((id) => row(id));
  const moved = row("d", { watching: 1 });
  const after = changed(before, { gone: ["a"], rows: [[0, row("e")], [2, moved], [3, row("f")]] });
  assert.deepEqual(keys(after), ["e", "b", "d", "f", "c"]);
  assert.equal(after[2], moved);
  assert.deepEqual(keys(before), ["a", "b", "c", "d"]);
});

test("a page asks for changes with its first heartbeats, until the lists have come", () => {
  const known = new LobbyRows({ duel: [row("old")] });
  known.begin();
  assert.deepEqual(known.beat(), { type: "seen", revision: 0, since: 0 });
  assert.equal(known.take({ type: "now" }), false);
  assert.deepEqual(keys(known.games.duel), ["old"]);
  assert.equal(known.take({ type: "lobby", revision: 1, games: { duel: [row("a")], agora: [] } }), false);
  assert.deepEqual(known.beat(), { type: "seen", revision: 1 });
  assert.equal(known.take({ type: "rows", revision: 2, games: { duel: { gone: [], rows: [[0, row("b")]] } } }), false);
  assert.deepEqual(keys(known.games.duel), ["b", "a"]);
  assert.deepEqual(known.games.agora, []);
});

test("a missing frame is asked for once, and nothing is shown until the lists come", () => {
  const known = new LobbyRows({});
  known.take({ type: "lobby", revision: 1, games: { duel: [row("a")] } });
  const change = { duel: { gone: [], rows: [[0, row("c")]] } };
  assert.equal(known.take({ type: "rows", revision: 3, games: change }), true);
  assert.deepEqual(known.beat(), { type: "seen", revision: 1, since: 1 });
  assert.equal(known.take({ type: "rows", revision: 4, games: change }), false);
  assert.deepEqual(keys(known.games.duel), ["a"]);
  known.take({ type: "lobby", revision: 5, games: { duel: [row("c"), row("b"), row("a")] } });
  assert.equal(known.beat().since, undefined);
  known.take({ type: "rows", revision: 6, games: { duel: { gone: ["c"], rows: [] } } });
  assert.deepEqual(keys(known.games.duel), ["b", "a"]);
});

test("another socket begins anew: its numbers say nothing of those before", () => {
  const known = new LobbyRows({});
  known.take({ type: "lobby", revision: 1, games: { duel: [row("a")] } });
  known.begin();
  assert.deepEqual(known.beat(), { type: "seen", revision: 0, since: 0 });
  assert.equal(known.take({ type: "rows", revision: 2, games: { duel: { gone: ["a"], rows: [] } } }), false, "it has asked");
  assert.deepEqual(keys(known.games.duel), ["a"]);
  known.take({ type: "lobby", revision: 3, games: { duel: [row("b")] } });
  assert.deepEqual(keys(known.games.duel), ["b"]);
});

test("people whom one follows are shown where they play or wait, else only while they are online", async () => {
  const { friendsIn } = await import("../../static/js/friends.js");
  const { pick } = await import("../../static/js/waiting.js");
  const player = (name, bot = false) => ({ name, bot });
  const row = (public_id, status, players, more = {}) => ({ public_id, status, players, spectators: true, free: status === "open" ? 1 : 0, ...more });
  const games = {
    duel: [row("a", "running", [player("bob"), player("cyd")]), row("b", "running", [player("dan")], { spectators: false })],
    showdown: [row("c", "open", [player("eve"), player("Rita", true)]), row("d", "open", [player("Rita", true)])],
  };
  const people = [["ann", false], ["bob", false], ["dan", true], ["eve", true], ["flo", false]];
  const shown = friendsIn(games, people).map(({ name, row: found }) => [name, found?.public_id ?? null]);
  assert.deepEqual(shown, [["bob", "a"], ["eve", "c"], ["dan", null]]);
  assert.deepEqual(pick(games).map(({ public_id }) => public_id), ["c"]);
});
