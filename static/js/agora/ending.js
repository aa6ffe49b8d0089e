// The end of a game of Agoran Mafia: the winners, the roles and the awards.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { EndingPanel } from "rr/mafia/ending";
import { endingOf, fateOf, hasWon, roleWord } from "rr/agora/words";

export function Ending() {
  const { view } = useTable();
  const won = hasWon(view);
  const awards = new Map(view.game.result?.awards ?? []);
  const both = (points) => points && [points, points];
  const rows = view.game.seats.map((citizen) => ({ no: citizen.no, fate: fateOf(citizen) || "lived", card: citizen.role && roleWord(citizen.role), earned: both(awards.get(citizen.no)) }));
  return html`<${EndingPanel} ...${endingOf(view.game)} won=${won} wonWords=${won ? "You are on the winning side." : "You are not on the winning side."} rows=${rows} />`;
}
