// The controls of every town; each game adds the effect of a press on a player.
import { BoardControls } from "rr/board/controls";
import { commandIn, commandMeant } from "rr/board/typed-line";
import { isUnchosen, phaseOf } from "rr/mafia/game";
import { hasChat } from "rr/mafia/side";

export class TownControls extends BoardControls {
  ready() {
    this.act("ready", { configuration: this.view.match.options_revision });
  }

  /** A bot for each free seat. */
  fillWithBots() {
    for (const seat of this.view.seats) if (!seat.player) this.act("add_bot");
  }

  /** Done or not; a player who could have chosen somebody is asked first. */
  toggleDone() {
    if (this.mine?.is_done) return this.tryTo("undone");
    if (this.may("done") && isUnchosen(this.view)) return this.setUi({ ask: { done: true } });
    return this.tryTo("done");
  }

  /** The log of a game begins with its deal. */
  told({ feed, view }) {
    const first = view.game ? feed.findLastIndex(({ kind }) => kind === "game_started") : -1;
    return feed.filter(({ type }, place) => place >= first || type !== "log");
  }

  post(room, text) {
    this.act("post", { room, text });
  }

  /** A player with an unsent draft stays in that room in all phases. */
  draft(room, text) {
    this.setUi({ room, drafts: { ...this.ui.drafts, [room]: text } });
  }

  /** Delete the draft of a sent post, unless it has changed since. */
  accepted(action) {
    if (action.kind === "write_will") this.setUi({ willKept: (this.ui.willKept ?? 0) + 1 });
    if (action.kind === "post" && this.ui.drafts[action.room]?.trim() === action.text) this.setUi({ drafts: { ...this.ui.drafts, [action.room]: "" } });
  }

  /** A line can only mean a command where players talk in the thread. */
  say(text) {
    if (!text.trim() || !this.isOpen || commandIn(text) || hasChat(this.view)) return super.say(text);
    const command = commandMeant(text, this.commands);
    if (command) return this.setUi({ held: { text, command, isTalk: false } });
    return this.toast("Players talk in the thread. A command begins with an exclamation mark.");
  }

  /** Run the command of a key. */
  obey(wish) {
    const actions = {
      done: () => this.toggleDone(),
      write: () => document.getElementById("post-text")?.focus(),
      unread: () => document.getElementById("jump")?.click(),
      speak: () => this.speak(phaseOf(this.view, () => "").title),
      help: () => this.setUi({ dialog: "help" }),
      escape: () => this.setUi({ ask: null }),
    };
    actions[wish.name]?.();
  }
}
