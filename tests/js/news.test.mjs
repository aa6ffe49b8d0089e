// The texts of the bell's toasts and the title. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { News, counted } = await import("rr/news");

const town = (what) => ({ title: "Agora", url: "/m/1/", what });
const duel = { title: "The Alley", url: "/m/2/", what: "Throw" };

test("what waited when the page was loaded is no news", () => {
  assert.deepEqual(new News([town("Vote")]).of([town("Vote")]), []);
});

test("another table, and another phase at the same one, are news once", () => {
  const news = new News([town("Vote")]);
  assert.deepEqual(news.of([duel, town("Vote")]), [duel]);
  assert.deepEqual(news.of([duel, town("Check in")]), [town("Check in")]);
  assert.deepEqual(news.of([duel, town("Check in")]), []);
});

test("what waits again after it did not is news", () => {
  const news = new News([]);
  assert.deepEqual(news.of([duel]), [duel]);
  assert.deepEqual(news.of([]), []);
  assert.deepEqual(news.of([duel]), [duel]);
});

test("the title counts what waits, and says nothing of none", () => {
  assert.equal(counted("Wallet", 2), "(2) Wallet");
  assert.equal(counted("(2) Wallet", 1), "(1) Wallet");
  assert.equal(counted("(12) Wallet", 0), "Wallet");
  assert.equal(counted("Wallet", 0), "Wallet");
});
