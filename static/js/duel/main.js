// Sets the board for a duel.
import { play, soundOfEnd, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { DuelApp } from "rr/duel/app";
import { DuelControls } from "rr/duel/controls";
import { wishOf } from "rr/duel/keys";
import { acceptedBy, isMyMove, latest } from "rr/duel/game";
import { titleOf } from "rr/duel/words";

function soundFor(now, before) {
  const isNewThrow = !isMyMove(before.view) || now.view.game?.throw !== before.view.game?.throw;
  if (isMyMove(now.view) && isNewThrow) play("turn");
  if (now.reveal && now.reveal !== before.reveal) play("reveal");
  soundOfTalk(now, before);
  soundOfEnd(now, before);
}

/** A player who follows to the rematch keeps seat and configuration, and is ready by coming. */
function onArrival(controls) {
  if (controls.may("ready")) controls.ready();
}

/** The tab of a challenger announces the answer during the countdown. */
function newsOf(view) {
  const name = acceptedBy(view);
  return name && `${name} accepted`;
}

setUpBoard({ App: DuelApp, Controls: DuelControls, wishOf, isMyMove, titleOf, newsOf, turnWord: "Your throw", soundFor, onArrival, latest });
