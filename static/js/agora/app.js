// The board of Agoran Mafia: the common Mafia board with this game's parts.
import { townApp } from "rr/mafia/app";
import { Card } from "rr/agora/card";
import { Citizens } from "rr/agora/citizens";
import { Ending } from "rr/agora/ending";
import { ShortRules } from "rr/agora/help";
import { TownOptions } from "rr/agora/options";
import { ROOMS, noteOf } from "rr/agora/words";

export const AgoraApp = townApp({ Card, Players: Citizens, Ending, ShortRules, noteOf, rooms: ROOMS, Options: TownOptions, walk: "walk to a citizen, and vote or choose" });
