// The rules of Agoran Mafia in short.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { lengthWords, listed } from "rr/board/wording";
import { rolesLine } from "rr/agora/words";

const ACTIONS = { mafioso: "the mafia kills", doctor: "the doctor protects", sheriff: "the sheriff reads a file", agent: "the agent of the mafia forges a file" };

/** The actions of a night by the roles of the game; before its start all that exist. */
export function nightActions(game) {
  const roles = game ? game.roles.filter(([, number]) => number > 0).map(([role]) => role) : Object.keys(ACTIONS);
  return Object.keys(ACTIONS).filter((role) => roles.includes(role)).map((role) => ACTIONS[role]);
}

export function ShortRules() {
  const { view, config } = useTable();
  const { options } = view.match;
  return html`<div class="feed prose small" tabindex="0" role="region" aria-label="Short rules">
    <p>A few of you are the <b>mafia</b> and know each other; the others are the <b>town</b> and know nobody. ${view.game ? html`In this game: ${rolesLine(view.game)}.` : ""}</p>
    <p>By <b>night</b> ${listed(nightActions(view.game))}. All choices take effect together at dawn.</p>
    <p>By <b>day</b> everybody who lives talks and has one vote. As soon as more than half of the living vote for the same citizen, that citizen is lynched and the day ends; more than half for nobody end it without a lynching.</p>
    <p>The town wins when the whole mafia is dead. The mafia wins when as many of it live as of the town. Three quiet nights and days are a draw.</p>
    <p>A night or a day lasts at most ${lengthWords(options.phase_seconds)}.</p>
    <p><a href=${config.rules_url} target="_blank" rel="noopener">All rules</a></p>
  </div>`;
}
