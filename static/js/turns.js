// The page of one's turns: deadlines in local time, with the time left.
import { spanWords } from "rr/board/wording";

function show() {
  for (const place of document.querySelectorAll("[data-due]")) {
    const due = new Date(place.dateTime);
    const left = due.getTime() - Date.now();
    const clock = due.toLocaleString([], { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
    place.textContent = left > 0 ? `${clock} (${spanWords(left)} left)` : clock;
  }
}

show();
setInterval(show, 20_000);
