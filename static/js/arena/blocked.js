// The names that the viewer has hidden, stored only in this browser.

const KEY = "rr.blocked";

export function blockedNames() {
  try {
    const names = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

export function keepBlocked(names) {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // Without storage they are hidden until the page is closed.
  }
}
