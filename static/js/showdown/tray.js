// The weapons: whom to attack, with what, and what two of them make.
import { html, useState } from "preact";
import { Icon } from "rr/icon";
import { ActButton, Avatar, Countdown, Question, letGo, useTable } from "rr/board/parts";
import { nameOf } from "rr/board/seats";
import { counted, listed } from "rr/board/wording";
import { WeaponFace } from "rr/showdown/cards";
import { canThrow, targetOf, unarmed } from "rr/showdown/controls";
import { ALL, BASIC, COMBINED, WEAPONS, beatenBy, hasParts, recipe, statusWord, title } from "rr/showdown/lore";
import { Known } from "rr/showdown/known";
import { LastRound } from "rr/showdown/reveal";
import { choose, setting } from "rr/settings";

function Target({ no, isPicked }) {
  const { view, controls } = useTable();
  const weapon = view.game.you.attacks[no];
  const mines = view.game.you.mines[no];
  const name = nameOf(view, no);
  const pick = (event) => {
    letGo(event);
    controls.pickTarget(no);
  };
  return html`<button type="button" class="target" aria-pressed=${isPicked} onClick=${pick}>
    <span class="target-disc"><${Avatar} player=${view.seats.find((seat) => seat.no === no)?.player} /></span>
    <span class="target-text"><b>${name}</b><span>${weapon ? html`<${Icon} name=${weapon} class=${`ink-${WEAPONS[weapon].material}`} />${title(weapon)}` : "no weapon yet"}${mines ? html` <span class="target-mine"><${Icon} name="landmine" />${mines}<span class="sr"> mine planted</span></span>` : ""}</span></span>
    <${Known} no=${no} />
  </button>`;
}

function Targets({ picked }) {
  const { view } = useTable();
  return html`<div class="targets" role="group" aria-label="Whom to attack">${view.game.you.targets.map((no) => html`<${Target} key=${no} no=${no} isPicked=${no === picked} />`)}</div>`;
}

/** The text of a weapon's card, and whether it can be pressed. */
function cardState(weapon, mine, ui, made) {
  const count = mine.stock[weapon] ?? 0;
  const isBasic = BASIC.includes(weapon);
  if (ui.combine) {
    const held = count - ui.combine.filter((part) => part === weapon).length;
    return { badge: isBasic ? held : recipe(weapon), note: isBasic ? "pick to combine" : "", isOff: isBasic ? held < 1 : weapon !== made, isUp: ui.combine.includes(weapon) };
  }
  if (isBasic || count) return { badge: count, note: "", isOff: !count };
  const canMake = hasParts(weapon, mine.stock);
  return { badge: recipe(weapon), note: canMake ? "combine" : "parts missing", isOff: !canMake, isMade: true };
}

/** The weapons that one beats, as pictures; screen readers get words. */
function Beats({ weapon, matrix }) {
  return html`<span class="prey" aria-hidden="true">${beatenBy(weapon, matrix).map(({ name, isTaken }) => html`<${Icon} key=${name} name=${name} class=${isTaken ? "is-taken" : ""} />`)}</span>`;
}

function beatsWords(weapon, matrix) {
  return `beats ${listed(beatenBy(weapon, matrix).map(({ name, isTaken }) => `${title(name)}${isTaken ? " and takes it" : ""}`))}`;
}

function WeaponCard({ weapon, target, number }) {
  const { view, ui, controls, config } = useTable();
  const mine = view.game.you;
  const { badge, note, isOff, isUp, isMade } = cardState(weapon, mine, ui, controls.made());
  const isChosen = isUp ?? (target !== null && mine.attacks[target] === weapon);
  const look = `card card-${WEAPONS[weapon].material}${isMade ? " card-made" : ""}`;
  const press = (event) => {
    letGo(event);
    controls.pressWeapon(weapon);
  };
  return html`<button type="button" class=${look} disabled=${mine.locked || (isOff && !isChosen)} aria-pressed=${Boolean(isChosen)} data-weapon=${weapon} onClick=${press}>
    <${WeaponFace} weapon=${weapon} note=${isChosen && !ui.combine ? "chosen" : note} /><span class="badge num"><span class="sr">, </span>${badge}<span class="sr">${typeof badge === "number" ? " left, " : ", "}</span></span><${Beats} weapon=${weapon} matrix=${config.matrix} /><span class="sr">${beatsWords(weapon, config.matrix)}</span><kbd class="card-key" aria-hidden="true">${number}</kbd>
  </button>`;
}

