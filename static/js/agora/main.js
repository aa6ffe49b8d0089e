// Sets the board for a town of Agoran Mafia.
import { setUpTown } from "rr/mafia/main";
import { AgoraApp } from "rr/agora/app";
import { AgoraControls } from "rr/agora/controls";
import { hasWon } from "rr/agora/words";

setUpTown({ App: AgoraApp, Controls: AgoraControls, hasWon });
