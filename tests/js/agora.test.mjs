// The town's words, marks, posts and controls. Run: pytest tests/js
import assert from "node:assert/strict";
import { test } from "node:test";

const { complexWords, paidOf, ratedWords } = await import("rr/mafia/awards");
const { blocks, mentions, quoted, spans } = await import("rr/mafia/marks");
const { fitsFrame, postLong } = await import("rr/mafia/sending");
const { NOTHING, filtered, hasOlder, newest, oldest, phaseName, wanted, withPage } = await import("rr/mafia/posts");
const { awayWords, lostSeat, mayTakeOver, openSeats, warningFor } = await import("rr/mafia/absence");
const { openRoom, roomLeft } = await import("rr/mafia/thread");
const { Notebook, notebookOf } = await import("rr/mafia/memory");
const { lengthWords, listed, spanWords } = await import("rr/board/wording");
const { hasActed, isMyMove, ownChoice, phaseOf: townPhaseOf, pressKind, roomsOf: townRoomsOf } = await import("rr/mafia/game");
const { ROOMS, endingOf, fateOf, fellows, hasWon, isLast, newsOf, noteOf, choiceTyped, latestDead, privateLines, questionAt, rolesLine, taskOf } = await import("rr/agora/words");
const phaseOf = (view) => townPhaseOf(view, noteOf);
const roomsOf = (view) => townRoomsOf(view, ROOMS);
const { AgoraControls } = await import("rr/agora/controls");
const { ownEnd } = await import("rr/mafia/ending");
const { wishOf } = await import("rr/mafia/keys");
const { FILTERS, invitationTo, stateLine, wayTo } = await import("rr/mafia/list");
const { changesIn } = await import("rr/board/options");
const { optionRows: rowsOf } = await import("rr/mafia/options");
const { OPTIONS: AGORA_OPTIONS } = await import("rr/agora/options");
const { Store, fresh } = await import("rr/board/store");

const NAMES = ["ann", "bob", "cyd", "dan", "eve"];
const OPTIONS = { seats: 5, phase_seconds: 60, early_end: true, reveal_on_death: false, listed: true, spectators: true };
const OWN = { role: "citizen", side: "town", is_alive: true, is_done: false, target: null, nights: [], mafia: null, read_files: [], learned: [], saved: [], rooms: [{ room: "town", lines: 3, may_post: true }], may: ["vote", "leave"] };

function townView(game = {}, own = {}, seat = 0) {
  const citizens = NAMES.map((_, no) => ({ no, is_alive: true, cause: null, died_round: null, role: null, vote: null }));
  return {
    match: { public_id: "m", title: "Bell Street", status: "running", options: OPTIONS, options_revision: 2, void_reason: null, next: null },
    phase: 2,
    due_at: null,
    seats: NAMES.map((name, no) => ({ no, player: { name, bot: no > 0 }, ready: true })),
    you: { seat, name: seat === null ? null : NAMES[seat], balance: 100, may: [] },
    log: [],
    game: { stage: "day", phase: 2, round: 1, needed: 3, living: 5, quiet_phases: 1, quiet_limit: 3, tally: [], early_end: true, roles: [["citizen", 3]], seats: citizens, town_lines: 3, last_night: { round: 1, killed: null }, last_day: null, result: null, you: seat === null ? null : { ...OWN, ...own }, ...game },
  };
}

function controlled(view) {
  const sent = [];
  const store = new Store({ ...fresh(view, { latest: () => null, ui: { room: null, drafts: {}, ask: null } }), link: "open" });
  const controls = new AgoraControls(store, (frame) => sent.push(frame));
  return { store, controls, sent: () => sent.map(({ action }) => action) };
}

test("a post is paragraphs and quotes", () => {
  assert.deepEqual(blocks("one\ntwo\n\nthree\n> said\n>so\nfour"), [
    { type: "text", lines: ["one", "two"] },
    { type: "text", lines: ["three"] },
    { type: "quote", lines: ["said", "so"] },
    { type: "text", lines: ["four"] },
  ]);
  assert.deepEqual(blocks(" \n\n"), []);
});

