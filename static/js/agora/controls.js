// What a press of a button or key does in town.
import { BoardControls } from "rr/board/controls";
import { hasChat } from "rr/mafia/side";
import { NOBODY, ownChoice, pressKind } from "rr/agora/words";

export class TownControls extends BoardControls {
  ready() {
    this.act("ready", { configuration: this.view.match.options_revision });
  }

  /** A bot for each free seat. */
  fillWithBots() {
    for (const seat of this.view.seats) if (!seat.player) this.act("add_bot");
  }

  /** Press a citizen, or nobody: by day a vote, by night a choice; the agent is asked first. */
  press(choice) {
    const kind = pressKind(this.view);
    if (kind === "vote") return this.act("vote", { choice: choice === ownChoice(this.view) ? null : choice });
    if (kind !== "choose") return undefined;
    if (this.mine.role === "agent" && choice !== NOBODY) return this.setUi({ ask: { choice } });
    return this.act("choose", { target: choice });
  }

  toggleDone() {
    this.tryTo(this.mine?.is_done ? "undone" : "done");
  }

  post(room, text) {
    this.act("post", { room, text });
  }

  /** Whoever writes stays in that room, whatever phase comes. */
  draft(room, text) {
    this.setUi({ room, drafts: { ...this.ui.drafts, [room]: text } });
  }

  /** What was sent is no draft any more, unless it was written on meanwhile. */
  accepted(action) {
    if (action.kind === "post" && this.ui.drafts[action.room]?.trim() === action.text) this.setUi({ drafts: { ...this.ui.drafts, [action.room]: "" } });
  }

  say(text) {
    const isCommand = /^\s*[!/]/.test(text);
    if (!isCommand && !hasChat(this.view)) return this.toast("Whoever plays talks in the thread. A command begins with an exclamation mark.");
    return super.say(text);
  }

  /** What a key's wish does. */
  obey(wish) {
    const deeds = {
      done: () => this.toggleDone(),
      write: () => document.getElementById("post-text")?.focus(),
      unread: () => document.getElementById("jump")?.click(),
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.setUi({ ask: null }),
    };
    deeds[wish.name]?.();
  }
}