function Cards({ weapons, target, class: look }) {
  return html`<div class=${`cards ${look}`}>${weapons.map((weapon) => html`<${WeaponCard} key=${weapon} weapon=${weapon} target=${target} number=${ALL.indexOf(weapon) + 1} />`)}</div>`;
}

function CombineBar({ target }) {
  const { view, ui, controls, config } = useTable();
  const made = controls.made();
  const [first, second] = ui.combine;
  const words = made ? html`<b>${title(first)} + ${title(second)} = ${title(made)}</b>` : first ? html`<b>${title(first)} +</b> pick another basic weapon` : "Pick two basic weapons";
  const { targets, may } = view.game.you;
  const isPossible = made && target !== null && may.includes("combine");
  return html`<div class="combine-bar" role="status">
    ${made && html`<${Icon} name=${made} class=${`ink-${WEAPONS[made].material}`} />`}
    <span>${words}<small>It cannot be undone${made ? `; ${title(made)}: ${beatsWords(made, config.matrix)}` : ""}.</small></span>
    <button type="button" class="btn" onClick=${() => controls.toggleCombine()}>Cancel</button>
    ${isPossible && targets.length > 1 && canThrow(view.game.you, made, null, true) && html`<${ActButton} kind="attack" onPress=${() => controls.throwAtAll(made)}>At all<//>`}
    <${ActButton} kind="attack" class="btn btn-brass" disabled=${!isPossible} onPress=${() => controls.combine()}><span>${made ? `Make and throw at ${nameOf(view, target)}` : "Combine"}</span>${made && html` <kbd aria-hidden="true">Enter</kbd>`}<//>
  </div>`;
}

/** The permanent stock, of which one may bring in now. */
function Stock({ target }) {
  const { view, controls } = useTable();
  const { stock } = view.you;
  const { may } = view.game.you;
  const owned = BASIC.filter((weapon) => stock?.[weapon]);
  const mines = stock?.landmine ?? 0;
  if (!owned.length && !mines) return null;
  return html`<div class="stock"><span class="muted small">Your stash</span>
    ${owned.map((weapon) => html`<${ActButton} key=${weapon} kind="add" class="btn" disabled=${!may.includes("add")} onPress=${() => controls.act("add", { weapon })}><${Icon} name=${weapon} />Add ${title(weapon)} <span class="num">×${stock[weapon]}</span><//>`)}
    ${mines > 0 && html`<${ActButton} kind="mine" class="btn btn-danger" disabled=${!may.includes("mine") || target === null} onPress=${() => controls.mineTarget()}><${Icon} name="landmine" /><span>Mine<span class="only-wide"> under ${target === null ? "…" : nameOf(view, target)}</span></span> <span class="num">×${mines}</span><//>`}
  </div>`;
}

function chosenWord(mine) {
  const left = mine.targets.length - Object.keys(mine.attacks).length;
  if (mine.locked) return "You are locked in. Waiting for the others.";
  if (left > 0) return `${counted(left, "opponent")} left`;
  return "All attacks chosen. Lock in when you are done.";
}

/** The round in fewer presses: one weapon for all, the last weapons again, and a lock without a press. */
function Habits() {
  const { view, ui, controls } = useTable();
  const [isOn, set] = useState(setting("auto_lock"));
  const { locked } = view.game.you;
  if (controls.lesson) return null;
  const again = (event) => {
    letGo(event);
    if (locked) controls.togglePlan("same");
    else controls.sameAgain();
  };
  const toggle = (event) => {
    letGo(event);
    choose("auto_lock", !isOn);
    set(!isOn);
    controls.follow();
  };
  const all = controls.weaponForAll();
  const atAll = (event) => {
    letGo(event);
    controls.throwAtAll(all);
  };
  return html`<div class="habits">
    ${all && html`<button type="button" class="chip" onClick=${atAll}>${title(all)} at all <kbd>A</kbd></button>`}
    ${(locked || controls.lastThrown().length > 0) && html`<button type="button" class="chip" aria-pressed=${locked ? ui.plan === "same" : undefined} onClick=${again}>${locked ? html`Same again<span class="only-wide"> next round</span>` : html`Same again <kbd>S</kbd>`}</button>`}
    <button type="button" class="chip" aria-pressed=${isOn} title="Lock in as soon as every opponent is attacked" onClick=${toggle}>Auto-lock</button>
  </div>`;
}

function TrayEnd() {
  const { view, ui, controls } = useTable();
  const mine = view.game.you;
  const toggle = (event) => {
    letGo(event);
    controls.toggleCombine();
  };
  const isDone = mine.targets.every((no) => mine.attacks[no]);
  const lock = mine.locked
    ? html`<${ActButton} kind="unlock" class="btn btn-lock" disabled=${!mine.may.includes("unlock")} onPress=${() => controls.act("unlock")}><${Icon} name="lock-open" />Unlock <kbd>L</kbd><//>`
    : html`<${ActButton} kind="lock" class=${isDone ? "btn btn-brass btn-lock" : "btn btn-lock"} disabled=${!mine.may.includes("lock")} onPress=${() => controls.lock()}><${Icon} name="lock" />Lock in${!controls.made() && html` <kbd>Enter</kbd>`}<//>`;
  return html`<div class="actions actions-round">
    <${ActButton} kind="reset" class="btn" disabled=${!mine.may.includes("reset") || !Object.keys(mine.attacks).length} onPress=${() => controls.act("reset")}><${Icon} name="rotate-ccw" />Reset<//>
    <button type="button" class="btn" aria-pressed=${Boolean(ui.combine)} disabled=${!mine.may.includes("combine")} onClick=${toggle}><${Icon} name="combine" />Combine</button>
    ${lock}
  </div>`;
}

