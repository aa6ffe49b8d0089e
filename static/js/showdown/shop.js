// The shop's steppers, and what would be left; without this every form still buys what it says.

const shop = document.querySelector("[data-shop]");
const LEAST = 1;
const MOST = 99;

function points() {
  return Number(shop.dataset.points);
}

function quantityOf(form) {
  const number = Number(form.elements.namedItem("quantity").value);
  return Number.isInteger(number) && number >= LEAST && number <= MOST ? number : null;
}

function counted(amount) {
  return amount === 1 ? "1 point" : `${amount} points`;
}

function part(tag, text, name = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
}

/** What the line under the stepper says, as pieces of text and elements. */
function change(quantity, price) {
  if (quantity === null) return [part("span", `From ${LEAST} to ${MOST} at once.`, "minus")];
  const cost = quantity * price;
  const start = ["Balance ", part("b", String(points()), "num")];
  if (cost > points()) return [...start, ": ", part("b", `${counted(cost - points())} short`, "minus")];
  return [...start, " → ", part("b", String(points() - cost), "num"), ` for ${quantity}`];
}

function show(form) {
  const quantity = quantityOf(form);
  const price = Number(form.dataset.price);
  form.querySelector("[data-change]").replaceChildren(...change(quantity, price));
  const buy = form.querySelector("[data-buy]");
  const isShort = quantity === null || quantity * price > points();
  buy.disabled = isShort || "closed" in buy.dataset;
  form.querySelector("[data-step='-1']").disabled = quantity !== null && quantity <= LEAST;
  form.querySelector("[data-step='1']").disabled = quantity !== null && quantity >= MOST;
}

function step(button) {
  const field = button.closest("form").elements.namedItem("quantity");
  const wanted = (Number(field.value) || 0) + Number(button.dataset.step);
  field.value = String(Math.min(MOST, Math.max(LEAST, wanted)));
  show(button.closest("form"));
}

/** A second click before the answer would only ask the same thing again. */
function send(form) {
  form.querySelector("[data-buy]").setAttribute("aria-busy", "true");
}

function forms() {
  return shop.querySelectorAll("form[data-good]");
}

if (shop && "points" in shop.dataset) {
  for (const button of shop.querySelectorAll("[data-step]")) button.hidden = false;
  for (const form of forms()) show(form);
  shop.addEventListener("input", (event) => show(event.target.closest("form")));
  shop.addEventListener("click", (event) => {
    const button = event.target.closest("[data-step]");
    if (button) step(button);
  });
  shop.addEventListener("submit", (event) => send(event.target));
  document.addEventListener("rr:balance", (event) => {
    shop.dataset.points = String(event.detail.balance);
    for (const form of forms()) show(form);
  });
}
