// For guests at a table: the ways to a seat.
import { html } from "preact";
import { useTable } from "rr/board/parts";
import "rr/seat-wish"; // remembers which seat is wanted until the guest comes back

/** Whether a free seat is for anybody who comes: one of a challenge is kept. */
function hasSeat({ match, seats }) {
  return match.status === "open" && !match.challenge && seats.some((seat) => !seat.player);
}

/** Before a game: sign up or log in, come back to this table and sit down there. */
export function GuestSeat() {
  const { view, config } = useTable();
  if (!hasSeat(view)) return html`<p>All seats are taken. You can watch.</p>`;
  return html`<p>A seat is free. A name and a password, and it is yours.</p>
    <div class="actions"><a class="btn" href=${config.login_url} data-seat=${config.public_id}>Log in</a><a class="btn btn-brass" href=${config.signup_url} data-seat=${config.public_id}>Sign up and sit (${config.grant} free points)</a></div>`;
}

/** The attributes of a free seat's link for a guest; null for users. */
export function seatLink({ view, config }) {
  if (view.you.name !== null || !config.signup_url || !hasSeat(view)) return null;
  return { href: config.signup_url, "data-seat": config.public_id, title: "Sign up and sit" };
}
