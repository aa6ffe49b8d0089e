// The page's socket: a line without answers is replaced, and each end has its words and a way out.
// Run: pytest tests/js
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { afterEach, beforeEach, mock, test } from "node:test";

class Line extends EventTarget {
  static all = [];
  static isDown = false;
  readyState = 0;
  sent = [];

  constructor(url) {
    super();
    this.url = url;
    Line.all.push(this);
    if (Line.isDown) queueMicrotask(() => this.end(1006));
    else if (!Line.isSwallowed) queueMicrotask(() => this.open());
  }

  open() {
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  send(text) {
    this.sent.push(JSON.parse(text));
    if (!this.isSwallowed) this.say({ type: "now", now: new Date().toISOString() });
  }

  say(frame) {
    this.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(frame) }));
  }

  /** Ours: on a swallowed line the other end never hears of it, and no event comes. */
  close() {
    this.readyState = 2;
  }

  end(code) {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason: "" }));
  }
}

const heard = Object.fromEntries(["online", "offline", "visibilitychange"].map((name) => [name, new Set()]));
let page;

globalThis.WebSocket = Line;
globalThis.navigator ??= { onLine: true };
globalThis.location = { protocol: "https:", host: "site.test", href: "https://site.test/tables/a/", pathname: "/tables/a/" };
globalThis.addEventListener = (name, hear) => heard[name].add(hear);
globalThis.removeEventListener = (name, hear) => heard[name].delete(hear);
Object.assign(document, { addEventListener, removeEventListener, hidden: false });
document.documentElement.dataset.viewer = "Ann";
globalThis.fetch = async () => ({ ok: page.ok ?? true, status: page.status ?? 200, text: async () => page.viewer });
globalThis.DOMParser = class {
  parseFromString(viewer) {
    return { documentElement: { dataset: { viewer } }, querySelector: () => ({ value: "fresh" }) };
  }
};

const { LiveSocket, wayOut } = await import("rr/live-socket");
const { Connection } = await import("rr/board/connection");

const happen = (name) => [...heard[name]].forEach((hear) => hear());
const settle = () => new Promise((resolve) => setImmediate(resolve));
/** Let time pass in steps of half a second, as the timers and promises of a page do. */
async function pass(seconds) {
  for (let step = 0; step < seconds * 2; step += 1) {
    mock.timers.tick(500);
    await settle();
  }
}

let made = [];

async function connected(given = {}) {
  const links = [];
  const frames = [];
  const socket = new LiveSocket("/ws/match/a/", {
    beat: () => ({ type: "seen", revision: 0 }),
    onFrame: (frame) => frames.push(frame),
    onLink: (...link) => links.push(link),
    ...given,
  });
  made.push(socket);
  await pass(1);
  return { socket, links, frames };
}

beforeEach(() => {
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: Date.parse("2026-11-26T12:00:00Z") });
  Object.assign(Line, { all: [], isDown: false, isSwallowed: false });
  page = { viewer: "Ann" };
  document.hidden = false;
});

afterEach(async () => {
  made.forEach((socket) => socket.close());
  made = [];
  await pass(3); // what the page was asked is forgotten
  mock.timers.reset();
});

test("no page opens a socket in another way", async () => {
  const root = new URL("../../static/js/", import.meta.url);
  const names = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".js"));
  const opening = [];
  for (const name of names) {
    if (/partysocket|\bWebSocket\(/.test(await readFile(new URL(name, root), "utf8"))) opening.push(name);
  }
  assert.deepEqual(opening, ["live-socket.js"]);
});

test("a line that answers stays, for an hour", async () => {
  const { links } = await connected();
  await pass(3_600);
  assert.equal(Line.all.length, 1);
  assert.deepEqual(links, [["open", "", ""]]);
  assert.ok(Line.all[0].sent.length >= 3_600 / 16);
});

test("a swallowed line is replaced within 45 seconds, after two unanswered heartbeats", async () => {
  const { links } = await connected();
  const [line] = Line.all;
  const before = line.sent.length;
  line.isSwallowed = true;
  await pass(15 + 8);
  assert.equal(Line.all.length, 1, "one unanswered heartbeat is not enough");
  await pass(10);
  assert.equal(Line.all.length, 2);
  assert.equal(line.sent.length - before, 2);
  assert.deepEqual(links.map(([link]) => link), ["open", "lost", "open"]);
});

test("views that still come do not make a line live that answers nothing", async () => {
  await connected();
  const [line] = Line.all;
  line.isSwallowed = true;
  for (let second = 0; second < 45; second += 1) {
    line.say({ type: "view", revision: second + 1 });
    await pass(1);
  }
  assert.ok(Line.all.length > 1);
});

