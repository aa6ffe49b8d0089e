// The page of the reading API: a form for each operation sends a request and shows the answer.

const SHOWN = 20000;

/** The address of a request: values fill the places of the path, the others follow as a query. */
export function addressOf(pattern, values) {
  const query = new URLSearchParams();
  let path = pattern;
  for (const [name, value] of values) {
    const place = `{${name}}`;
    if (path.includes(place)) path = path.replace(place, () => encodeURIComponent(value.trim()));
    else if (value.trim()) query.append(name, value.trim());
  }
  return query.size ? `${path}?${query}` : path;
}

/** A body with line ends, as it is when it is not JSON; a long one is cut. */
export function shown(text) {
  let told = text;
  try {
    told = JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    // A part of a stream that broke off.
  }
  return told.length > SHOWN ? `${told.slice(0, SHOWN)}\n…` : told;
}

async function send(form) {
  const line = form.parentElement.querySelector("[data-reading-line]");
  const body = form.parentElement.querySelector("[data-reading-body]");
  const address = addressOf(form.dataset.reading, new FormData(form));
  line.textContent = address;
  try {
    const answer = await fetch(address);
    const text = await answer.text();
    line.textContent = `${address}: ${answer.status}, ${text.length.toLocaleString()} characters`;
    body.hidden = false;
    body.firstElementChild.textContent = shown(text);
  } catch {
    line.textContent = `${address}: no answer`;
  }
}

for (const form of globalThis.document?.querySelectorAll("[data-reading]") ?? []) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send(form);
  });
}
