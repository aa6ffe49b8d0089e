// The effect of a button or key at a Showdown table.
import { BoardControls } from "rr/board/controls";
import { clamp } from "rr/board/number-field";
import { setting } from "rr/settings";
import { shownPurse } from "rr/showdown/betting";
import { ALL, BASIC, WEAPONS, combination, hasParts } from "rr/showdown/lore";
import { shown, toldBy } from "rr/showdown/reveal";

/** The state of the choices that are not sent. */
export const CHOOSING = { target: null, combine: null, raise: null, purse: null, ask: null, plan: null, lockedFor: null, weapon: null };

/** The part of it that ends with a turn or a round. */
export const PASSING = ["target", "combine", "raise", "ask", "weapon"];

/** The opponents against whom the viewer has chosen nothing, though there is something to choose. */
export function unarmed(mine) {
  const held = Object.values(mine.stock).some((count) => count > 0);
  return held ? mine.targets.filter((no) => !mine.attacks[no]) : [];
}

/** The opponent whom the next weapon goes to: the one picked, else the first without an attack. */
export function targetOf(view, ui) {
  const mine = view.game?.you;
  const targets = mine?.targets ?? [];
  if (targets.includes(ui.target)) return ui.target;
  return targets.find((no) => !mine.attacks[no]) ?? targets[0] ?? null;
}

/** Whether a stock of free weapons has one against a target or all, if need be made of two. Pure. */
export function canThrow(mine, weapon, target, everyone = false) {
  const free = { ...mine.stock };
  const targets = everyone ? mine.targets : [target];
  for (const no of targets) if (mine.attacks[no]) free[mine.attacks[no]] = (free[mine.attacks[no]] ?? 0) + 1;
  return targets.every(() => {
    if (!free[weapon] && WEAPONS[weapon].made_of && hasParts(weapon, free)) {
      for (const part of WEAPONS[weapon].made_of) free[part] -= 1;
      return true;
    }
    free[weapon] = (free[weapon] ?? 0) - 1;
    return free[weapon] >= 0;
  });
}

/** After an attack: the next one without one, else stay. */
function nextTarget(view, current) {
  const { targets, attacks } = view.game.you;
  const start = targets.indexOf(current) + 1;
  const round = [...targets.slice(start), ...targets.slice(0, start)];
  return round.find((no) => no !== current && !attacks[no]) ?? current;
}

function isBasic(weapon) {
  return BASIC.includes(weapon);
}

/** A weapon and a lock wait for the answers to these kinds of action. */
const BEFORE_WEAPON = ["combine", "add", "reset", "unlock"];
const BEFORE_LOCK = ["attack", "mine", ...BEFORE_WEAPON];

/** Keys that do not mean the round that is on show. */
const ASIDE = ["enter", "lock", "escape", "help", "speak"];
/** Of these, the ones that lock in what is chosen. */
const LOCKS = ["enter", "lock"];

export class Controls extends BoardControls {
  // In advance

  queue = []; // presses that wait for the answers to earlier ones: {kinds, phase, run}

  isWaitingFor(kinds) {
    return kinds.some((kind) => this.store.state.pending.has(kind));
  }

  /** Run in its turn: after everything that was pressed before and after these kinds are answered. */
  inTurn(kinds, run) {
    this.queue.push({ kinds, phase: this.view.phase, run });
    this.runQueue();
  }

  runQueue() {
    while (this.queue.length && !this.isWaitingFor(this.queue[0].kinds)) {
      const { phase, run } = this.queue.shift();
      if (phase === this.view.phase) run();
    }
  }

  follow() {
    if (this.store.state.link !== "open") return;
    // A ready seat's purse is settled: an older wish does not come back with unready.
    if (this.ui.purse !== null && this.view.seats.some((seat) => seat.no === this.view.you.seat && seat.ready)) this.setUi({ purse: null });
    this.runQueue();
    this.runPlan();
    this.autoLock();
  }

  /** Wish for something at the own next turn, or take the wish back. */
  togglePlan(plan) {
    this.setUi({ plan: this.ui.plan === plan ? null : plan });
  }

  /** Do what was wished as soon as it is possible; a wish for the betting ends with it. */
  runPlan() {
    const { plan } = this.ui;
    if (!plan) return;
    const isBet = plan !== "same";
    if (isBet !== (this.view.game?.stage === "betting")) {
      this.setUi({ plan: null });
    } else if (this.may(isBet ? "fold" : "attack")) {
      this.setUi({ plan: null }); // before it acts: to send changes the state too
      if (isBet) this.bet(plan);
      else this.sameAgain(false);
    }
  }

