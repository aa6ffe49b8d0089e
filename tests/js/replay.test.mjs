// The replay without a page: places, keys, pages of views, play and pause, sharing.
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { Replay, phaseFrom, placeOf, replayWish } from "rr/replays/replay";
import { share } from "rr/replays/share";
import { Store, fresh } from "rr/board/store";
import { NOTHING, upTo, withPage } from "rr/mafia/posts";

const MOMENTS = Array.from({ length: 120 }, (_, place) => [10 + 2 * place, Math.floor(place / 10) + 1]);
const view = (no) => ({ phase: no, match: { public_id: "m" }, log: [{ n: no, text: `line ${no}` }], game: { no }, you: { name: null } });

function started(more = {}) {
  const config = { moments: MOMENTS, at: 10, as: null, digest: "d", pages_url: "/p", ...more };
  const state = { ...fresh(view(10)), link: "replay", replay: Replay.first(config, { at: "2026-01-01T00:00:10Z" }) };
  const store = new Store(state);
  return { store, replay: new Replay(config, store) };
}

let asked;
beforeEach(() => {
  asked = [];
  globalThis.location = { pathname: "/duels/x/replay/", href: "http://here/duels/x/replay/" };
  globalThis.history = { replaceState: (_state, _title, address) => asked.push(address) };
  globalThis.fetch = async (address) => {
    asked.push(address);
    const from = Number(new URL(address, "http://here").searchParams.get("from"));
    const views = MOMENTS.filter(([no]) => no >= from).slice(0, 50).map(([no]) => ({ no, at: "2026-01-01T00:01:00Z", view: view(no) }));
    return { ok: true, json: async () => ({ views }) };
  };
});

test("an entry between two moments is shown as the one before it", () => {
  assert.equal(placeOf(MOMENTS, 13), 1);
  assert.equal(placeOf(MOMENTS, 0), 0);
  assert.equal(placeOf(MOMENTS, 9999), 119);
});

test("a phase on or back begins with the first moment of it", () => {
  assert.equal(phaseFrom(MOMENTS, 3, 1), 10);
  assert.equal(phaseFrom(MOMENTS, 13, -1), 10);
  assert.equal(phaseFrom(MOMENTS, 10, -1), 0);
  assert.equal(phaseFrom(MOMENTS, 0, -1), 0);
  assert.equal(phaseFrom(MOMENTS, 115, 1), 119);
});

test("keys step, and mean nothing in a field or with a modifier", () => {
  const key = (name, more = {}) => replayWish({ key: name, ...more }, MOMENTS, 5);
  assert.deepEqual([key("ArrowLeft"), key("ArrowRight"), key("Home"), key("End")], [{ go: 4 }, { go: 6 }, { go: 0 }, { go: 119 }]);
  assert.deepEqual(key(" "), { play: true });
  assert.equal(key("ArrowLeft", { ctrlKey: true }), null);
  assert.equal(key("x"), null);
  const within = (names) => ({ closest: (selector) => (names.some((name) => selector.includes(name)) ? {} : null) });
  assert.equal(key("ArrowLeft", { target: within(["select"]) }), null);
  assert.equal(key("ArrowRight", { target: within(["[role=region][tabindex]"]) }), null, "it scrolls there");
  assert.equal(key(" ", { target: within(["button"]) }), null);
  assert.deepEqual(key("End", { target: within(["button"]) }), { go: 119 });
});

test("a step asks for a page once, and goes no further than the ends", async () => {
  const { store, replay } = started();
  await replay.go(1);
  await replay.go(2);
  await replay.go(-5);
  assert.equal(store.state.replay.place, 0);
  await replay.go(500);
  assert.equal(store.state.replay.place, 119);
  assert.deepEqual(asked, ["/p?digest=d&from=10", "/p?digest=d&from=210"]);
  assert.equal(store.state.view.phase, MOMENTS[119][0]);
  assert.equal(replay.address, "/duels/x/replay/?at=248&as=");
});

