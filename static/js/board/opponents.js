// The opponents at a table before its game: bots, the link, and the time for which a seat is kept.
import { html, useEffect, useRef, useState } from "preact";
import { Icon } from "rr/icon";
import { BotFace } from "rr/board/bot-face";
import { siteNow, spanText } from "rr/board/clock";
import { CopyLink } from "rr/board/frame";
import { ActButton, Dialog, Ring, useLeft, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";

const KEPT_FOR = 60_000;
const BOT_AFTER = 20_000;
const STRENGTHS = { easy: "Easy", normal: "Normal", even: "Even", hard: "Hard" };
/** Asked for in place of a name: the bot with which one is nearest to even. */
const LIKE_ME = "like_me";

/** The description of a bot, as [name, manner, strength, about, reads]; undefined for others. */
export function characterOf(config, name) {
  return config.bots?.find(([known]) => known === name);
}

/** The handler for a choice: the bot sits down, or practice begins again with it. */
function useChoice(name) {
  const { controls, config } = useTable();
  return () => {
    controls.setUi({ dialog: null });
    if (config.practice) location.assign(`${config.practice.again_url}?${new URLSearchParams({ bot: name })}`);
    else controls.act("add_bot", { bot: name });
  };
}

function BotChoice({ bot: [name, manner, , about], face }) {
  const choose = useChoice(name);
  return html`<li><button type="button" class="bot-choice" title=${about} onClick=${choose}>
    <${BotFace} ...${face} /><b>${name.split("_").map((part, place) => html`${place > 0 && html`_<wbr />`}${part}`)}</b><small>${manner}</small>
  </button></li>`;
}

/** The strengths, the mildest first, each with one bot of each manner that is not at the table. */
export function botGrid(bots, seats) {
  const seated = new Set(seats.map((seat) => seat.player?.name));
  const manners = [...new Set(bots.map(([, manner]) => manner))];
  const strengths = [...new Set(bots.map(([, , strength]) => strength))];
  const free = bots.filter(([name]) => !seated.has(name));
  return strengths.map((strength, row) => ({
    strength,
    about: free.find((bot) => bot[2] === strength)?.[3].split("; ").at(-1) ?? "",
    choices: manners.flatMap((manner, column) => {
      const bot = free.find((one) => one[1] === manner && one[2] === strength);
      return bot ? [{ bot, face: { manner: column, strength: row } }] : [];
    }),
  }));
}

/** The bots to choose from; one that plays by earlier throws plays for no points. */
export function BotDialog() {
  const { view, controls, config } = useTable();
  const likeMe = useChoice(LIKE_ME);
  const isStaked = view.match.options.stake > 0;
  const bots = config.bots.filter(([, , , , reads]) => !reads || !isStaked);
  return html`<${Dialog} title="Choose a bot" look="dialog-wide" onClose=${() => controls.setUi({ dialog: null })}>
    ${isStaked && bots.length < config.bots.length && html`<p class="small muted">The others never play for points.</p>`}
    ${!config.practice && !isStaked && html`<p class="cluster"><button type="button" class="btn" onClick=${likeMe}>Like me</button><small class="muted">the one you beat about every other time</small></p>`}
    ${botGrid(bots, view.seats).map(({ strength, about, choices }) => html`<section key=${strength} class="bot-row" aria-label=${STRENGTHS[strength]}>
      <h3>${STRENGTHS[strength]}<small class="muted">${about}</small></h3>
      <ul class="bot-choices">${choices.map((choice) => html`<${BotChoice} key=${choice.bot[0]} ...${choice} />`)}</ul>
    </section>`)}
  <//>`;
}

/** Opens the list of bots; as an icon its words are for readers. */
export function ChooseBot({ look = "btn" }) {
  const { controls } = useTable();
  const open = () => controls.setUi({ dialog: "bots" });
  return look === "btn"
    ? html`<button type="button" class="btn" onClick=${open}>Choose a bot…</button>`
    : html`<button type="button" class=${look} aria-label="Choose a bot" title="Choose a bot" onClick=${open}><${Icon} name="robot" /></button>`;
}

/** A bot's line about how it played. */
export function BotSays() {
  const { view } = useTable();
  const chair = view.seats.find(({ player }) => player?.says);
  return chair ? html`<p class="bot-says"><b>${nameOf(view, chair.no)}</b>: “${chair.player.says}”</p>` : null;
}

export function Opponents() {
  const { view, ui, controls, config } = useTable();
  const { may } = view.you;
  const bots = view.seats.filter((seat) => seat.player?.bot);
  return html`<div class="cluster opponents">
    ${may.includes("add_bot") && html`<${ActButton} kind="add_bot" onPress=${() => controls.act("add_bot")}><${Icon} name="robot" />Add a bot<//>`}
    ${may.includes("add_bot") && config.bots?.length > 0 && html`<${ChooseBot} />`}
    ${may.includes("remove_bot") && bots.map((seat) => html`<${ActButton} key=${seat.no} kind="remove_bot" onPress=${() => controls.act("remove_bot", { seat: seat.no })}><${Icon} name="x" />Remove ${bots.length > 1 ? seat.player.name : "bot"}<//>`)}
    <${CopyLink} />
    ${ui.dialog === "bots" && may.includes("add_bot") && html`<${BotDialog} />`}
  </div>`;
}

/** A bot joins a player who waits alone at a quick table; the player sees the wait and can prolong it. */
export function BotOnItsWay({ note = "", look = "btn" }) {
  const { view, controls } = useTable();
  const [dueAt] = useState(() => new Date(siteNow() + BOT_AFTER).toISOString());
  const [isWaved, wave] = useState(false);
  const isAsked = useRef(false);
  const isAlone = view.seats.filter((seat) => seat.player).length === 1;
  const isComing = isAlone && !isWaved && view.match.mark !== "" && view.you.may.includes("add_bot");
  const left = useLeft(isComing ? dueAt : null);
  useEffect(() => {
    if (left !== 0 || isAsked.current) return;
    isAsked.current = true; // before asking, which draws the board again
    wave(true); // a bot that cannot come is not asked again
    controls.tryTo("add_bot", {}, false);
  }, [left === 0]);
  if (!isComing) return null;
  return html`<div class="notice bot-question"><span class="sr" role="status">Nobody here yet. A bot comes in ${BOT_AFTER / 1000} seconds${note}.</span><${Icon} name="robot" /><span aria-hidden="true">Nobody here yet. A bot comes in <b class="num">${spanText(left ?? 0)} s</b>${note}.</span>
    <${ActButton} kind="add_bot" class=${look} onPress=${() => controls.act("add_bot")}>Play a bot now<//>
    <button type="button" class="btn" onClick=${() => wave(true)}>Keep waiting</button></div>`;
}

/** The time for which the seats of players who are not ready are kept; bots wait. */
export function SeatClock() {
  const { view } = useTable();
  const own = view.seats.find((seat) => seat.no === view.you.seat);
  const others = view.seats.filter((seat) => seat.player && seat.no !== view.you.seat);
  if (own && !own.ready && others.length && others.every((seat) => seat.player.bot)) {
    return html`<p class="small muted">The bots are ready. Take your time.</p>`;
  }
  if (!view.ready_by) return null;
  const words = own?.ready ? "Players who are not ready lose their seats." : "Press Ready in time or you lose your seat.";
  return html`<p class="seat-clock"><${Ring} dueAt=${view.ready_by} limit=${KEPT_FOR} label="Until the seat is given up" short=${10_000} /><span>${words}</span></p>`;
}
