// Passing on a finished match: its replay, and the button that shares an address.
import { html, useState } from "preact";
import { Icon } from "rr/icon";
import { letGo, useTable } from "rr/board/parts";

/** Open the device's way to share an address, or copy it; return what to say about it. */
export async function share(address, device = navigator) {
  const url = new URL(address, location.href).href;
  try {
    if (device.share) await device.share({ title: document.title, url });
    else await device.clipboard.writeText(url);
    return device.share ? "" : "Link copied";
  } catch (problem) {
    return problem.name === "AbortError" ? "" : url; // closed without sharing: nothing to say
  }
}

/** address: a function that returns what is shared. */
export function ShareButton({ address }) {
  const [said, say] = useState("");
  const press = async (event) => {
    letGo(event);
    say(await share(address()));
  };
  return html`<button type="button" class="btn" onClick=${press}><${Icon} name="share-2" /><span class="share-word">Share</span></button><span class="small muted" role="status">${said}</span>`;
}

/** The ways from a result to its replay and to others. */
export function ReplayLinks() {
  const { config, view } = useTable();
  if (config.replay || config.practice || !view.game) return null;
  // The page may have gone on to the next game of the same people.
  const url = config.replay_url.replace(config.public_id, view.match.public_id);
  const mayBeShared = view.match.options.spectators; // else nobody but the players may look
  return html`<a class="btn" href=${url}><${Icon} name="history" />Replay</a>${mayBeShared && html`<${ShareButton} address=${() => url} />`}`;
}
