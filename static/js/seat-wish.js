// A guest's press for a seat: it waits in this tab while the guest signs up or logs in, and is used once.
const KEY = "rr:seat";
const KEPT_FOR = 30 * 60_000;

/** Remember which table a link with `data-seat` leads back to. */
function keep(event) {
  const seat = event.target.closest?.("a[data-seat]")?.dataset.seat;
  if (!seat) return;
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ seat, at: Date.now() }));
  } catch {
    // No storage: the table comes back with a button to sit down.
  }
}

/** Whether this tab's guest wanted a seat of this table a short while ago; forgets it. */
export function takeWish(table, storage = sessionStorage, now = Date.now()) {
  try {
    const { seat, at } = JSON.parse(storage.getItem(KEY)) ?? {};
    if (seat !== table) return false;
    storage.removeItem(KEY);
    return now - at < KEPT_FOR;
  } catch {
    return false;
  }
}

globalThis.document?.addEventListener?.("click", keep);