function LockQuestion() {
  const { view, controls } = useTable();
  const names = unarmed(view.game.you).map((no) => nameOf(view, no));
  return html`<${Question} title="Lock in with bare hands?" no="Keep choosing" yes="Lock in anyway" isBad onYes=${() => controls.lock()}>You have no weapon against ${listed(names)}. Bare hands lose to every weapon.<//>`;
}

function MineQuestion({ target }) {
  const { view, controls } = useTable();
  const name = nameOf(view, target);
  return html`<${Question} title=${`Plant a mine under ${name}?`} no="Not now" yes="Plant it" onYes=${() => controls.mineTarget()}>It leaves your stash at once and cannot be taken back. Nobody is told. It goes off if a round is level and ${name} has the most mines underneath.<//>`;
}

export function Tray() {
  const { view, ui } = useTable();
  const { game } = view;
  const mine = game.you;
  const target = targetOf(view, ui);
  const heading = mine.locked ? statusWord("locked") : ui.combine ? "Combine two weapons" : target === null ? "Nobody to attack" : `Attack ${nameOf(view, target)} with…`;
  return html`<section class=${`panel dock tray${mine.locked ? " is-locked" : ""}`} aria-label="Your weapons">
    <header class="dock-head"><h2 tabindex="-1">${heading}</h2><p class="small muted" role="status">${chosenWord(mine)}</p>${mine.targets.length === 1 && html`<${Known} no=${target} />`}<${Countdown} dueAt=${game.due_at} /></header>
    ${ui.combine ? html`<${CombineBar} target=${target} />` : mine.targets.length > 1 && html`<${Targets} picked=${target} />`}
    <div class="hand"><${Cards} weapons=${BASIC} target=${target} class="cards-basic" /><${Cards} weapons=${COMBINED} target=${target} class="cards-combined" /></div>
    <${TrayEnd} />
    <div class="tray-foot"><${Stock} target=${target} /><${LastRound} /><${Habits} /></div>
    ${ui.ask === "lock" && unarmed(mine).length > 0 && html`<${LockQuestion} />`}
    ${ui.ask === "mine" && mine.may.includes("mine") && target !== null && html`<${MineQuestion} target=${target} />`}
  </section>`;
}
