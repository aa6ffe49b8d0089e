// The front page's merged list and the game to watch, picked from the lobby's frame.
import assert from "node:assert/strict";
import { test } from "node:test";
import { pick as open } from "../../static/js/open-now.js";
import { pick as watched } from "../../static/js/featured.js";

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
