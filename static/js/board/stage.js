// Sets a board up: state, socket, page.  Everything else is drawn from the state.
// A game brings its own drawing, its controls, its keys and its sounds.
import { html, render } from "preact";
import { isInert } from "rr/board/frame";
import { keepFocus } from "rr/board/focus";
import { Typist, isHarmless, isTyping } from "rr/board/keys";
import { offerPush } from "rr/notices/push-offer";
import { Connection } from "rr/board/connection";
import { Replay } from "rr/replays/replay";
import { PLAIN, Store, another, asMine, following, fresh, momentOf, withReply, withSaid, withView } from "rr/board/store";
import { refusal } from "rr/board/wording";

/**
 * game: {App, Controls, wishOf(event), isMyMove(view), turnWord, soundFor(now, before)} and, if it likes,
 * titleOf(view), newsOf(view), what else the tab announces, isOnCall(view), whether readiness holds while
 * the page is looked at, inPlay(view), the viewer's points in the
 * game, done(action, view), a line for the viewer alone about what was accepted, onArrival(controls), which is called at the next game of the
 * same people, lesson (the steps of a first game), and what the store must know: latest(game), ui and
 * passing.
 */
export function setUpBoard(brought) {
  const game = { ...PLAIN, ...brought };
  const board = document.getElementById("board");
  const config = JSON.parse(document.getElementById("table-config").textContent);
  const first = JSON.parse(document.getElementById("initial-view").textContent);
  const own = { name: config.name, balance: config.balance };
  const kept = config.replay ? { link: "replay", replay: Replay.first(config.replay, first) } : {};
  const store = new Store({ ...fresh(asMine(first.view, own), game), ...kept });
  const controls = new game.Controls(store, (frame) => connection.send(frame));
  controls.commands = config.commands ?? {};
  controls.lesson = config.practice?.lesson ? game.lesson : null;
  let wantsNext = false;
  let hasArrived = false; // whether the socket has shown anything yet
  const replay = config.replay ? new Replay(config.replay, store, game) : null;
  let connection = replay ?? connect(config.socket);
  connection.clock.hint(first.now, Date.now());

  function connect(path) {
    return new Connection(path, { onFrame, onLink, onPending, onLate, isOnCall, wantsParts: true, momentOf: ({ view }) => momentOf(view) });
  }

  function isOnCall(view = store.state.view) {
    return Boolean(game.isOnCall?.(view));
  }

  function onLink(link, linkText, linkWay) {
    store.change((state) => ({ ...state, link, linkText, linkWay }));
  }

  function onLate(late) {
    store.change((state) => ({ ...state, late }));
  }

  function onPending(pending) {
    store.change((state) => ({ ...state, pending }));
  }

  function onView(frame) {
    own.balance = frame.view.you.balance ?? own.balance;
    const view = asMine(frame.view, own);
    const isOther = view.match.public_id !== store.state.view.match.public_id;
    // A practice table that changes without a request is a new one: they are not stored.
    const wasLost = isOther && Boolean(config.practice) && hasArrived && !wantsNext;
    if (isOther) wantsNext &&= !config.practice;
    hasArrived = true;
    const wasOnCall = isOnCall();
    store.change((state) => {
      if (!isOther) return withView(state, view, game);
      // Lines of another practice table are not shown here.
      return config.practice ? { ...another(state, view, game), wasLost } : following(state, view, game);
    });
    if (isOther) game.onArrival?.(controls);
    if (isOnCall() && !wasOnCall) connection.beat();
  }

  /** A typed command's refusal also comes as a reply in words; that is enough. */
  function onError(frame, settled) {
    if (settled) controls.putBack(settled);
    const isSaidAnyway = settled?.type === "command" && frame.code.includes("/");
    if (!isSaidAnyway && !controls.isUnasked(frame, settled)) controls.toast(refusal(frame));
  }

  function onSaid(frame) {
    store.change((state) => withSaid(state, frame, state.ui.tab === "chat"));
  }

  /** The log of a player who acted also shows the part that others do not see. */
  function onAck(settled) {
    const text = settled?.action && game.done?.(settled.action, store.state.view);
    if (text) store.change((state) => withReply(state, "reply", text));
  }

  function onFrame(frame, settled) {
    if (frame.type === "view") onView(frame);
    else if (frame.type === "ack") onAck(settled);
    else if (frame.type === "error") onError(frame, settled);
    else if (frame.type === "reply") store.change((state) => withReply(state, "reply", frame.text));
    else if (frame.type === "said") onSaid(frame);
  }

  /** Go on at the next game's table without loading the page again. */
  function moveTo(publicId) {
    connection.close();
    history.replaceState(null, "", config.table_url.replace(config.public_id, publicId));
    connection = connect(config.socket.replace(config.public_id, publicId));
    onLink("connecting", "", "");
  }

  /** Viewers who pressed "Play again" move to the next game when it opens. */
  function rematch() {
    const { next } = store.state.view.match;
    if (next) return moveTo(next);
    wantsNext = true;
    return controls.act("rematch");
  }

  function followNext({ view }) {
    if (!wantsNext || !view.match.next) return;
    wantsNext = false;
    moveTo(view.match.next);
  }

  function showBalance({ view }) {
    const pill = document.querySelector("[data-balance]");
    if (!pill || config.practice || view.you.balance === null) return;
    pill.textContent = String(view.you.balance);
    const inPlay = game.inPlay?.(view) ?? 0;
    const rest = document.querySelector("[data-in-play]");
    rest.hidden = !inPlay;
    rest.textContent = inPlay ? ` · ${inPlay} in play` : "";
  }

  function showTitle({ view }) {
    const call = game.isMyMove(view) ? game.turnWord : game.newsOf?.(view);
    document.title = `${call ? `● ${call} · ` : ""}${game.titleOf?.(view) ?? view.match.title} · Rock & Racket`;
  }

  function draw(state) {
    const table = { state, controls, config, replay, isMine: game.isMyMove(state.view), clock: () => connection.clock, resume: () => connection.resume(), rematch, lesson: game.lesson };
    render(html`<${game.App} table=${table} />`, board);
  }

  store.subscribe((now, before) => {
    draw(now);
    showBalance(now);
    showTitle(now);
    game.soundFor(now, before);
    followNext(now);
    controls.keepSalts();
    controls.takeSeat();
    controls.follow();
    if (!config.practice && !config.replay) offerPush(now.view);
  });
  const typist = new Typist();
  document.addEventListener("keydown", (event) => {
    if (typist.loses(event) || document.querySelector("dialog[open]") || replay?.press(event)) return;
    const wish = game.wishOf(event);
    if (isInert(store.state) && !isHarmless(wish)) return;
    if (store.state.reveal && !isTyping(event.target) && controls.skipReveal(wish)) return;
    if (wish) controls.obey(wish);
  });
  // A pointer's press takes no focus from the game's keys.
  board.addEventListener("click", (event) => {
    const pressed = event.detail > 0 && event.target.closest("button, summary");
    if (pressed && pressed === document.activeElement) pressed.blur();
  });
  board.replaceChildren();
  keepFocus(board);
  draw(store.state);
  showTitle(store.state);
  showBalance(store.state);
}