test("marks are words, and markup stays text", () => {
  assert.deepEqual(spans("a **b c** *d* #12 <b>x</b>"), [
    { type: "text", text: "a " },
    { type: "strong", text: "b c" },
    { type: "text", text: " " },
    { type: "em", text: "d" },
    { type: "text", text: " " },
    { type: "post", text: "#12" },
    { type: "text", text: " <b>x</b>" },
  ]);
});

test("what is no mark is left as it was typed", () => {
  for (const line of ["2 * 3 * 4", "** no **", "*", "a@b", "javascript:alert(1)", "[x](y)"]) assert.deepEqual(spans(line, ["ann"]), [{ type: "text", text: line }]);
});

test("only those who play can be called, in any case, and a quote calls nobody", () => {
  assert.deepEqual(spans("hm @BOB, @zed", NAMES), [{ type: "text", text: "hm " }, { type: "name", text: "@bob" }, { type: "text", text: ", @zed" }]);
  assert.equal(mentions("well, @ann?", "ann"), true);
  assert.equal(mentions("> @ann #3\n> yes\n\nno", "ann"), false);
  assert.equal(mentions("@annabel", "ann"), false);
  assert.equal(mentions("@ann", null), false);
});

test("a quote takes what was said, without what that quoted, and not too much of it", () => {
  assert.equal(quoted({ name: "bob", no: 4, text: "> old\nnew\nlines" }), "> @bob #4\n> new\n> lines\n\n");
  assert.equal(quoted({ name: "bob", no: 4, text: "x".repeat(500) }, 10), `> @bob #4\n> ${"x".repeat(10)}…\n\n`);
});

const post = (no, seat = 0, phase = 2) => ({ no, seat, name: NAMES[seat], text: `post ${no}`, phase, at: "2026-11-22T12:00:00.000Z" });

test("pages of posts join without gaps or doubles", () => {
  let room = withPage(NOTHING, { last: 9, posts: [post(8), post(9)] });
  assert.deepEqual([oldest(room), newest(room), room.last, hasOlder(room)], [8, 9, 9, true]);
  room = withPage(room, { last: 9, posts: [post(6), post(7), post(8)] });
  assert.deepEqual(room.posts.map(({ no }) => no), [6, 7, 8, 9]);
  room = withPage(room, { last: 9, posts: [1, 2, 3, 4, 5].map((no) => post(no)) });
  assert.equal(hasOlder(room), false);
});

test("what is asked for next is the newest page, then what follows, then nothing", () => {
  assert.equal(wanted(NOTHING, 0), null);
  assert.equal(wanted(NOTHING, 7), "");
  const room = withPage(NOTHING, { last: 7, posts: [post(6), post(7)] });
  assert.equal(wanted(room, 7), null);
  assert.equal(wanted(room, 9), "?after=7");
});

test("posts are filtered by player and by who is called", () => {
  const posts = [post(1, 0), post(2, 1), { ...post(3, 2), text: "@ann" }];
  assert.deepEqual(filtered(posts, "1", () => false).map(({ no }) => no), [2]);
  assert.deepEqual(filtered(posts, "mentions", (text) => mentions(text, "ann")).map(({ no }) => no), [3]);
  assert.equal(filtered(posts, "all", () => false).length, 3);
});

test("a post is limited by characters of any script, and goes by the page when a frame is too small", () => {
  assert.equal(roomLeft(""), 4000);
  assert.equal(roomLeft("a".repeat(4001)), -1);
  assert.equal(roomLeft("🂡".repeat(4000)), 0);
  assert.deepEqual(["a".repeat(4000), "語".repeat(2000), "語".repeat(3000)].map(fitsFrame), [true, true, false]);
});

test("one is led to the room where one may post, and stays in the one that was chosen", () => {
  const rooms = [{ room: "town", mayPost: false }, { room: "mafia", mayPost: true }];
  assert.equal(openRoom(rooms, null).room, "mafia");
  assert.equal(openRoom(rooms, "town").room, "town");
  assert.equal(openRoom([rooms[0]], "mafia").room, "town");
});

