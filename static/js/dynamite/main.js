// Sets the board for Dynamite Town.
import { setUpTown } from "rr/mafia/main";
import { DynamiteApp } from "rr/dynamite/app";
import { DynamiteControls } from "rr/dynamite/controls";
import { hasWon } from "rr/dynamite/words";

setUpTown({ App: DynamiteApp, Controls: DynamiteControls, hasWon });
