// Notifications in this browser: ask for them, turn them on and off.
import { post } from "rr/own-page";

const worker = () => navigator.serviceWorker.ready;

export const isPossible = () => "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;

async function tell(url, fields) {
  const answer = await post(url, { body: new URLSearchParams(fields) });
  if (!answer.ok) throw new Error(`notifications: ${answer.status}`);
}

export async function isOn() {
  return Notification.permission === "granted" && Boolean(await (await worker()).pushManager.getSubscription());
}

/** Remember that the question was answered, so that it is not put again. */
export function noteAsked(url) {
  return tell(url, { do: "asked" });
}

/** Ask the browser, then subscribe; resolves to "on", "denied" or "failed". Only after a press. */
export async function turnOn(url, key) {
  if ((await Notification.requestPermission()) !== "granted") return "denied";
  try {
    const subscription = await (await worker()).pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    await tell(url, { do: "on", endpoint, p256dh: keys.p256dh, auth: keys.auth });
    return "on";
  } catch {
    return "failed";
  }
}

export async function turnOff(url) {
  const subscription = await (await worker()).pushManager.getSubscription();
  if (!subscription) return;
  await tell(url, { do: "off", endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}
