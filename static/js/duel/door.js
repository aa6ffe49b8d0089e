// A duel small enough for the front page: opened by its first throw.
import { html } from "preact";
import { Icon } from "rr/icon";
import { LinkNotice, Toasts } from "rr/board/frame";
import { BotSays } from "rr/board/opponents";
import { ActButton, Table, useTable } from "rr/board/parts";
import { setUpBoard } from "rr/board/stage";
import { Arena } from "rr/duel/arena";
import { DuelControls } from "rr/duel/controls";
import { DuelDock } from "rr/duel/dock";
import { latest } from "rr/duel/game";
import { endingOf, finalScore } from "rr/duel/words";

function DoorEnding() {
  const { view, config, rematch } = useTable();
  const { headline } = endingOf(view);
  return html`<section class="panel dock door-ending" aria-label="End of the duel">
    <h2 role="status">${headline} <span class="tally">${finalScore(view)}</span></h2>
    <${BotSays} />
    <div class="actions"><${ActButton} kind="rematch" onPress=${rematch}><${Icon} name="rotate-ccw" />Play again<//>
      <a class="btn" href=${config.practice.again_url}>Other bots</a>
      <a class="btn btn-brass" href=${config.practice.start_url}>Sign up to duel people</a></div>
  </section>`;
}

function Door() {
  const { state, view } = useTable();
  const isInert = state.link !== "open";
  return html`<div class=${isInert ? "play is-inert" : "play"} inert=${isInert}><${Arena} />${view.game?.result ? html`<${DoorEnding} />` : html`<${DuelDock} />`}</div>
    <${LinkNotice} /><${Toasts} />`;
}

function App({ table }) {
  return html`<${Table.Provider} value=${table}><${Door} /><//>`;
}

/** Set the board up and throw this hand as soon as there is somebody to throw at. */
export function open(hand) {
  let isThrown = false;
  function onArrival(controls) {
    if (!isThrown) controls.throwHand(hand);
    isThrown = true;
  }
  setUpBoard({
    App, Controls: DuelControls, onArrival, latest,
    wishOf: () => null, isMyMove: () => false, titleOf: () => "Lobby", turnWord: "", soundFor: () => {},
  });
}
