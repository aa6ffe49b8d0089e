// The effect of a press in the arena.
import { BoardControls } from "rr/board/controls";
import { commandIn, commandMeant } from "rr/board/typed-line";
import { takeWish } from "rr/seat-wish";
import { keepBlocked } from "rr/arena/blocked";
import { isIn, mayChoose, withBlocked, withLine, withPreferred, withWanted } from "rr/arena/store";

/** Milliseconds after the last press of an option. */
const SETTLES = 400;

export class ArenaControls extends BoardControls {
  settling = {}; // timers, by option

  act(kind, fields = {}) {
    if (!this.isOpen) return;
    this.sendFrame({ type: "act", phase: this.view.round, action: { kind, ...fields } });
  }

  /** The guest who wanted to enter is back with an account. */
  takeSeat() {
    if (this.isOpen && this.view.you && takeWish("arena") && !isIn(this.view)) this.act("join");
  }

  /** Choose a move, or null to take it back; it shows at once. */
  choose(move) {
    if (!mayChoose(this.view) || !this.isOpen) return;
    this.store.change((state) => withWanted(state, move));
    this.act("choose", { move });
  }

  /** A preference shows at once; it is sent once no other press follows, since actions are limited. */
  prefer(option, value) {
    if (!this.isOpen) return;
    this.store.change((state) => withPreferred(state, option, value));
    clearTimeout(this.settling[option]);
    this.settling[option] = setTimeout(() => this.act("prefer", { option, value }), SETTLES);
  }

  /** Every line of the arena is a command, with the mark, another one or none. */
  say(text) {
    const words = text.trim();
    if (!words) return undefined;
    const command = commandIn(words) ?? commandMeant(`!${words}`, {}) ?? `!${words}`;
    return this.isOpen ? this.command(command) : super.say(text);
  }

  command(text) {
    this.taken();
    this.store.change((state) => withLine(state, "echo", text));
    this.sendFrame({ type: "command", text, phase: this.view.round });
  }

  open(dialog, name = null) {
    this.setUi({ dialog, name });
  }

  close() {
    this.setUi({ dialog: null, name: null });
  }

  block(name, isBlocked) {
    this.store.change((state) => withBlocked(state, name, isBlocked));
    keepBlocked(this.store.state.blocked);
  }

  /** Run the command of a key. */
  obey(wish) {
    if (wish.name === "choose") this.choose(wish.move);
    else this.open("help");
  }
}