  /** Do what was wished for this turn, if it still means what its words said. */
  bet(plan) {
    const price = this.mine.call_amount ?? 0;
    const isMeant = { check: !price, "check-fold": true, "call-any": true }[plan] ?? plan === `call-${price}`;
    if (!isMeant) return;
    if (plan === "check-fold" && price) return this.actUnasked("fold");
    if (plan === "call-any" && price >= this.own.purse && this.asks("call-all")) return;
    this.actUnasked("call");
  }

  /** The viewer's seat in the game. */
  get own() {
    return this.view.game.seats.find((seat) => seat.no === this.view.you.seat);
  }

  /** The weapons that the viewer threw in the last round, for those who are still there. */
  lastThrown() {
    const { game, you } = this.view;
    const own = (game?.last_round?.battles ?? []).filter(({ a, b }) => a === you.seat || b === you.seat);
    const thrown = own.map(({ a, b, a_weapon: left, b_weapon: right }) => (a === you.seat ? [b, left] : [a, right]));
    return thrown.filter(([no, weapon]) => weapon && game.seats.some((seat) => seat.no === no && ["in", "all_in"].includes(seat.status)));
  }

  /** Throw the last round's weapons again, as far as the stock goes. */
  sameAgain(isAsked = true) {
    for (const [target, weapon] of this.lastThrown()) {
      const made = isBasic(weapon) ? {} : { make: true };
      this.inTurn(["attack", ...BEFORE_WEAPON], () => canThrow(this.mine, weapon, target) && this.tryTo("attack", { weapon, target, ...made }, isAsked));
    }
  }

  /** Lock in without a press, once a round, for those who like it so. */
  autoLock() {
    const { mine, ui } = this;
    if (!setting("auto_lock") || this.lesson || !this.may("lock") || ui.lockedFor === this.view.phase) return;
    const isDone = mine.targets.length > 0 && mine.targets.every((no) => mine.attacks[no]);
    if (!isDone || ui.combine || this.isWaitingFor([...BEFORE_LOCK, "lock"])) return;
    this.setUi({ lockedFor: this.view.phase });
    this.actUnasked("lock");
  }

  // The round on show

  told(state) {
    return toldBy(state);
  }

  stepReveal() {
    if (this.store.state.reveal) this.showStep(this.store.state.reveal.step + 1);
  }

  /** Show the round up to this battle, or its score; the end of the game tells its score itself. */
  showStep(step) {
    const { reveal, view } = this.store.state;
    if (step >= shown(reveal).length && view.game?.result) return this.hideReveal();
    this.store.change((state) => ({ ...state, reveal: { ...reveal, step } }));
  }

  /** Show the whole last round again until it is closed. */
  showAgain() {
    const round = this.view.game.last_round;
    this.store.change((state) => ({ ...state, reveal: { ...round, number: round.round, step: shown(round).length, isAgain: true } }));
  }

  /** A key of the game's hides the round and acts; any other first skips the battles, then the score. */
  skipReveal(wish) {
    const hasChosen = Object.keys(this.mine?.attacks ?? {}).length > 0; // by a button, while the cards are on show
    const isPlay = wish && (!ASIDE.includes(wish.name) || (hasChosen && LOCKS.includes(wish.name)));
    const { reveal } = this.store.state;
    const count = shown(reveal).length;
    if (isPlay || reveal.step >= count) this.hideReveal();
    else this.showStep(count);
    return !isPlay;
  }

  // Before the game

  /** Ready for what is shown: the options and the purse. */
  ready() {
    this.act("ready", { configuration: this.view.match.options_revision, purse: shownPurse(this.view, this.ui.purse) });
  }

  /** A purse that is typed as a command takes the place of the one on the slider. */
  command(text) {
    if (/^[!/](purse|bring)\b/i.test(text)) this.setUi({ purse: null });
    super.command(text);
  }

  // Betting

  raiseAmount() {
    const { raise_min: least, raise_max: most } = this.mine;
    return clamp(this.ui.raise ?? least, least, most);
  }

  raise() {
    if (!this.may("raise_by") || !this.isAllowed("raise_by")) return;
    const amount = this.raiseAmount();
    if (amount >= this.mine.raise_max && this.asks("all-in")) return;
    this.setUi({ ask: null, raise: null });
    this.act("raise_by", { amount });
  }

  /** Folding needs a confirmation where it would cost nothing to stay. */
  fold() {
    if (!this.may("fold") || !this.isAllowed("fold")) return;
    if (!this.mine.call_amount && this.asks("fold")) return;
    this.setUi({ ask: null });
    this.act("fold");
  }

  // The round

  pickTarget(no) {
    this.setUi({ target: no });
  }

  stepTarget(step) {
    const targets = this.mine?.targets ?? [];
    if (!targets.length) return;
    const place = targets.indexOf(targetOf(this.view, this.ui));
    this.pickTarget(targets[(place + step + targets.length) % targets.length]);
  }

