// Beside the town: the log, the votes, the chat where there is one, notes, rules; the command line.
import { html } from "preact";
import { Side } from "rr/board/side";
import { useTable } from "rr/board/parts";
import { lostSeat } from "rr/mafia/absence";
import { Notes } from "rr/mafia/notes";
import { VoteHistory } from "rr/mafia/votes";
import { Will, mayWriteWill } from "rr/mafia/will";

/** Whether lines of chat are for this viewer: those who play talk in the thread, who was replaced waits. */
export function hasChat(view) {
  if (view.match.status !== "running") return true;
  return view.you.seat === null && lostSeat(view) === null;
}

/** rules: the short rules of the game that is played. */
export function TownSide({ rules }) {
  const { view } = useTable();
  const tabs = [["votes", "Votes", VoteHistory], ["notes", "Notes", Notes], ...(mayWriteWill(view) ? [["will", "Will", Will]] : [])];
  return html`<${Side} rules=${rules} more=${tabs} hasChat=${hasChat(view)} placeholder=${hasChat(view) ? undefined : "A command, such as !help"} />`;
}
