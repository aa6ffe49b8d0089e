// The effect of a press on a player in Dynamite Town.
import { TownControls } from "rr/mafia/controls";
import { ownChoice, pressKind } from "rr/mafia/game";

export class DynamiteControls extends TownControls {
  /** By day a vote, which cannot be taken back but changed; by night a confrontation, or none after all. */
  press(seat) {
    const kind = pressKind(this.view);
    if (kind === "vote") return this.act("vote", { choice: seat });
    if (kind !== "confront") return undefined;
    return seat === ownChoice(this.view) ? this.act("withdraw") : this.act("confront", { target: seat });
  }
}