test("a step on adds to the log, and a jump shows the log as it stood", async () => {
  const { store, replay } = started();
  await replay.go(1);
  assert.deepEqual(store.state.feed.map(({ n }) => n), [10, 12]);
  await replay.go(9);
  assert.deepEqual(store.state.feed.map(({ n }) => n), [28]);
  assert.equal(store.state.link, "replay");
});

test("other eyes ask for other pages, and the same place is shown", async () => {
  const { store, replay } = started();
  await replay.go(60);
  await replay.go(60, 1);
  assert.deepEqual([store.state.replay.place, store.state.replay.eyes], [60, 1]);
  assert.equal(asked.at(-1), "/p?digest=d&from=110&as=1");
});

test("near the end of a page the next one is asked for beforehand", async () => {
  const { replay } = started();
  await replay.go(40);
  assert.deepEqual(asked, ["/p?digest=d&from=10", "/p?digest=d&from=110"]);
});

test("a page that does not come is a problem that the next try solves", async () => {
  const { store, replay } = started();
  const { fetch } = globalThis;
  globalThis.fetch = async () => ({ ok: false, status: 503 });
  await replay.go(1);
  assert.deepEqual([store.state.replay.problem, store.state.replay.place], [true, 0]);
  globalThis.fetch = fetch;
  await replay.go(1);
  assert.deepEqual([store.state.replay.problem, store.state.replay.place], [false, 1]);
});

test("an answer that comes after a newer wish is dropped", async () => {
  const { store, replay } = started();
  const { fetch } = globalThis;
  let release;
  globalThis.fetch = async (address) => {
    if (address.includes("from=10")) await new Promise((resolve) => { release = resolve; });
    return fetch(address);
  };
  const slow = replay.go(1);
  await replay.go(60);
  release();
  await slow;
  assert.equal(store.state.replay.place, 60);
});

test("play goes on by itself at its speed, and stops at the end", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { store, replay } = started();
  await replay.go(117);
  replay.setSpeed(2);
  replay.play();
  const wait = async (ms) => {
    mock.timers.tick(ms);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  await wait(740);
  assert.equal(store.state.replay.place, 117);
  await wait(20);
  assert.equal(store.state.replay.place, 118);
  replay.toggle();
  await wait(5000);
  assert.deepEqual([store.state.replay.place, store.state.replay.isPlaying], [118, false]);
  replay.toggle();
  await wait(760);
  assert.deepEqual([store.state.replay.place, store.state.replay.isPlaying], [119, false]);
  mock.timers.reset();
});

test("the clock of a replay stands at the moment", async () => {
  const { replay } = started();
  assert.equal(replay.clock.left("2026-01-01T00:00:12Z"), 2000);
  await replay.go(3);
  assert.equal(replay.clock.left("2026-01-01T00:00:12Z"), 0);
});

test("the posts of a moment end at its last one and have no gap", () => {
  const post = (no) => ({ no, text: `${no}` });
  let room = withPage(NOTHING, { posts: [1, 2, 3].map(post), last: 9 });
  room = withPage(room, { posts: [7, 8, 9].map(post), last: 9 });
  assert.deepEqual(upTo(room, 8).posts.map(({ no }) => no), [7, 8]);
  assert.deepEqual(upTo(room, 2).posts.map(({ no }) => no), [1, 2]);
  assert.deepEqual(upTo(room, 5).posts, []);
});

test("sharing opens what the device has, or copies the whole address", async () => {
  globalThis.document = { title: "A duel" };
  let given = null;
  assert.equal(await share("/a/?at=3", { share: async (what) => { given = what; } }), "");
  assert.deepEqual(given, { title: "A duel", url: "http://here/a/?at=3" });
  let copied = null;
  const clipboard = { writeText: async (text) => { copied = text; } };
  assert.equal(await share("/a/", { clipboard }), "Link copied");
  assert.equal(copied, "http://here/a/");
  const abort = Object.assign(new Error("closed"), { name: "AbortError" });
  assert.equal(await share("/a/", { share: async () => { throw abort; } }), "");
  assert.equal(await share("/a/", { clipboard: { writeText: async () => { throw new Error("no"); } } }), "http://here/a/");
});
