// The page of one's turns: deadlines in local time, with the time left.
import { siteClock, siteNow } from "rr/board/clock";
import { spanWords } from "rr/board/wording";

function show() {
  for (const place of document.querySelectorAll("[data-due]")) {
    const due = new Date(place.dateTime);
    const left = due.getTime() - siteNow();
    const clock = due.toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
    place.textContent = left > 0 ? `${clock} (${spanWords(left)} left)` : clock;
  }
}

siteClock.hint(document.querySelector("[data-now]").dataset.now, Date.now());
show();
setInterval(show, 20_000);
document.addEventListener("rr:time", show);