test("notes and marks go to the account, the last change wins, and what fails is tried again", async () => {
  const answers = [{ no: 1, is_kept: true }, { no: 7, is_kept: false }, { no: 8, is_kept: true }, { error: { code: "busy" } }];
  const asked = [];
  globalThis.fetch = async (url, { body }) => {
    asked.push(JSON.parse(body));
    return { json: async () => answers.shift() };
  };
  const book = new Notebook({ notes: "old", read_to: { town: 3 }, no: 0 }, "/notebook/", "token");
  const states = [];
  book.onState((state) => states.push(state));
  book.write("new");
  book.mark("town", 2); // read before
  await book.send();
  assert.deepEqual(asked, [{ no: 1, notes: "new" }]);
  assert.deepEqual([book.no, states], [1, ["waiting", "kept"]]);
  book.mark("town", 5);
  book.mark("mafia", 1);
  await book.send(); // another window has come to 7
  await book.send();
  assert.deepEqual(asked.slice(1), [{ no: 2, read_to: { town: 5, mafia: 1 } }, { no: 8, read_to: { town: 5, mafia: 1 } }]);
  book.write("unlucky");
  await book.send();
  assert.equal(book.state, "lost");
  assert.deepEqual(book.unsent, { notes: "unlucky" });
  const next = new Notebook({ notes: "new", read_to: { town: 5 }, no: 8 }, "/notebook/", "token");
  next.resume({ ...book.unsent, read_to: { town: 4, dead: 1 } });
  answers.push({ no: 9, is_kept: true });
  await next.send();
  assert.deepEqual(asked.pop(), { no: 9, notes: "unlucky", read_to: { town: 5, dead: 1 } });
  assert.deepEqual([next.notes, next.state], ["unlucky", "kept"]);
  answers.push({ no: 9, is_kept: true });
  await book.send();
  assert.deepEqual([asked.at(-1), book.state, book.no], [{ no: 9, notes: "unlucky" }, "kept", 9]);
  const guest = new Notebook(null, "/notebook/", "token");
  guest.write("x");
  await guest.send();
  assert.equal(asked.length, 5);
  answers.push({ error: { code: "bad_field", message: "There is nothing to read in it." } }, { no: 10, is_kept: true });
  book.write("\u202e");
  await book.send();
  await book.send(); // not again
  assert.deepEqual([asked.length, book.state, book.notes, book.unsent], [6, "refused", "\u202e", {}]);
  book.write("better");
  assert.equal(book.state, "waiting");
  await book.send();
  assert.deepEqual([asked.length, book.state], [7, "kept"]);
});

test("what is unsent is in the tab from the first letter on, and no longer once it is sent", async () => {
  const kept = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, text) => kept.set(key, text),
    removeItem: (key) => kept.delete(key),
  };
  globalThis.fetch = async () => ({ json: async () => ({ no: 1, is_kept: true }) });
  const page = (url) => ({ name: "ann", csrf: "token", notebook: { notes: "", read_to: {}, no: 0 }, notebook_url: url });
  const book = notebookOf(page("/a/"));
  book.write("typed");
  assert.deepEqual([...kept.values()].map(JSON.parse), [{ notes: "typed" }]);
  kept.set("rr.notebook.ann./b/", kept.get("rr.notebook.ann./a/"));
  assert.equal(notebookOf(page("/b/")).notes, "typed");
  await book.send();
  assert.equal(kept.has("rr.notebook.ann./a/"), false);
  await notebookOf(page("/b/")).send();
  assert.equal(kept.size, 0);
  delete globalThis.sessionStorage;
});

test("where players talk in the thread, a line stays in the box, or is asked about", () => {
  const { controls, store, sent } = controlled(townView());
  controls.commands = { vote: 1 };
  controls.writeLine("vote bob");
  controls.say("vote bob");
  assert.deepEqual(controls.ui.held, { text: "vote bob", command: "!vote bob", isTalk: false });
  controls.writeLine("good evening");
  controls.say("good evening");
  assert.deepEqual([sent().length, store.state.toasts.length, controls.ui.line], [0, 1, "good evening"]);
});

