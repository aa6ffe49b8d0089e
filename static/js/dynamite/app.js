// The board of Dynamite Town: the common Mafia board with this game's parts.
import { townApp } from "rr/mafia/app";
import { optionsOf } from "rr/mafia/options";
import { Card, Task, faceOf } from "rr/dynamite/card";
import { Ending } from "rr/dynamite/ending";
import { ShortRules } from "rr/dynamite/help";
import { Players } from "rr/dynamite/players";
import { ROOMS, noteOf } from "rr/dynamite/words";

/** The game has no options but those of every town. */
const Options = optionsOf({ rows: () => [], switches: [] });

export const DynamiteApp = townApp({ Task, Card, Players, Ending, ShortRules, noteOf, endsEarly: () => true, faceOf, markOf: () => "fist", rooms: ROOMS, Options, walk: "walk to a player, and vote or confront" });