  pressWeapon(weapon) {
    if (this.ui.combine && this.made() === weapon) return this.combine();
    if (this.ui.combine) return this.pickPart(weapon);
    const stock = this.mine?.stock ?? {};
    if (!stock[weapon] && !isBasic(weapon) && hasParts(weapon, stock)) {
      if (!this.may("combine")) return;
      this.setUi({ combine: [...WEAPONS[weapon].made_of] });
      if (setting("asks_first") === false && !this.lesson) this.combine();
      return;
    }
    this.attack(weapon);
  }

  attack(weapon) {
    const target = targetOf(this.view, this.ui);
    if (target === null || !this.mine.stock[weapon] || !this.may("attack")) return;
    this.throwAt(target, { weapon, target });
  }

  /** One action, done wholly or not at all. */
  throwAt(target, fields) {
    if (!this.act("attack", fields)) return;
    this.setUi({ combine: null, weapon: fields.weapon, target: fields.everyone ? target : nextTarget(this.view, target) });
  }

  /** The weapon that one press throws at all: the one against the picked opponent, else the last one thrown; null if it cannot be. */
  weaponForAll() {
    const { mine, ui } = this;
    const weapon = mine.attacks[targetOf(this.view, ui)] ?? ui.weapon;
    const isSame = mine.targets.every((no) => mine.attacks[no] === weapon);
    return weapon && !isSame && mine.targets.length > 1 && this.may("attack") && canThrow(mine, weapon, null, true) ? weapon : null;
  }

  /** Throw a weapon at all opponents, making what is missing. */
  throwAtAll(weapon) {
    const target = targetOf(this.view, this.ui);
    if (target !== null && this.may("attack")) this.throwAt(target, { weapon, target, make: true, everyone: true });
  }

  pressNumber(number) {
    const weapon = ALL[number - 1];
    if (weapon && this.mine) this.inTurn(BEFORE_WEAPON, () => this.pressWeapon(weapon));
  }

  toggleCombine() {
    if (this.ui.combine) this.setUi({ combine: null });
    else if (this.may("combine")) this.setUi({ combine: [] });
  }

  pickPart(weapon) {
    const picked = this.ui.combine?.length < 2 ? this.ui.combine : [];
    if (!isBasic(weapon) || !this.may("combine")) return;
    const held = this.mine.stock[weapon] - picked.filter((part) => part === weapon).length;
    if (held > 0) this.setUi({ combine: [...picked, weapon] });
  }

  made() {
    const [first, second] = this.ui.combine ?? [];
    return first && second ? combination(first, second) : null;
  }

  /** Make what is picked and throw it. */
  combine() {
    const target = targetOf(this.view, this.ui);
    if (target !== null && this.may("combine")) this.throwAt(target, { weapon: this.made(), target, make: true });
  }

  /** A mine is spent at once: it needs a confirmation. */
  mineTarget() {
    const target = targetOf(this.view, this.ui);
    if (target === null || !this.may("mine") || !this.isAllowed("mine")) return;
    if (this.asks("mine")) return;
    this.setUi({ ask: null });
    this.act("mine", { target });
  }

  /** Bare hands lose to everything: locking in with them needs a confirmation. */
  lock() {
    this.inTurn(BEFORE_LOCK, () => {
      if (!this.may("lock")) return;
      if (unarmed(this.mine).length && this.asks("lock")) return;
      this.setUi({ ask: null });
      this.act("lock");
    });
  }

  enter() {
    if (this.made()) return this.combine();
    if (!this.mine?.locked) this.lock();
  }

  toggleLock() {
    if (this.mine?.locked) this.tryTo("unlock");
    else this.lock();
  }

  escape() {
    if (!this.ui.dialog) this.setUi({ combine: null });
  }

  /** Run the command of a key; return whether there was one. */
  obey(wish) {
    const actions = {
      call: () => this.tryTo("call"),
      fold: () => this.fold(),
      raise: () => this.raise(),
      weapon: () => this.pressNumber(wish.number),
      "combine-pick": () => this.pickPart(ALL[wish.number - 1]),
      combine: () => this.toggleCombine(),
      reset: () => this.tryTo("reset"),
      target: () => this.stepTarget(wish.step),
      enter: () => this.enter(),
      lock: () => this.toggleLock(),
      all: () => this.mine && this.weaponForAll() && this.throwAtAll(this.weaponForAll()),
      same: () => this.may("attack") && this.sameAgain(),
      speak: () => this.speak(this.view.game && `${this.view.game.pot} in the pot`, this.mine?.call_amount && `${this.mine.call_amount} to call`, this.view.game && this.own && `${this.own.purse} in your purse`),
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.escape(),
    };
    actions[wish.name]?.();
  }
}