test("spans and lengths are said as people say them", () => {
  assert.deepEqual([9_000, 65_000, 725_000, 12_000_000, 93_600_000, 172_800_000].map(spanWords), ["9 s", "1:05", "13 min", "3 h 20 min", "1 day 2 h", "2 days"]);
  assert.deepEqual([60, 90, 3600, 86_400, 604_800].map(lengthWords), ["1 minute", "90 seconds", "1 hour", "1 day", "7 days"]);
  assert.equal(listed(["a", "b", "c"]), "a, b and c");
  assert.deepEqual([1, 2, 3, 4].map((phase) => phaseName(phase)), ["Night 1", "Day 1", "Night 2", "Day 2"]);
  assert.deepEqual([1, 2, 3, 4].map((phase) => phaseName(phase, "day")), ["Day 1", "Night 1", "Day 2", "Night 2"]);
});

test("each state of the game has words of its own", () => {
  const before = { ...townView(), game: null };
  assert.equal(phaseOf({ ...before, match: { ...before.match, status: "open" } }).title, "Waiting for players");
  assert.equal(phaseOf({ ...before, match: { ...before.match, status: "closed" } }).title, "Closed");
  assert.equal(phaseOf({ ...before, match: { ...before.match, status: "void" } }).stage, "over");
  assert.equal(phaseOf(townView({ stage: "night" })).title, "Night 1");
  assert.doesNotMatch(phaseOf(townView({ quiet_phases: 3 })).note, /draw/);
  assert.match(phaseOf(townView({ quiet_phases: 5 })).note, /draw/);
  assert.equal(taskOf(townView({ stage: "night" }, { may: ["done"] })).heading, "Nothing to do tonight");
  assert.equal(taskOf(townView({}, { is_alive: false })).heading, "You are dead");
  assert.equal(taskOf(townView({}, {}, null)).heading, "You are watching");
  assert.equal(taskOf(townView({ stage: "night" }, { role: "doctor", may: ["choose", "done"] })).words, "It can be changed until dawn.");
  assert.match(taskOf(townView({ stage: "night" }, { role: "agent", may: ["choose", "done"] })).words, /final/);
});

test("what became known is told to all alike, and to whom it happened", () => {
  assert.equal(newsOf(townView()), "Nobody died last night.");
  assert.equal(newsOf(townView({ last_night: { round: 1, killed: 1 } })), "bob was killed last night.");
  assert.equal(newsOf(townView({ last_night: { round: 1, killed: 0 } })), "You were killed last night.");
  assert.equal(newsOf(townView({ stage: "night", last_day: { round: 1, votes: [], lynched: 2 } })), "cyd was lynched today.");
});

test("one's own results are told night by night", () => {
  const own = { role: "sheriff", nights: [[1, 2], [2, "none"]], read_files: [[1, 2, true]], saved: [2], learned: [[3, "doctor"]] };
  assert.deepEqual(privateLines(townView({}, own)), [
    "Night 1: you read the file on cyd.",
    "Night 1: the file on cyd says MAFIA.",
    "Night 2: you read the file on nobody.",
    "Night 2: you were attacked, and the doctor saved you.",
    "dan was: Doctor.",
  ]);
  assert.deepEqual(fellows(townView({}, { mafia: [[0, "mafioso"], [1, "agent"]] })), [{ no: 1, name: "bob (Agent of the mafia)", isDead: false }]);
  assert.deepEqual(fellows(townView({}, { mafia: [[0, "mafioso"]] })), []);
  assert.equal(fellows(townView()), null);
});

test("the roles of a game are counted", () => {
  assert.equal(rolesLine({ roles: [["citizen", 3], ["doctor", 1]] }), "3 ordinary citizens, 1 doctor");
});

test("rooms are those that the view names; spectators read the town", () => {
  assert.deepEqual(roomsOf(townView()).map(({ room, lines, mayPost }) => [room, lines, mayPost]), [["town", 3, true]]);
  assert.deepEqual(roomsOf(townView({}, {}, null)).map(({ room, lines, mayPost }) => [room, lines, mayPost]), [["town", 3, false]]);
});

