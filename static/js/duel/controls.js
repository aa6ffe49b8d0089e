// The controls of a duel: the effects of buttons and keys.
import { BoardControls } from "rr/board/controls";
import { heldBefore } from "rr/board/store";
import { isNext, isTurning, mayChooseAhead } from "rr/duel/game";
import { scoreOf } from "rr/duel/words";

export class DuelControls extends BoardControls {
  constructor(...given) {
    super(...given);
    globalThis.document?.addEventListener?.("visibilitychange", () => this.follow());
  }

  told({ feed, reveal }) {
    return isTurning(reveal) ? heldBefore(feed, "hands_revealed", ["hand_chosen"]) : feed;
  }

  /** The cards of the last throw lie open. */
  turned() {
    this.store.change((state) => ({ ...state, reveal: state.reveal && { ...state.reveal, isTurned: true } }));
  }

  /** Throw a hand, if it is time for one, and hide the last reveal; in a long duel choose the next. */
  throwHand(hand) {
    const { pending, view, ui } = this.store.state;
    if (this.may("throw") && !pending.has("throw")) {
      this.dropAhead();
      this.hideReveal();
      this.act("throw", { hand });
    } else if (mayChooseAhead(view)) {
      this.setUi({ ahead: ui.ahead?.hand === hand ? null : { hand, phase: view.phase } });
    }
  }

  dropAhead() {
    if (this.ui.ahead) this.setUi({ ahead: null });
  }

  /** A throw that was chosen ahead goes out when the last cards lie open; it lives in this page alone. */
  follow() {
    const { reveal, view, ui } = this.store.state;
    const { ahead } = ui;
    if (!ahead) return;
    const isKept = this.isOpen && !globalThis.document?.hidden;
    if (isKept && (mayChooseAhead(view) ? view.phase === ahead.phase : isTurning(reveal) && isNext(view, ahead))) return;
    this.dropAhead();
    if (isKept && isNext(view, ahead)) this.tryTo("throw", { hand: ahead.hand });
  }

  skipReveal(wish) {
    if (["escape", "throw"].includes(wish?.name)) this.dropAhead();
    return super.skipReveal(wish);
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
      escape: () => {
        this.dropAhead();
        this.hideReveal();
      },
    };
    actions[wish.name]?.();
  }
}
