// The effect of a press on a citizen in Agoran Mafia.
import { TownControls } from "rr/mafia/controls";
import { ownChoice, pressKind } from "rr/mafia/game";
import { NOBODY } from "rr/agora/words";

export class AgoraControls extends TownControls {
  /** Press a citizen, or nobody: by day a vote, by night a choice; the agent is asked first. */
  press(choice) {
    const kind = pressKind(this.view);
    if (kind === "vote") return this.act("vote", { choice: choice === ownChoice(this.view) ? null : choice });
    if (kind !== "choose") return undefined;
    if (this.mine.role === "agent" && choice !== NOBODY) return this.setUi({ ask: { choice } });
    return this.act("choose", { target: choice });
  }
}