test("the town waits for whoever has no vote yet, or is not done", () => {
  assert.equal(isMyMove(townView()), true);
  assert.equal(isMyMove(townView({ stage: "night" }, { is_done: true })), false);
  assert.equal(isMyMove(townView({}, { is_alive: false })), false);
  assert.equal(isMyMove(townView({}, {}, null)), false);
});

test("a press by day votes, and a second one takes the vote back", () => {
  const first = controlled(townView());
  first.controls.press(1);
  assert.deepEqual(first.sent(), [{ kind: "vote", choice: 1 }]);
  const view = townView({ tally: [[1, 2]] });
  view.game.seats[0].vote = 1;
  const second = controlled(view);
  assert.equal(ownChoice(view), 1);
  second.controls.press(1);
  assert.deepEqual(second.sent(), [{ kind: "vote", choice: null }]);
  assert.equal(isLast(view.game, 1), true);
});

test("a press by night chooses; the agent is asked first, but for nobody", () => {
  const night = { stage: "night" };
  const doctor = controlled(townView(night, { role: "doctor", may: ["choose"] }));
  doctor.controls.press(2);
  doctor.controls.press("none");
  assert.deepEqual(doctor.sent(), [{ kind: "choose", target: 2 }, { kind: "choose", target: "none" }]);
  const agent = controlled(townView(night, { role: "agent", side: "mafia", may: ["choose"] }));
  agent.controls.press(2);
  assert.deepEqual(agent.sent(), []);
  assert.deepEqual(agent.store.state.ui.ask, { choice: 2 });
  agent.controls.press("none");
  assert.deepEqual(agent.sent(), [{ kind: "choose", target: "none" }]);
});

test("a deciding vote, a vote for oneself and the kill of a mate are asked about first", () => {
  const deciding = controlled(townView({ tally: [[1, 2], ["none", 2]] }));
  deciding.controls.press(1);
  assert.deepEqual([deciding.sent(), deciding.store.state.ui.ask], [[], { choice: 1 }]);
  assert.match(questionAt(deciding.controls.view, 1).text, /bob is lynched/);
  assert.match(questionAt(deciding.controls.view, "none").text, /nobody is lynched/);
  deciding.controls.take(1);
  assert.deepEqual([deciding.sent(), deciding.store.state.ui.ask], [[{ kind: "vote", choice: 1 }], null]);
  assert.equal(questionAt(townView(), 1), null);
  assert.match(questionAt(townView(), 0).title, /yourself/);
  const night = (own) => townView({ stage: "night" }, { may: ["choose"], ...own });
  const mafioso = controlled(night({ role: "mafioso", side: "mafia", mafia: [[0, "mafioso"], [3, "agent"]] }));
  mafioso.controls.press(3);
  assert.deepEqual([mafioso.sent(), mafioso.store.state.ui.ask], [[], { choice: 3 }]);
  mafioso.controls.press(2);
  assert.deepEqual(mafioso.sent(), [{ kind: "choose", target: 2 }]);
  // Who knows of no mate is asked nothing: the question tells no role.
  for (const seat of [0, 1, 3]) assert.equal(questionAt(night({ role: "doctor" }), seat), null);
});

test("a press means nothing to whoever may neither vote nor choose", () => {
  const view = townView({ stage: "night" }, { may: ["done"] });
  assert.equal(pressKind(view), null);
  const { controls, sent } = controlled(view);
  controls.press(1);
  assert.deepEqual(sent(), []);
});

test("a draft goes when its post is accepted, unless it was written on", () => {
  const { controls, store, sent } = controlled(townView());
  controls.draft("town", " hello ");
  controls.post("town", "hello");
  assert.deepEqual(sent(), [{ kind: "post", room: "town", text: "hello" }]);
  controls.draft("town", "hello there");
  controls.accepted(sent()[0]);
  assert.equal(store.state.ui.drafts.town, "hello there");
  controls.draft("town", "hello ");
  controls.accepted(sent()[0]);
  assert.equal(store.state.ui.drafts.town, "");
});

