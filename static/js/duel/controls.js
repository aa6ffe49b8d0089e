// The controls of a duel: the effects of buttons and keys.
import { BoardControls } from "rr/board/controls";
import { heldBefore } from "rr/board/store";
import { isTurning } from "rr/duel/game";
import { scoreOf } from "rr/duel/words";

export class DuelControls extends BoardControls {
  told({ feed, reveal }) {
    return isTurning(reveal) ? heldBefore(feed, "hands_revealed", ["hand_chosen"]) : feed;
  }

  /** The cards of the last throw lie open. */
  turned() {
    this.store.change((state) => ({ ...state, reveal: state.reveal && { ...state.reveal, isTurned: true } }));
  }

  /** Throw a hand, if it is time for one; hides the last reveal. */
  throwHand(hand) {
    if (!this.may("throw")) return;
    this.hideReveal();
    this.act("throw", { hand });
  }

  /** Sit down and say at once that the configuration shown is fine. */
  accept() {
    this.act("sit");
    this.ready();
  }

  ready(revision = this.view.match.options_revision) {
    this.act("ready", { configuration: revision });
  }

  /** Run the command of a key. */
  obey(wish) {
    const actions = {
      throw: () => this.throwHand(wish.hand),
      speak: () => this.speak(this.view.game && `Score ${scoreOf(this.view)}`),
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.hideReveal(),
    };
    actions[wish.name]?.();
  }
}
