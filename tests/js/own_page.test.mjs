// A page's posts after a log-in in another tab. Run: pytest tests/js
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

const STALE = "stale";
let viewer;
let sent;
const fields = [{ value: STALE }, { value: STALE }];

globalThis.location = { href: "https://site.test/duels/" };
document.documentElement.dataset.viewer = "ann";
document.querySelector = () => fields[0];
document.querySelectorAll = () => fields;
globalThis.DOMParser = class {
  parseFromString() {
    return { documentElement: { dataset: { viewer } }, querySelector: () => ({ value: "fresh" }) };
  }
};
globalThis.fetch = async (url, given) => {
  if (!given) return { ok: true, status: 200, text: async () => "" };
  sent.push(given.headers["X-CSRFToken"]);
  return { ok: sent.at(-1) !== STALE, status: sent.at(-1) === STALE ? 403 : 204 };
};

mock.timers.enable({ apis: ["setTimeout"] });
const { post } = await import("rr/own-page");

beforeEach(() => {
  sent = [];
});

test("nobody posts as somebody else, but what anybody may do is done", async () => {
  viewer = "bob";
  assert.equal((await post("/browser/", {})).status, 403);
  assert.deepEqual(sent, [STALE]);
  assert.equal((await post("/theme/", { isForAnyone: true })).status, 204);
  assert.deepEqual(fields.map(({ value }) => value), [STALE, STALE]);
  mock.timers.tick(2_100); // what the page said is forgotten
});

test("a stale token is renewed once, in all forms of the page", async () => {
  viewer = "ann";
  assert.equal((await post("/theme/", {})).status, 204);
  assert.deepEqual(sent, [STALE, "fresh"]);
  assert.deepEqual(fields.map(({ value }) => value), ["fresh", "fresh"]);
  assert.equal((await post("/notebook/", {}, STALE)).status, 204);
  assert.deepEqual(sent, [STALE, "fresh", "fresh"]);
});