test("bots fill the free seats in one press", () => {
  const view = { ...townView(), game: null };
  view.seats[3].player = null;
  view.seats[4].player = null;
  const { controls, sent } = controlled(view);
  controls.fillWithBots();
  assert.deepEqual(sent(), [{ kind: "add_bot" }, { kind: "add_bot" }]);
});

test("keys mean something only outside of fields", () => {
  const press = (key, more = {}) => wishOf({ key, target: null, ...more });
  assert.deepEqual(["d", "W", "u", "?", "Escape", "x"].map((key) => press(key)?.name), ["done", "write", "unread", "help", "escape", undefined]);
  assert.equal(press("d", { ctrlKey: true }), null);
  assert.equal(press("d", { target: { closest: () => true } }), null);
});

test("what became of a citizen and who has won", () => {
  assert.equal(fateOf({ is_alive: true }), "");
  assert.equal(fateOf({ is_alive: false, cause: "killed", died_round: 2 }), "killed in night 2");
  const left = { is_alive: false, cause: "left", died_round: 2 };
  assert.deepEqual([null, "night", "day"].map((stage) => fateOf({ ...left, died_stage: stage })), ["left town in round 2", "left town in night 2", "left town on day 2"]);
  assert.equal(hasWon(townView({ result: { winner: "town", reason: "mafia_dead", awards: [] } })), true);
  assert.deepEqual(endingOf({ result: { reason: "mafia_dead" } }), { headline: "The town wins", reason: "The last of the mafia is dead." });
  assert.equal(hasWon(townView({ result: { winner: null, reason: "quiet", awards: [] } })), null);
  assert.equal(hasWon(townView({ result: { winner: "town", reason: "mafia_dead", awards: [] } }, {}, null)), null);
});

test("who left town has lost, whoever wins", () => {
  const seats = townView().game.seats.map((citizen) => (citizen.no ? citizen : { ...citizen, is_alive: false, cause: "left" }));
  const over = (result, seat) => townView({ seats, stage: "over", result: { awards: [], ...result } }, {}, seat);
  for (const result of [{ winner: "town", reason: "mafia_dead" }, { winner: null, reason: "quiet" }]) assert.equal(hasWon(over(result)), false);
  assert.equal(hasWon(over({ winner: "town", reason: "mafia_dead" }, 1)), true);
  assert.equal(hasWon(over({ winner: null, reason: "void" })), null);
  assert.equal(ownEnd(over({ winner: "town" }), false), "You left, so this is a loss.");
  assert.equal(ownEnd(over({ winner: "town" }, 1), false), "You lost.");
});

test("the lobby tells forming games from running ones", () => {
  const open = { status: "open", players: [{ name: "ann" }], seats: 7, phase_seconds: 120, spectators: true };
  const running = { ...open, status: "running", stage: "night", round: 2 };
  assert.equal(stateLine(open), "waiting for players");
  assert.equal(stateLine(running), "night 2");
  assert.deepEqual([FILTERS.seat(open), FILTERS.seat(running), FILTERS.quick(open), FILTERS.slow(open), FILTERS.running(running)], [true, false, true, false, true]);
  assert.deepEqual([invitationTo(open, "bob").word, invitationTo(open, "ann").word, invitationTo(running, "bob").word], ["Join", "Continue", "Watch"]);
});

test("options are told in words, and only changes are sent", () => {
  assert.deepEqual(rowsOf({ options: OPTIONS }, AGORA_OPTIONS.rows)[1], ["Phase length", "1 minute"]);
  assert.deepEqual(changesIn({ seats: 5, phase_seconds: 120 }, OPTIONS), { phase_seconds: 120 });
});

