// Sets the board for a town, whichever game is played there.
import { play, soundOfTalk } from "rr/board/sound";
import { setUpBoard } from "rr/board/stage";
import { wishOf } from "rr/mafia/keys";

/** App, Controls: the game's; isMyMove(view); hasWon(view): null for whoever did not play. */
export function setUpTown({ App, Controls, isMyMove, hasWon }) {
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

  /** Whoever follows to the next game keeps the seat, and has said yes by coming. */
  function onArrival() {
    if (controls.may("ready")) controls.ready();
  }

  /** A post stands in the thread: nothing has to be said of it in the log. */
  function done(action) {
    controls.accepted(action);
    return "";
  }

  setUpBoard({ App, Controls: Kept, wishOf, isMyMove, turnWord: "Your town waits", soundFor, onArrival, done, ui: { room: null, drafts: {}, ask: null }, passing: ["ask"] });
}
