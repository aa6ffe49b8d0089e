// The end of a game of Agoran Mafia: the winners, the roles and the awards.
import { html } from "preact";
import { Icon } from "rr/icon";
import { useTable } from "rr/board/parts";
import { EndingPanel } from "rr/mafia/ending";
import { ICONS } from "rr/agora/card";
import { decidingVote, endingOf, fateOf, hasWon, roleWord } from "rr/agora/words";

export function Ending() {
  const { view } = useTable();
  const awards = new Map(view.game.result?.awards ?? []);
  const both = (points) => points !== undefined && [points, points];
  const rows = view.game.seats.map((citizen) => ({ no: citizen.no, fate: fateOf(citizen) || "lived", look: `role-${citizen.role}`, picture: html`<${Icon} name=${ICONS[citizen.role]} />`, title: roleWord(citizen.role), earned: both(awards.get(citizen.no)) }));
  return html`<${EndingPanel} ...${endingOf(view.game)} won=${hasWon(view)} rows=${rows} deciding=${decidingVote(view)} />`;
}