test("what is paid of an award, and why not all of it", () => {
  const numbers = { people: 5, minutes: 10, daily: 60 };
  const view = townView();
  view.seats.forEach((seat) => { seat.award = [seat.no === 0 ? 5 : 0, 12]; });
  view.match.rated = true;
  assert.deepEqual(paidOf(view, 0, [12, 12]), { amount: "5 + 12i", why: "cut: the log says why" });
  assert.deepEqual(paidOf(view, 1, [12, 12]), { amount: "–", why: "bots are paid nothing" });
  assert.deepEqual(paidOf(view, 0, null), { amount: "–", why: "" });
  assert.match(ratedWords(view, numbers), /^Rated: /);
  view.match.rated = false;
  assert.deepEqual(paidOf(view, 0, [12, 12]), { amount: "", why: "" });
  assert.match(ratedWords(view, numbers), /^Not rated, so nothing is paid/);
  view.match.status = "open";
  assert.match(ratedWords(view, numbers), /shorter than 10 minutes/);
  view.match.options = { ...OPTIONS, phase_seconds: 600 };
  assert.match(ratedWords(view, numbers), /^Rated if 5 people or more play/);
  assert.deepEqual([complexWords(5, 0), complexWords(0, 3), complexWords(5, 3)], ["5", "3i", "5 + 3i"]);
});

test("a post that was hidden since it was read is gone from the screen", () => {
  const said = (no) => ({ no, seat: 0, name: "ann", phase: 2, at: "", text: `line ${no}`, is_hidden: false });
  const before = withPage(NOTHING, { last: 2, posts: [said(1), said(2)], hidden: [] });
  const after = withPage(before, { last: 2, posts: [], hidden: [1] });
  assert.deepEqual(after.posts.map((post) => [post.no, post.text, post.is_hidden]), [[1, "", true], [2, "line 2", false]]);
});

test("a long post is sent to its room's address, and stays in the box until it is accepted", async () => {
  const { controls, store } = controlled(townView());
  const config = { posts_url: "/mafia/m/posts/ROOM/", csrf: "token" };
  const text = "語".repeat(4000);
  controls.draft("town", text);
  const asked = [];
  const answers = [{ error: { code: "rate_limited", message: "one line a second, please", retry_ms: 900 } }, { id: "x" }];
  globalThis.fetch = async (url, options) => {
    asked.push([url, options]);
    return { json: async () => answers.shift() };
  };
  await postLong(controls, config, "town", text);
  assert.equal(store.state.ui.drafts.town, text);
  assert.equal(store.state.toasts.length, 1);
  await postLong(controls, config, "town", text);
  assert.equal(store.state.ui.drafts.town, "");
  const bodies = asked.map(([, options]) => JSON.parse(options.body));
  assert.deepEqual(bodies.map(({ phase, text: sent }) => [phase, sent.length]), [[2, 4000], [2, 4000]]);
  assert.equal(bodies[0].id, bodies[1].id);
  assert.match(bodies[0].id, /^[0-9a-f]{32}$/);
  assert.deepEqual(asked.map(([url, options]) => [url, options.headers["X-CSRFToken"]]), [["/mafia/m/posts/town/", "token"], ["/mafia/m/posts/town/", "token"]]);
  store.state.toasts.forEach(({ key }) => controls.dropToast(key));
});

/** A town that wants substitutes, with the chairs changed by their seats. */
function openTown(chairs = {}, own = {}, seat = 0) {
  const view = townView({}, { idle_phases: 0, ...own }, seat);
  view.match.options = { ...OPTIONS, substitutes: true };
  view.seats = view.seats.map((chair) => ({ ...chair, is_open: false, replaced: [], ...chairs[chair.no] }));
  if (seat === null) view.you = { ...view.you, name: "fay", may: openSeats(view).length ? ["take_over"] : [] };
  return view;
}

test("who did nothing is warned, and not once they have acted", () => {
  assert.equal(warningFor(openTown(), false), "");
  assert.match(warningFor(openTown({}, { idle_phases: 1 }), false), /is offered to others/);
  assert.equal(warningFor(openTown({}, { idle_phases: 1 }), true), "");
  assert.match(warningFor(openTown({ 0: { is_open: true } }, { idle_phases: 2 }), false), /Your seat is open/);
  assert.match(warningFor(openTown({ 0: { is_open: true } }, { idle_phases: 2 }), true), /You are back/);
  assert.equal(warningFor(townView({}, { idle_phases: 3 }), false), "", "nobody is replaced without the option");
  assert.equal(warningFor(openTown({}, { idle_phases: 3, is_alive: false }), false), "", "nor the dead");
});

