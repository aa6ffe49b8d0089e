// The end of a game of Dynamite Town: the winners, the teams and the awards.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { EndingPanel } from "rr/mafia/ending";
import { Sign } from "rr/dynamite/team";
import { cardName, decidingDeath, endingOf, fateOf, hasWon } from "rr/dynamite/words";

export function Ending() {
  const { view } = useTable();
  const awards = new Map(view.game.result?.awards ?? []);
  const rows = view.game.seats.map((player) => ({ no: player.no, fate: fateOf(player) || "lived", look: `team-${player.team}`, picture: html`<${Sign} team=${player.team} />`, title: cardName(player.team), earned: awards.has(player.no) && [awards.get(player.no), 0] }));
  return html`<${EndingPanel} ...${endingOf(view.game)} won=${hasWon(view)} rows=${rows} deciding=${decidingDeath(view)} />`;
}
