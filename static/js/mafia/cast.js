// The form of a new game tells the roles for the chosen number of players.

const casts = JSON.parse(document.getElementById("casts").textContent);
const seats = document.querySelector("[name=seats]");
const line = document.querySelector("[data-cast]");

function show() {
  const cast = casts[seats.value];
  line.hidden = !cast;
  line.querySelector("[data-cast-number]").textContent = seats.value;
  line.querySelector("[data-cast-words]").textContent = cast ?? "";
}

seats.addEventListener("input", show);
show();
