// Marks of seats: bots, the absent, seats that others may take over, warnings.
import { html } from "preact";
import { Icon } from "rr/icon";
import { Question, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { awayWords, mayTakeOver, openSeats, warningFor } from "rr/mafia/absence";

/** hasActed: whether something of this phase shows that the viewer is here. */
export function Warning({ hasActed }) {
  const { view } = useTable();
  const words = warningFor(view, hasActed);
  return words ? html`<p class="notice notice-warning" role="status"><${Icon} name="triangle-alert" /><span>${words}</span></p>` : null;
}

function OpenSeat({ chair }) {
  const { view, controls } = useTable();
  return html`<li class="open-seat"><b>${nameOf(view, chair.no)}</b><button type="button" class="btn" onClick=${() => controls.setUi({ ask: { seat: chair.no } })}>Take over<span class="sr"> the seat of ${nameOf(view, chair.no)}</span></button></li>`;
}

function TakeOver() {
  const { view, ui, controls } = useTable();
  const chair = view.seats[ui.ask?.seat];
  if (!chair?.is_open) return null;
  const yes = () => {
    controls.setUi({ ask: null });
    controls.act("take_over", { seat: chair.no });
  };
  return html`<${Question} title=${`Play for ${nameOf(view, chair.no)}?`} yes="Take over" no="Not now" onYes=${yes}>You get the role and all that the seat knows, and play it to the end.<//>`;
}

/** The open seats, for viewers who may ask for one; guests get a link to log in. */
export function OpenSeats() {
  const { view, config } = useTable();
  if (!mayTakeOver(view)) return null;
  if (view.you.name === null) return html`<p class="notice"><${Icon} name="user" /><span>A seat is open here. <a href=${config.signup_url}>Sign up</a> or <a href=${config.login_url}>log in</a> to take it over.</span></p>`;
  return html`<div class="notice notice-seats"><p><${Icon} name="user" /> <b>Open seats.</b> They stay their players' until somebody takes them over.</p>
    <ul class="open-seats">${openSeats(view).map((chair) => html`<${OpenSeat} key=${chair.no} chair=${chair} />`)}</ul><${TakeOver} /></div>`;
}

/** The robot of a bot beside its name, on screens too narrow for the discs that show it. */
export function BotMark({ chair }) {
  return chair?.player?.bot ? html`<span class="bot-mark"><${Icon} name="robot" /></span>` : null;
}

/** The last day of a player's absence, beside the name. */
export function AwayTag({ chair }) {
  const { config } = useTable();
  const words = awayWords(config.away, chair);
  return words ? html`<span class="tag">${words}</span>` : null;
}
