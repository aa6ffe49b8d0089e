// The effect of a press on a citizen in Agoran Mafia.
import { TownControls } from "rr/mafia/controls";
import { ownChoice, pressKind } from "rr/mafia/game";
import { questionAt } from "rr/agora/words";

export class AgoraControls extends TownControls {
  /** Press a citizen, or nobody: by day a vote, by night a choice; what is seldom meant is asked about. */
  press(choice) {
    if (!["vote", "choose"].includes(pressKind(this.view))) return undefined;
    const question = questionAt(this.view, choice);
    // A final choice is asked about even where questions are off.
    if (question?.isFinal) return this.setUi({ ask: { choice } });
    if (question && this.asks({ choice })) return undefined;
    return this.take(choice);
  }

  /** Vote or choose; the own vote again takes it back. */
  take(choice) {
    this.setUi({ ask: null });
    if (pressKind(this.view) === "vote") return this.act("vote", { choice: choice === ownChoice(this.view) ? null : choice });
    return this.act("choose", { target: choice });
  }
}
