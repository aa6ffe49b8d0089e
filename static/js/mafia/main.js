// Sets up the board of a town for any of its games.
import { play, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { isMyMove } from "rr/mafia/game";
import { wishOf } from "rr/mafia/keys";

/** App, Controls: the game's; hasWon(view): null for those who did not play. */
export function setUpTown({ App, Controls, hasWon }) {
  let controls = null;

  class Kept extends Controls {
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

  /** A player who follows to the next game keeps the seat, and is ready by coming. */
  function onArrival() {
    if (controls.may("ready")) controls.ready();
  }

  /** Posts are shown in the thread, not in the log. */
  function done(action) {
    controls.accepted(action);
    return "";
  }

  setUpBoard({ App, Controls: Kept, wishOf, isMyMove, turnWord: "Your town waits", soundFor, onArrival, done, ui: { room: null, drafts: {}, ask: null }, passing: ["ask"] });
}
