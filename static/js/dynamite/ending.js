// How a game of Dynamite Town ended: who won, who was what, who earned what.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { EndingPanel } from "rr/mafia/ending";
import { Badge } from "rr/dynamite/team";
import { TEAMS, causeWords, endingOf, hasWon } from "rr/dynamite/words";

export function Ending() {
  const { view } = useTable();
  const won = hasWon(view);
  const awards = new Map(view.game.result?.awards ?? []);
  const fate = (player) => (player.is_alive ? "lived" : `${causeWords(player)}, round ${player.died_round}`);
  const rows = view.game.seats.map((player) => ({ no: player.no, fate: fate(player), card: player.team && html`<${Badge} team=${player.team} word=${TEAMS[player.team].card} />`, earned: awards.has(player.no) && [awards.get(player.no), 0] }));
  return html`<${EndingPanel} ...${endingOf(view.game)} won=${won} wonWords=${won ? "You have won." : "You have not won."} rows=${rows} />`;
}