test("a handshake that is swallowed is tried again", async () => {
  await connected();
  Line.all[0].isSwallowed = true;
  Line.isSwallowed = true;
  await pass(45);
  Line.isSwallowed = false;
  await pass(12);
  assert.equal(Line.all.at(-1).readyState, 1);
});

test("a line that is on its way is not begun again when the network is back", async () => {
  await connected();
  Line.isSwallowed = true;
  Line.all[0].end(1006);
  await pass(2);
  assert.deepEqual(Line.all.map((line) => line.readyState), [3, 0]);
  happen("online");
  await pass(1);
  assert.deepEqual(Line.all.map((line) => line.readyState), [3, 0]);
  Line.isSwallowed = false;
  await pass(12);
});

test("a page that is looked at again tries its line at once", async () => {
  const { socket } = await connected();
  const [line] = Line.all;
  const before = line.sent.length;
  document.hidden = true;
  happen("visibilitychange");
  assert.equal(line.sent.length, before);
  document.hidden = false;
  happen("visibilitychange");
  assert.equal(line.sent.length, before + 1);
  assert.ok(socket.isOpen);
});

test("after the network was away only an answer makes the line live", async () => {
  const { links } = await connected();
  const [line] = Line.all;
  line.isSwallowed = true;
  happen("offline");
  happen("online");
  await pass(1);
  assert.deepEqual(links.at(-1)[0], "lost");
  assert.match(links.at(-1)[1], /offline/i);
  assert.doesNotMatch(links.at(-1)[1], /is sent when/);
  await pass(20);
  assert.equal(links.at(-1)[0], "open");
  assert.equal(Line.all.length, 2);
});

test("each close code has its words and a way out", async () => {
  for (const [code, way] of [[4403, "lobby"], [4409, "here"], [4410, "practice"], [4411, "again"], [4499, "again"]]) {
    const { links } = await connected();
    const lines = Line.all.length;
    Line.all.at(-1).end(code);
    await pass(60);
    assert.equal(Line.all.length, lines, `${code} does not connect by itself`);
    const [link, words, out] = links.at(-1);
    assert.deepEqual([link, out], ["ended", way]);
    assert.ok(words);
  }
  for (const code of [1000, 1006, 1009, 4408, 4412, 4429]) {
    const { links } = await connected();
    Line.all.at(-1).end(code);
    await pass(20);
    assert.equal(links.at(-1)[0], "open", `${code} connects again`);
  }
});

test("a line put aside comes back by its button, or when its page is looked at", async () => {
  for (const come of [(socket) => socket.resume(), () => happen("visibilitychange")]) {
    const { socket, links } = await connected();
    Line.all.at(-1).end(4409);
    await pass(5);
    assert.doesNotMatch(links.at(-1)[1], /log/i);
    come(socket);
    await pass(2);
    assert.equal(links.at(-1)[0], "open");
  }
  let hasResumed = false;
  const { words, press } = wayOut("here", () => (hasResumed = true));
  press();
  assert.deepEqual([words, hasResumed], ["Use here", true]);
});

test("after 4401 the current cookie is tried once", async () => {
  const { links } = await connected();
  Line.all.at(-1).end(4401);
  await pass(5);
  assert.equal(links.at(-1)[0], "open");
  Line.all.at(-1).end(4401);
  await pass(5);
  assert.deepEqual([links.at(-1)[0], links.at(-1)[2]], ["ended", "login"]);
  assert.equal(Line.all.length, 2);
});

test("after 4401 nobody plays on as somebody else", async () => {
  for (const [viewer, way] of [["", "login"], ["Bob", "reload"]]) {
    page = { viewer };
    const { links } = await connected();
    const lines = Line.all.length;
    Line.all.at(-1).end(4401);
    await pass(30);
    assert.equal(Line.all.length, lines);
    assert.deepEqual([links.at(-1)[0], links.at(-1)[2]], ["ended", way]);
    await pass(3);
  }
});

test("a public list goes on for whoever is logged out", async () => {
  page = { viewer: "" };
  const { links } = await connected({ isPublic: true });
  Line.all.at(-1).end(4401);
  await pass(5);
  assert.equal(links.at(-1)[0], "open");
});

test("handshakes that are refused again and again end with the reason that the page gives", async () => {
  for (const [answer, way] of [[{ viewer: "" }, "login"], [{ viewer: "Ann", ok: false, status: 404 }, "lobby"]]) {
    page = answer;
    const { links } = await connected();
    Line.isDown = true;
    Line.all.at(-1).end(1006);
    await pass(30);
    assert.deepEqual([links.at(-1)[0], links.at(-1)[2]], ["ended", way]);
    Line.isDown = false;
  }
});

