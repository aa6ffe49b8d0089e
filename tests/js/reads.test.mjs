// Sealed reads of watchers and of the dead. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { draftFor, mayRead } = await import("rr/mafia/reads");

const CONFIG = { read_url: "/reads/abc/", csrf: "token" };

function watched({ you = null, status = "running", stage = "day", contest = false } = {}) {
  return { match: { status, options: { contest } }, game: { stage, you } };
}

test("watchers and the dead may seal a read while a game runs, but not in a contest or as a guest", () => {
  assert.ok(mayRead(watched(), CONFIG));
  assert.ok(mayRead(watched({ you: { is_alive: false } }), CONFIG));
  assert.ok(!mayRead(watched({ you: { is_alive: true } }), CONFIG));
  assert.ok(!mayRead(watched({ contest: true }), CONFIG));
  assert.ok(!mayRead(watched({ stage: "over" }), CONFIG));
  assert.ok(!mayRead(watched({ status: "void" }), CONFIG));
  assert.ok(!mayRead(watched(), { ...CONFIG, csrf: null }));
});

test("a read keeps what the viewer has chosen, else it begins with what was sealed, for the seats that are asked", () => {
  assert.deepEqual(draftFor({ seats: [0, 2], sealed: null }, {}), { 0: 0, 2: 0 });
  assert.deepEqual(draftFor({ seats: [0, 2], sealed: null }, { 0: 3, 1: 2 }), { 0: 3, 2: 0 });
  assert.deepEqual(draftFor({ seats: [0, 2], sealed: { 0: 1, 2: 2 } }, { 0: 3 }), { 0: 3, 2: 2 });
});
