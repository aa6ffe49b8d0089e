// The effect of a press in the arena.
import { BoardControls } from "rr/board/controls";
import { keepBlocked } from "rr/arena/blocked";
import { mayChoose, withBlocked, withLine, withWanted } from "rr/arena/store";

export class ArenaControls extends BoardControls {
  act(kind, fields = {}) {
    if (this.store.state.link !== "open") return;
    this.sendFrame({ type: "act", phase: this.view.round, action: { kind, ...fields } });
  }

  /** Choose a move, or null to take it back; it shows at once. */
  choose(move) {
    if (!mayChoose(this.view) || this.store.state.link !== "open") return;
    this.store.change((state) => withWanted(state, move));
    this.act("choose", { move });
  }

  prefer(option, value) {
    this.act("prefer", { option, value });
  }

  command(text) {
    this.store.change((state) => withLine(state, "echo", text));
    this.sendFrame({ type: "command", text });
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
