// The rules of Dynamite Town in short.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import { lengthWords } from "rr/board/wording";

export function ShortRules() {
  const { view, config } = useTable();
  return html`<div class="feed prose small" tabindex="0" role="region" aria-label="Short rules">
    <p>Rock, paper and scissors are three <b>mafias</b> that know their own. Everybody else is a <b>townie</b>: dynamite, alone.</p>
    <p>By <b>day</b> everybody votes for somebody else. Each vote that a mafia's members hold is an action point for it. A vote on a townie is a danger point: at 3 the townie explodes; otherwise it drops by 1. Without a vote one is killed by a rampaging <b>stapler</b>.</p>
    <p>By <b>night</b> a mafioso may spend two points to confront somebody. Paper kills rock, scissors kill paper, rock kills scissors. A mafioso who confronts a townie dies. A stronger one never notices. After the night a team keeps two points at most.</p>
    <p>A mafia wins when the last of its prey is dead, its own dead with it. Townies who live then win, too. ${view.game ? html`${view.game.quiet_limit} days and nights without a death are a draw.` : ""}</p>
    <p>A night or a day lasts at most ${lengthWords(view.match.options.phase_seconds)}.</p>
    <p><a href=${config.rules_url} target="_blank" rel="noopener">All rules</a></p>
  </div>`;
}
