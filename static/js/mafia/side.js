// Beside the town: the log, the votes, the chat where there is one, notes, rules; the command line.
import { html } from "preact";
import { Side } from "rr/board/side";
import { useTable } from "rr/board/parts";
import { Notes } from "rr/mafia/notes";
import { VoteHistory } from "rr/mafia/votes";

/** Whether lines of chat are for this viewer: those who play talk in the thread. */
export function hasChat(view) {
  return view.you.seat === null || view.match.status !== "running";
}

/** rules: the short rules of the game that is played. */
export function TownSide({ rules }) {
  const { view } = useTable();
  const tabs = [["votes", "Votes", VoteHistory], ["notes", "Notes", Notes]];
  return html`<${Side} rules=${rules} more=${tabs} hasChat=${hasChat(view)} placeholder=${hasChat(view) ? undefined : "A command, such as !help"} />`;
}
