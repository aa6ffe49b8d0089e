// The weapons: their names, and why one beats the other. The server decides the winner.
import { wordsOf } from "rr/board/said";
import { capital } from "rr/board/wording";

const { weapons, statuses, bare } = wordsOf("showdown");

/** The rule book's table of weapons. */
export const WEAPONS = weapons;
export const ALL = Object.keys(WEAPONS);
export const BASIC = ALL.filter((weapon) => !WEAPONS[weapon].made_of);
export const COMBINED = ALL.filter((weapon) => WEAPONS[weapon].made_of);

/** The duel has the same three. */
const VERBS = {
  rock: ["breaks", "break"],
  paper: ["covers", "cover"],
  scissors: ["cuts", "cut"],
};

const OWN_VERBS = {
  boulder: ["flattens", "flatten"],
  wall: ["stops", "stop"],
  sling: ["outshoots", "outshoot"],
  mask: ["scares off", "scare off"],
  shuriken: ["shreds", "shred"],
};

export function title(weapon) {
  return WEAPONS[weapon]?.title ?? bare;
}

/** The word for a seat's status: "All in". */
export function statusWord(status) {
  return capital(statuses[status]);
}

/** The weapons that one beats, and whether it takes them, by the rules' own table: rows of letters. */
export function beatenBy(weapon, matrix) {
  const row = matrix[ALL.indexOf(weapon)];
  return ALL.filter((_, place) => "WT".includes(row[place])).map((name) => ({ name, isTaken: row[ALL.indexOf(name)] === "T" }));
}

/** The weapon made of two basic ones in any order, or null. */
export function combination(first, second) {
  const wanted = [first, second].sort().join();
  return COMBINED.find((weapon) => [...WEAPONS[weapon].made_of].sort().join() === wanted) ?? null;
}

/** The letters of the parts on a card: "R+P". */
export function recipe(weapon) {
  return (WEAPONS[weapon].made_of ?? []).map((part) => WEAPONS[part].letter.toUpperCase()).join("+");
}

/** Whether a stock holds the parts of a combined weapon. */
export function hasParts(weapon, stock) {
  const [first, second] = WEAPONS[weapon].made_of;
  return first === second ? stock[first] >= 2 : stock[first] >= 1 && stock[second] >= 1;
}

function whyWon(winner, loser, taken) {
  if (!loser) return `${title(winner)} against ${bare}`;
  const [one, many] = OWN_VERBS[winner] ?? VERBS[WEAPONS[winner].material];
  const sentence = `${title(winner)} ${WEAPONS[winner].is_plural ? many : one} ${title(loser)}`;
  return taken ? `${sentence} and takes it` : sentence;
}

function whyDrawn(first, second) {
  if (!first && !second) return "Neither attacked";
  if (first === second) return `${title(first)} meets ${title(second)}`;
  return `${title(first)} and ${title(second)} are both ${WEAPONS[first].material}`;
}

/** One sentence about a battle of the view: {a, b, a_weapon, b_weapon, winner, taken}. */
export function why(battle) {
  if (battle.winner === null) return whyDrawn(battle.a_weapon, battle.b_weapon);
  const aWon = battle.winner === battle.a;
  const [winner, loser] = aWon ? [battle.a_weapon, battle.b_weapon] : [battle.b_weapon, battle.a_weapon];
  return whyWon(winner, loser, battle.taken);
}