test("handshakes that fail while the site is away are tried on", async () => {
  page = { viewer: "", status: 502, ok: false };
  const { links } = await connected();
  Line.isDown = true;
  Line.all.at(-1).end(1006);
  await pass(60);
  Line.isDown = false;
  await pass(10);
  assert.equal(links.at(-1)[0], "open");
});

test("an action without an answer asks at once whether the line still lives", async () => {
  const storage = { getItem: () => null, setItem() {} };
  const links = [];
  const board = { onFrame() {}, onPending() {}, onLate() {}, onLink: (link) => links.push(link) };
  const connection = new Connection("/ws/match/a/", board, storage);
  made.push(connection);
  await pass(1);
  Line.all[0].isSwallowed = true;
  connection.send({ type: "act", phase: 1, action: { kind: "throw", hand: "rock" } });
  await pass(20);
  assert.equal(Line.all.length, 2);
  assert.equal(links.at(-1), "open");
});

test("a page on call says every few seconds, and when it is hidden or shown, whether it is visible", async () => {
  const storage = { getItem: () => null, setItem() {} };
  let isOnCall = true;
  const board = { onFrame() {}, onPending() {}, onLate() {}, onLink() {}, isOnCall: () => isOnCall };
  made.push(new Connection("/ws/match/a/", board, storage));
  await pass(9);
  const [{ sent }] = Line.all;
  assert.ok(sent.length >= 3, "twice in ten seconds at least, whatever is late");
  const last = () => sent.at(-1).visible;
  assert.equal(last(), true);
  for (const hidden of [true, false]) {
    document.hidden = hidden;
    const before = sent.length;
    happen("visibilitychange");
    assert.deepEqual([sent.length, last()], [before + 1, !hidden]);
  }
  isOnCall = false;
  await pass(5);
  assert.equal(last(), undefined);
  const before = sent.length;
  document.hidden = true;
  happen("visibilitychange");
  assert.equal(sent.length, before, "else nobody asks");
});

/** A board's connection with what it has shown; its socket is open. */
async function board(more = { wantsParts: true }) {
  const views = [];
  const listener = { onPending() {}, onLate() {}, onLink() {}, momentOf: () => "", onFrame: ({ type, view }) => type === "view" && views.push(view), ...more };
  made.push(new Connection("/ws/match/a/", listener, { getItem: () => null, setItem() {} }));
  await pass(1);
  const line = Line.all.at(-1);
  const tell = (type, revision, content) => line.say({ type, revision, now: new Date().toISOString(), [type]: content });
  return { views, line, tell };
}

test("a board asks for parts, and puts them over the last view", async () => {
  const { views, line, tell } = await board();
  assert.deepEqual(line.sent, [{ type: "seen", revision: 0, parts: true }]);
  tell("view", 1, { phase: 1, log: ["a"], you: { seat: 0 } });
  tell("parts", 2, { phase: 2, log: ["a", "b"] });
  tell("parts", 3, { you: null });
  assert.deepEqual(views.at(-1), { phase: 2, log: ["a", "b"], you: null });
  assert.deepEqual(views[0], { phase: 1, log: ["a"], you: { seat: 0 } });
  await pass(16);
  assert.deepEqual(line.sent.at(-1), { type: "seen", revision: 3 });
});

test("a board that misses a part asks once for the whole, and shows nothing until it comes", async () => {
  const { views, line, tell } = await board();
  tell("view", 1, { phase: 1, due_at: null });
  const before = line.sent.length;
  tell("parts", 3, { phase: 3 });
  tell("parts", 4, { due_at: "then" });
  assert.deepEqual(line.sent.slice(before), [{ type: "seen", revision: 1, parts: true }]);
  assert.deepEqual(views, [{ phase: 1, due_at: null }]);
  tell("view", 5, { phase: 3, due_at: "then" });
  tell("parts", 6, { phase: 4 });
  assert.deepEqual(views.slice(1), [{ phase: 3, due_at: "then" }, { phase: 4, due_at: "then" }]);
});

test("a board's new socket begins anew, and who has no views does not ask", async () => {
  const { views, line, tell } = await board();
  tell("view", 1, { phase: 1 });
  line.end(1006);
  await pass(3);
  const again = Line.all.at(-1);
  assert.notEqual(again, line);
  assert.deepEqual(again.sent[0], { type: "seen", revision: 0, parts: true });
  again.say({ type: "view", revision: 1, now: "", view: { phase: 7, seed: "s" } });
  again.say({ type: "parts", revision: 2, now: "", parts: { phase: 8 } });
  assert.deepEqual(views.slice(1), [{ phase: 7, seed: "s" }, { phase: 8, seed: "s" }]);
  const arena = await board({});
  assert.deepEqual(arena.line.sent, [{ type: "seen", revision: 0 }]);
});
