// The time until an instant of the page, by the site's clock: `<span data-until="…" data-now="…">`.

import "rr/times";

const SECOND = 1_000;

function words(left) {
  const seconds = Math.max(0, Math.round(left / SECOND));
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  if (hours > 23) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return hours ? `${hours} h ${two(minutes)} min` : `${minutes}:${two(seconds % 60)}`;
}

function show() {
  for (const place of document.querySelectorAll("[data-until]")) {
    place.apart ??= new Date(place.dataset.now) - Date.now();
    place.textContent = words(new Date(place.dataset.until) - Date.now() - place.apart);
  }
}

show();
setInterval(show, SECOND);
