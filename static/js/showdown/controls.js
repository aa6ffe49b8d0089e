// The effect of a button or key at a Showdown table.
import { BoardControls } from "rr/board/controls";
import { clamp } from "rr/board/slider";
import { ALL, BASIC, WEAPONS, combination, hasParts } from "rr/showdown/lore";

/** The state of the choices that are not sent. */
export const CHOOSING = { target: null, combine: null, raise: null, purse: null, ask: null };

/** The part of it that ends with a turn or a round. */
export const PASSING = ["target", "combine", "raise", "ask"];

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

export class Controls extends BoardControls {
  // Betting

  raiseAmount() {
    const { raise_min: least, raise_max: most } = this.mine;
    return clamp(this.ui.raise ?? least, least, most);
  }

  raise() {
    if (!this.may("raise_by")) return;
    const amount = this.raiseAmount();
    if (amount >= this.mine.raise_max && this.ui.ask !== "all-in") return this.setUi({ ask: "all-in" });
    this.setUi({ ask: null, raise: null });
    this.act("raise_by", { amount });
  }

  /** Folding needs a confirmation where it would cost nothing to stay. */
  fold() {
    if (!this.may("fold")) return;
    if (!this.mine.call_amount && this.ui.ask !== "fold") return this.setUi({ ask: "fold" });
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
    if (this.ui.combine) return this.pickPart(weapon);
    const stock = this.mine?.stock ?? {};
    if (!stock[weapon] && !isBasic(weapon) && hasParts(weapon, stock)) {
      if (this.may("combine")) this.setUi({ combine: [...WEAPONS[weapon].made_of] });
      return;
    }
    this.attack(weapon);
  }

  attack(weapon) {
    const target = targetOf(this.view, this.ui);
    if (target === null || !this.mine.stock[weapon] || !this.may("attack")) return;
    this.act("attack", { weapon, target });
    this.setUi({ target: nextTarget(this.view, target) });
  }

  pressNumber(number) {
    const weapon = ALL[number - 1];
    if (weapon && this.mine) this.pressWeapon(weapon);
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

  combine() {
    const [first, second] = this.ui.combine;
    this.act("combine", { first, second });
    this.setUi({ combine: null });
  }

  /** A mine is spent at once: it needs a confirmation. */
  mineTarget() {
    const target = targetOf(this.view, this.ui);
    if (target === null || !this.may("mine")) return;
    if (this.ui.ask !== "mine") return this.setUi({ ask: "mine" });
    this.setUi({ ask: null });
    this.act("mine", { target });
  }

  /** Bare hands lose to everything: locking in with them needs a confirmation. */
  lock() {
    if (!this.may("lock")) return;
    const onTheirWay = this.store.state.pending.has("attack") ? 1 : 0; // chosen, but not in a view yet
    if (unarmed(this.mine).length > onTheirWay && this.ui.ask !== "lock") return this.setUi({ ask: "lock" });
    this.setUi({ ask: null });
    this.act("lock");
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
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.escape(),
    };
    actions[wish.name]?.();
  }
}