test("an open seat is offered to whoever did not play", () => {
  const view = openTown({ 3: { is_open: true } }, {}, null);
  assert.deepEqual(openSeats(view).map(({ no }) => no), [3]);
  assert.equal(mayTakeOver(view), true);
  assert.equal(mayTakeOver(openTown({}, {}, null)), false);
  const replaced = openTown({ 1: { replaced: ["fay"] }, 3: { is_open: true } }, {}, null);
  assert.equal(mayTakeOver(replaced), false);
  assert.equal(lostSeat(replaced).no, 1);
  assert.equal(lostSeat(view), null);
  assert.equal(taskOf(replaced).heading, "You were replaced");
  assert.match(taskOf(replaced).words, /^bob plays your seat/);
});

test("a vote, a choice and a check-in show that one is here", () => {
  assert.equal(hasActed(townView()), false);
  const voted = townView();
  voted.game.seats[0].vote = "none";
  assert.equal(hasActed(voted), true);
  assert.equal(hasActed(townView({ stage: "night" }, { is_done: true })), true);
  assert.equal(hasActed(townView({ stage: "night" }, { target: "none" })), true);
  assert.equal(hasActed(townView({ stage: "night" })), false);
});

test("open seats stand in the list, and who is away beside the name", () => {
  const game = { status: "running", stage: "night", round: 2, seats: 5, players: [], spectators: true, open_seats: 1 };
  assert.equal(stateLine(game), "night 2 · a seat is open");
  assert.equal(stateLine({ ...game, open_seats: 2 }), "night 2 · 2 seats are open");
  assert.deepEqual(invitationTo(game, "fay"), { word: "Take over", brass: true });
  assert.equal(wayTo({ ...game, url: "/mafia/m/" }), "/mafia/m/");
  assert.equal(wayTo({ ...game, url: "/mafia/m/", spectators: false }), "/mafia/m/seat/");
  assert.equal(FILTERS.seat({ ...game, open_seats: 0 }), false);
  assert.match(awayWords({ ann: "2026-12-03" }, { player: { name: "ann" } }), /^away until .*3/);
  assert.equal(awayWords({}, { player: { name: "ann" } }), "");
  assert.equal(awayWords(undefined, { player: null }), "");
});

test("a typed choice is asked about as a press is, and the line waits", () => {
  const view = townView({ tally: [[1, 2]] });
  assert.equal(choiceTyped(view, "!vote @Bob,"), 1);
  assert.equal(choiceTyped(view, "/v c"), 2);
  assert.equal(choiceTyped(view, "!none"), "none");
  assert.equal(choiceTyped(view, "!target bob"), null, "not by day");
  assert.equal(choiceTyped(view, "!vote nobody-here"), null, "the site refuses it");
  assert.equal(choiceTyped(view, "!votes"), null);
  const { store, controls } = controlled(view);
  const frames = [];
  controls.sendFrame = (frame) => frames.push(frame);
  controls.writeLine("!vote bob");
  controls.say("!vote bob");
  assert.deepEqual([frames, store.state.ui.ask, store.state.ui.line], [[], { choice: 1, text: "!vote bob" }, "!vote bob"]);
  controls.confirm(store.state.ui.ask);
  assert.deepEqual([frames.map(({ text }) => text), store.state.ui.ask, store.state.ui.line], [["!vote bob"], null, ""]);
  controls.say("!vote cyd");
  assert.equal(frames.length, 2, "one vote of three decides nothing");
});

test("who has left in this round has an obituary", () => {
  const left = { no: 3, is_alive: false, cause: "left", died_round: 1 };
  const view = townView({ last_night: { round: 1, killed: 2 } });
  view.game.seats[3] = { ...view.game.seats[3], ...left };
  assert.deepEqual(latestDead(view).map(({ no }) => no), [2, 3]);
  assert.deepEqual(latestDead({ game: { ...view.game, round: 2, last_night: { round: 2, killed: null } } }), []);
});
