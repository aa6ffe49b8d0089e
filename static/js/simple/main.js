// Sets the board of a game that has none of its own.
import { isAside, isTyping } from "rr/board/keys";
import { play, soundOfEnd, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { SimpleApp, SimpleControls, isMyMove } from "rr/simple/app";

/** The digits make a move, ? shows the keys. */
function wishOf(event) {
  if (isAside(event) || isTyping(event.target)) return null;
  if (event.key === "?") return { name: "help" };
  return /^[1-9]$/.test(event.key) ? { name: "move", place: Number(event.key) - 1 } : null;
}

function soundFor(now, before) {
  if (isMyMove(now.view) && !isMyMove(before.view)) play("turn");
  soundOfTalk(now, before);
  soundOfEnd(now, before);
}

/** A person who follows to the rematch has agreed to it. */
function onArrival(controls) {
  if (controls.may("ready")) controls.ready();
}

setUpBoard({ App: SimpleApp, Controls: SimpleControls, wishOf, isMyMove, turnWord: "Your turn", soundFor, onArrival });
