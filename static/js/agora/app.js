// The board of Agoran Mafia: the common Mafia board with this game's parts.
import { townApp } from "rr/mafia/app";
import { Card, Task, faceOf, markOf } from "rr/agora/card";
import { Citizens } from "rr/agora/citizens";
import { Ending } from "rr/agora/ending";
import { ShortRules } from "rr/agora/help";
import { TownOptions } from "rr/agora/options";
import { ROOMS, noteOf } from "rr/agora/words";

const endsEarly = (view) => Boolean(view.game?.early_end);

export const AgoraApp = townApp({ Task, Card, Players: Citizens, Ending, ShortRules, noteOf, endsEarly, faceOf, markOf, rooms: ROOMS, Options: TownOptions, walk: "walk to a citizen, and vote or choose" });
