// The opponents at a table before its game: bots, the link, and the time for which a seat is kept.
import { html } from "preact";
import { Icon } from "rr/icon";
import { CopyLink } from "rr/board/frame";
import { ActButton, Dialog, Ring, useTable } from "rr/board/parts";

const KEPT_FOR = 60_000;
const STRENGTHS = { easy: "Easy", normal: "Normal", hard: "Hard" };

/** The description of a bot, as [name, manner, strength, about]; undefined for others. */
export function characterOf(config, name) {
  return config.bots?.find(([known]) => known === name);
}

function BotChoice({ bot: [name, manner, strength, about] }) {
  const { controls } = useTable();
  const choose = () => {
    controls.setUi({ dialog: null });
    controls.act("add_bot", { bot: name });
  };
  return html`<li><button type="button" class="bot-choice" onClick=${choose}>
    <${Icon} name="robot" /><span><b>${name}</b><span class="muted"> ${STRENGTHS[strength]}, ${manner}</span><small>${about}</small></span>
  </button></li>`;
}

/** One bot of each strength and manner, the mildest first. */
function choices(config, seats) {
  const seated = new Set(seats.map((seat) => seat.player?.name));
  const kinds = new Map();
  for (const bot of config.bots.filter(([name]) => !seated.has(name))) {
    const kind = `${bot[2]} ${bot[1]}`;
    if (!kinds.has(kind)) kinds.set(kind, bot);
  }
  return [...kinds.values()];
}

function BotDialog() {
  const { view, controls, config } = useTable();
  return html`<${Dialog} title="Choose a bot" onClose=${() => controls.setUi({ dialog: null })}>
    <ul class="bot-choices">${choices(config, view.seats).map((bot) => html`<${BotChoice} key=${bot[0]} bot=${bot} />`)}</ul>
  <//>`;
}

export function Opponents() {
  const { view, ui, controls, config } = useTable();
  const { may } = view.you;
  const bots = view.seats.filter((seat) => seat.player?.bot);
  return html`<div class="cluster opponents">
    ${may.includes("add_bot") && html`<${ActButton} kind="add_bot" onPress=${() => controls.act("add_bot")}><${Icon} name="robot" />Add a bot<//>`}
    ${may.includes("add_bot") && config.bots?.length > 0 && html`<button type="button" class="btn" onClick=${() => controls.setUi({ dialog: "bots" })}>Choose a bot…</button>`}
    ${may.includes("remove_bot") && bots.map((seat) => html`<${ActButton} key=${seat.no} kind="remove_bot" onPress=${() => controls.act("remove_bot", { seat: seat.no })}><${Icon} name="x" />Remove ${bots.length > 1 ? seat.player.name : "bot"}<//>`)}
    <${CopyLink} />
    ${ui.dialog === "bots" && may.includes("add_bot") && html`<${BotDialog} />`}
  </div>`;
}

/** The time for which the seats of players who are not ready are kept; bots wait. */
export function SeatClock() {
  const { view } = useTable();
  const own = view.seats.find((seat) => seat.no === view.you.seat);
  const others = view.seats.filter((seat) => seat.player && seat.no !== view.you.seat);
  if (own && !own.ready && others.length && others.every((seat) => seat.player.bot)) {
    return html`<p class="small muted">The bots are ready and wait as long as you like.</p>`;
  }
  if (!view.ready_by) return null;
  const words = own?.ready ? "Players who are not ready by then lose their seats." : "Press Ready before this runs out, or your seat is given up.";
  return html`<p class="seat-clock"><${Ring} dueAt=${view.ready_by} limit=${KEPT_FOR} label="Until the seat is given up" short=${10_000} /><span>${words}</span></p>`;
}
