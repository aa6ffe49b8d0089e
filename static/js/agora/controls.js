// The effect of a press on a citizen in Agoran Mafia.
import { TownControls } from "rr/mafia/controls";
import { ownChoice, pressKind } from "rr/mafia/game";
import { NOBODY, questionAt } from "rr/agora/words";

export class AgoraControls extends TownControls {
  /** Press a citizen, or nobody: by day a vote, by night a choice; what is seldom meant is asked about. */
  press(choice) {
    const kind = pressKind(this.view);
    if (kind !== "vote" && kind !== "choose") return undefined;
    // A forged file is final: also those who do without questions are asked.
    if (kind === "choose" && this.mine.role === "agent" && choice !== NOBODY) return this.setUi({ ask: { choice } });
    if (questionAt(this.view, choice) && this.asks({ choice })) return undefined;
    return this.take(choice);
  }

  /** Vote or choose; the own vote again takes it back. */
  take(choice) {
    this.setUi({ ask: null });
    if (pressKind(this.view) === "vote") return this.act("vote", { choice: choice === ownChoice(this.view) ? null : choice });
    return this.act("choose", { target: choice });
  }
}
