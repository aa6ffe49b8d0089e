// Sets the board for a town.
import { play, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { AgoraApp } from "rr/agora/app";
import { TownControls } from "rr/agora/controls";
import { wishOf } from "rr/agora/keys";
import { hasWon, isMyMove } from "rr/agora/words";

let controls = null;

class Controls extends TownControls {
  constructor(...given) {
    super(...given);
    controls = this;
  }
}

function soundFor(now, before) {
  if (isMyMove(now.view) && now.view.phase !== before.view.phase) play("turn");
  soundOfTalk(now, before);
  if (now.view.game?.result && !before.view.game?.result && hasWon(now.view) !== null) play(hasWon(now.view) ? "win" : "lose");
}

/** Whoever follows to the next game keeps the seat, and has said yes by coming. */
function onArrival() {
  if (controls.may("ready")) controls.ready();
}

/** A post stands in the thread: nothing has to be said of it in the log. */
function done(action) {
  controls.accepted(action);
  return "";
}

setUpBoard({ App: AgoraApp, Controls, wishOf, isMyMove, turnWord: "Your town waits", soundFor, onArrival, done, ui: { room: null, drafts: {}, ask: null }, passing: ["ask"] });
