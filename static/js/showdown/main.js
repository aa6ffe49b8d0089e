// Sets the table for Showdown.
import { play, soundOfEnd, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { App } from "rr/showdown/app";
import { CHOOSING, Controls, PASSING } from "rr/showdown/controls";
import { flyBets } from "rr/board/flights";
import { wishOf } from "rr/showdown/keys";
import { LESSON } from "rr/showdown/lesson";
import { latest } from "rr/showdown/reveal";
import { isMyMove } from "rr/showdown/seats";
import { pointsInPlay } from "rr/showdown/betting";
import { doneLine } from "rr/showdown/wording";

/** Play the sounds of a change, and let bets fly. */
function soundFor(now, before) {
  if (isMyMove(now.view) && (!isMyMove(before.view) || now.view.game.stage !== before.view.game?.stage)) play("turn");
  if (now.reveal && now.reveal !== before.reveal) play("reveal");
  if (now.link === "open" && before.link === "open") flyBets(before.view, now.view);
  soundOfTalk(now, before);
  soundOfEnd(now, before);
}

setUpBoard({ App, Controls, wishOf, isMyMove, turnWord: "Your turn", soundFor, latest, inPlay: pointsInPlay, done: doneLine, ui: CHOOSING, passing: PASSING, lesson: LESSON });
