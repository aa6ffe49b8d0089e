// Sets the table for Showdown.
import { App } from "rr/table/app";
import { Controls } from "rr/table/controls";
import { wishOf } from "rr/table/keys";
import { isMyMove } from "rr/table/seats";
import { play, soundOfEnd, soundOfTalk } from "rr/table/sound";
import { setUpBoard } from "rr/table/stage";

function soundFor(now, before) {
  if (isMyMove(now.view) && (!isMyMove(before.view) || now.view.game.stage !== before.view.game?.stage)) play("turn");
  if (now.reveal && now.reveal !== before.reveal) play("reveal");
  soundOfTalk(now, before);
  soundOfEnd(now, before);
}

setUpBoard({ App, Controls, wishOf, isMyMove, turnWord: "Your turn", soundFor });
