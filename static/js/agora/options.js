// The options that only Agoran Mafia has.
import { optionsOf } from "rr/mafia/options";

export const OPTIONS = {
  rows: (options) => [
    ["A night ends", options.early_end ? "early when all are done" : "at its time"],
    ["Roles of the dead", options.reveal_on_death ? "shown" : "secret to the end"],
  ],
  switches: [
    ["early_end", "A night ends early when all are done"],
    ["reveal_on_death", "Whoever dies shows the role"],
  ],
};

export const TownOptions = optionsOf(OPTIONS);
