// How a game of Agoran Mafia ended: who won, who was what, who earned what.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { EndingPanel } from "rr/mafia/ending";
import { endingOf, fateOf, hasWon, roleWord } from "rr/agora/words";

export function Ending() {
  const { view } = useTable();
  const won = hasWon(view);
  const awards = new Map(view.game.result?.awards ?? []);
  const award = (no) => awards.get(no) && `${awards.get(no)} + ${awards.get(no)}i`;
  const rows = view.game.seats.map((citizen) => ({ no: citizen.no, name: nameOf(view, citizen.no), fate: fateOf(citizen) || "lived", card: citizen.role && roleWord(citizen.role), award: award(citizen.no) }));
  return html`<${EndingPanel} ...${endingOf(view.game)} won=${won} wonWords=${won ? "You are on the winning side." : "You are not on the winning side."} rows=${rows} note="What the rules award is written x + yi. For now it is told here and not paid." />`;
}
