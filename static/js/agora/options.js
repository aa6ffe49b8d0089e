// The options that only Agoran Mafia has.
import { wordsOf } from "rr/board/said";
import { optionsOf } from "rr/mafia/options";

export const OPTIONS = {
  rows: (options) => [
    ["A night ends", options.early_end ? "early when all are done" : "at its time"],
    ["Roles of the dead", options.reveal_on_death ? "shown" : "secret to the end"],
  ],
  switches: Object.entries(wordsOf("agora").options),
};

export const TownOptions = optionsOf(OPTIONS);
