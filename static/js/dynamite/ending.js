// The end of a game of Dynamite Town: the winners, the teams and the awards.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { EndingPanel } from "rr/mafia/ending";
import { Badge } from "rr/dynamite/team";
import { cardName, endingOf, fateOf, hasWon } from "rr/dynamite/words";

export function Ending() {
  const { view } = useTable();
  const won = hasWon(view);
  const awards = new Map(view.game.result?.awards ?? []);
  const rows = view.game.seats.map((player) => ({ no: player.no, fate: fateOf(player) || "lived", card: player.team && html`<${Badge} team=${player.team} word=${cardName(player.team)} />`, earned: awards.has(player.no) && [awards.get(player.no), 0] }));
  return html`<${EndingPanel} ...${endingOf(view.game)} won=${won} wonWords=${won ? "You have won." : "You have not won."} rows=${rows} />`;
}
