// Sets the board for a duel.
import { play, soundOfEnd, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { DuelApp } from "rr/duel/app";
import { DuelControls } from "rr/duel/controls";
import { wishOf } from "rr/duel/keys";
import { acceptedBy, cameTo, isAsked, isMyMove, isOnCall, latest } from "rr/duel/game";
import { titleOf } from "rr/duel/words";

/** Somebody has come to a quick duel, or the site asks whether the viewer is still there. */
function callOf(now, before) {
  const isCalled = (cameTo(now.view) && !cameTo(before.view)) || (isAsked(now.view) && !isAsked(before.view));
  if (!isCalled) return;
  play("turn");
  navigator.vibrate?.([200, 100, 200]);
}

function soundFor(now, before) {
  callOf(now, before);
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

/** The tab announces before the start: an answer to a challenge, an opponent, a question. */
function newsOf(view) {
  const name = acceptedBy(view);
  if (name) return `${name} accepted`;
  const came = cameTo(view);
  if (isAsked(view)) return came ? `${came} waits for you` : "Still there?";
  return came && view.start_at && `${came} is here`;
}

setUpBoard({ App: DuelApp, Controls: DuelControls, wishOf, isMyMove, titleOf, newsOf, isOnCall, turnWord: "Your throw", soundFor, onArrival, latest });
