// Sets the arena's page up: state, socket, page.  Everything else is drawn from the state.
import { html, render } from "preact";
import { ArenaApp } from "rr/arena/app";
import { blockedNames } from "rr/arena/blocked";
import { ArenaControls } from "rr/arena/controls";
import { wishOf } from "rr/arena/keys";
import { fresh, withAnswered, withLine, withView } from "rr/arena/store";
import { ownLast } from "rr/arena/words";
import { Connection } from "rr/board/connection";
import { Typist, isHarmless } from "rr/board/keys";
import { play } from "rr/board/sound";
import { Store } from "rr/board/store";
import { refusal } from "rr/board/wording";

const board = document.getElementById("board");
const read = (id) => JSON.parse(document.getElementById(id).textContent);
const config = read("arena-config");
const first = read("initial-view");
const store = new Store(fresh(first, blockedNames()));
const connection = new Connection(config.socket, { onFrame, onLink, onPending, onLate, momentOf: ({ arena }) => String(arena.round) });
const controls = new ArenaControls(store, (frame) => connection.send(frame));

/** Words of this page for refusals that a table would word otherwise. */
const WORDS = { stale: "That round is over. Choose for the next one." };

function onLink(link, linkText, linkWay) {
  store.change((state) => ({ ...state, link, linkText, linkWay, ...(link === "open" ? {} : { wanted: null, preferred: {} }) }));
}

function onLate(late) {
  store.change((state) => ({ ...state, late }));
}

function onPending(pending) {
  store.change((state) => ({ ...state, pending }));
}

/** A typed command's refusal also comes as a reply in words; that is enough. */
function onError(frame, settled) {
  store.change((state) => withAnswered(state, settled));
  if (settled) controls.putBack(settled);
  const isSaidAnyway = settled?.type === "command" && frame.code.includes("/");
  if (!isSaidAnyway) controls.toast(WORDS[frame.code] ?? refusal(frame));
}

function onFrame(frame, settled) {
  if (frame.type === "arena") store.change((state) => withView(state, frame));
  else if (frame.type === "ack") store.change((state) => withAnswered(state, settled));
  else if (frame.type === "error") onError(frame, settled);
  else if (frame.type === "reply") store.change((state) => withLine(state, "reply", frame.text));
}

function soundFor(now, before) {
  if (!now.view.last || now.view.last.round === before.view.last?.round) return;
  const result = ownLast(now.view)?.result;
  play({ won: "win", lost: "lose" }[result] ?? "reveal");
}

function draw(state) {
  const table = { state, controls, config, clock: () => connection.clock, resume: () => connection.resume() };
  render(html`<${ArenaApp} table=${table} />`, board);
}

connection.clock.hint(first.now, Date.now());
store.subscribe((now, before) => {
  draw(now);
  soundFor(now, before);
  controls.takeSeat();
});
const typist = new Typist();
document.addEventListener("keydown", (event) => {
  const isElsewhere = typist.loses(event) || document.querySelector("dialog[open]");
  const wish = isElsewhere ? null : wishOf(event);
  if (!wish || (store.state.link !== "open" && !isHarmless(wish))) return;
  event.preventDefault(); // space would scroll the page
  controls.obey(wish);
});
board.replaceChildren();
draw(store.state);
