// The shop's steppers, and what would be left; without this every form still buys what it says.
// The page has the costs: every form has a list of them, from the least quantity on.
import { amountOf } from "rr/board/number-field";
import { counted } from "rr/board/wording";

const shop = document.querySelector("[data-shop]");

function points() {
  return Number(shop.dataset.points);
}

/** The field of a form's quantity, and its limits as numbers. */
function stepper(form) {
  const field = form.elements.namedItem("quantity");
  return { field, least: Number(field.min), most: Number(field.max) };
}

/** The order of a form and its cost; both are null if the number is not allowed. */
function orderOf(form) {
  const { field, least } = stepper(form);
  const cost = form.dataset.costs.split(" ")[Number(field.value) - least];
  return cost === undefined ? { quantity: null, cost: null } : { quantity: Number(field.value), cost: Number(cost) };
}

function part(tag, text, name = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = name;
  return element;
}

/** The line under the stepper, as pieces of text and elements. */
function change(form) {
  const { least, most } = stepper(form);
  const { quantity, cost } = orderOf(form);
  if (quantity === null) return [part("span", `From ${least} to ${most} at once.`, "minus")];
  const start = ["Balance ", part("b", String(points()), "num")];
  if (cost > points()) return [...start, ": ", part("b", `${counted(cost - points(), "point")} short`, "minus")];
  return [...start, " → ", part("b", String(points() - cost), "num"), ` for ${quantity}`];
}

function show(form) {
  const { least, most } = stepper(form);
  const { quantity, cost } = orderOf(form);
  form.querySelector("[data-change]").replaceChildren(...change(form));
  const buy = form.querySelector("[data-buy]");
  form.querySelector("[data-quantity]").textContent = quantity ?? "";
  const isShort = quantity === null || cost > points();
  buy.disabled = isShort || "closed" in buy.dataset;
  form.querySelector("[data-step='-1']").disabled = quantity !== null && quantity <= least;
  form.querySelector("[data-step='1']").disabled = quantity !== null && quantity >= most;
}

/** On leaving, a number that is not allowed becomes the nearest one that is. */
function settle(field) {
  field.value = String(amountOf(field.value, Number(field.min), Number(field.max)) ?? field.min);
  show(field.form);
}

function step(button) {
  const { field, least, most } = stepper(button.closest("form"));
  const wanted = (Number(field.value) || 0) + Number(button.dataset.step);
  field.value = String(Math.min(most, Math.max(least, wanted)));
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
  shop.addEventListener("focusout", (event) => event.target.name === "quantity" && settle(event.target));
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
