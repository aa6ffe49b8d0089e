// What a press of a button or key does at a duel.
import { BoardControls } from "rr/board/controls";

export class DuelControls extends BoardControls {
  /** Throw a hand, when it is time for one; what was turned over before makes room. */
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

  /** What a key's wish does. */
  obey(wish) {
    const actions = {
      throw: () => this.throwHand(wish.hand),
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.hideReveal(),
    };
    actions[wish.name]?.();
  }
}
