// A player's habits at every Showdown table, kept in this browser.

const AUTO_LOCK = "rr.auto-lock";

/** Whether to lock in as soon as every opponent is attacked. */
export function isAutoLock() {
  try {
    return localStorage.getItem(AUTO_LOCK) === "on";
  } catch {
    return false;
  }
}

export function setAutoLock(isOn) {
  try {
    localStorage.setItem(AUTO_LOCK, isOn ? "on" : "off");
  } catch {
    // Without storage it is not remembered.
  }
}
