// The controls of a duel: the effects of buttons and keys.
import { BoardControls } from "rr/board/controls";

export class DuelControls extends BoardControls {
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
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.hideReveal(),
    };
    actions[wish.name]?.();
  }
}
