// What the weapons are called and why one beats the other, in words.
// Who won always comes from the server; nothing here decides a battle.

export const BASIC = ["rock", "paper", "scissors"];
export const COMBINED = ["boulder", "wall", "twin_blades", "sling", "mask", "shuriken"];
export const ALL = [...BASIC, ...COMBINED];

export const WEAPONS = {
  rock: { title: "Rock", letter: "r", material: "rock", made: null, note: "beats scissors" },
  paper: { title: "Paper", letter: "p", material: "paper", made: null, note: "beats rock" },
  scissors: { title: "Scissors", letter: "s", material: "scissors", made: null, note: "beats paper", many: true },
  boulder: { title: "Boulder", letter: "o", material: "rock", made: ["rock", "rock"], note: "beats rock too" },
  wall: { title: "Wall", letter: "w", material: "paper", made: ["paper", "paper"], note: "beats paper too" },
  twin_blades: { title: "Twin Blades", letter: "b", material: "scissors", made: ["scissors", "scissors"], note: "beat scissors too", many: true },
  sling: { title: "Sling", letter: "l", material: "rock", made: ["rock", "paper"], note: "takes scissors" },
  mask: { title: "Scary Mask", letter: "m", material: "paper", made: ["paper", "scissors"], note: "takes rock" },
  shuriken: { title: "Shuriken", letter: "h", material: "scissors", made: ["scissors", "rock"], note: "takes paper" },
};

const VERBS = {
  rock: ["smashes", "smash"],
  paper: ["covers", "cover"],
  scissors: ["cuts", "cut"],
};

const OWN_VERBS = {
  rock: ["blunts", "blunt"],
  paper: ["wraps", "wrap"],
  boulder: ["flattens", "flatten"],
  wall: ["stops", "stop"],
  sling: ["outshoots", "outshoot"],
  mask: ["scares off", "scare off"],
  shuriken: ["shreds", "shred"],
};

export function title(weapon) {
  return WEAPONS[weapon]?.title ?? "nothing";
}

/** The weapon's name as it stands in a sentence: "a Sling", but "Paper". */
export function withArticle(weapon) {
  return weapon === "paper" || WEAPONS[weapon].many ? title(weapon) : `a ${title(weapon)}`;
}

/** Which weapons one beats, and which of these it takes, by the rules' own table: rows of letters. */
export function beatenBy(weapon, matrix) {
  const row = matrix[ALL.indexOf(weapon)];
  return ALL.filter((_, place) => "WT".includes(row[place])).map((name) => ({ name, isTaken: row[ALL.indexOf(name)] === "T" }));
}

/** The weapon two basics make, or null. The order does not matter. */
export function combination(first, second) {
  const wanted = [first, second].sort().join();
  return COMBINED.find((weapon) => [...WEAPONS[weapon].made].sort().join() === wanted) ?? null;
}

/** Letters of the parts, as the card says it: "R+P". */
export function recipe(weapon) {
  const made = WEAPONS[weapon].made;
  return made ? made.map((part) => WEAPONS[part].letter.toUpperCase()).join("+") : "";
}

/** Whether a stock holds the parts of a combined weapon. */
export function hasParts(weapon, stock) {
  const [first, second] = WEAPONS[weapon].made;
  return first === second ? stock[first] >= 2 : stock[first] >= 1 && stock[second] >= 1;
}

function whyWon(winner, loser, taken) {
  if (!loser) return `${title(winner)} against an empty hand`;
  const [one, many] = OWN_VERBS[winner] ?? VERBS[WEAPONS[winner].material];
  const verb = WEAPONS[winner].many ? many : one;
  const sentence = `${title(winner)} ${verb} ${title(loser)}`;
  return taken ? `${sentence} and ${WEAPONS[winner].many ? "take" : "takes"} it` : sentence;
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
