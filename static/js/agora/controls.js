// The effect of a press on a citizen in Agoran Mafia.
import { TownControls } from "rr/mafia/controls";
import { ownChoice, pressKind } from "rr/mafia/game";
import { choiceTyped, questionAt } from "rr/agora/words";

export class AgoraControls extends TownControls {
  /** Press a citizen, or nobody: by day a vote, by night a choice; what is seldom meant is asked about. */
  press(choice) {
    if (!["vote", "choose"].includes(pressKind(this.view))) return undefined;
    return this.isAsked({ choice }) ? undefined : this.take(choice);
  }

  /** Whether a choice is asked about now; a final one also where questions are off. */
  isAsked(ask) {
    const question = questionAt(this.view, ask.choice);
    if (question?.isFinal) this.setUi({ ask });
    return Boolean(question && (question.isFinal || this.asks(ask)));
  }

  /** A typed choice is asked about as a press is; the line stays in the box meanwhile. */
  command(text) {
    const choice = choiceTyped(this.view, text);
    return choice !== null && this.isAsked({ choice, text }) ? undefined : super.command(text);
  }

  /** Do what was asked about. */
  confirm({ choice, text }) {
    if (text === undefined) return this.take(choice);
    this.setUi({ ask: null });
    return super.command(text);
  }

  /** Vote or choose; the own vote again takes it back. */
  take(choice) {
    this.setUi({ ask: null });
    if (pressKind(this.view) === "vote") return this.act("vote", { choice: choice === ownChoice(this.view) ? null : choice });
    return this.act("choose", { target: choice });
  }
}
