// Checks the proof of a match, round or event in the browser, with WebCrypto.  Source: docs/explanation/proof.md
// It gives a sentence for each check, and throws an Error with one for what does not hold.

const encoder = new TextEncoder();
const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** JSON with sorted keys and no spaces. */
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

async function sha256(bytes) {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

async function hash(value) {
  return hex(await sha256(encoder.encode(canonical(value))));
}

async function hmac(key, value) {
  const made = await crypto.subtle.importKey("raw", encoder.encode(key), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", made, encoder.encode(canonical(value))));
}

function require(holds, wrong) {
  if (!holds) throw new Error(wrong);
}

const same = (one, other) => canonical(one) === canonical(other);

async function numberOf(key, label, bound) {
  const whole = 1n << 64n;
  const limit = whole - (whole % BigInt(bound));
  let number = limit;
  for (let attempt = 0; number >= limit; attempt += 1) {
    number = new DataView((await hmac(key, [label, attempt])).buffer).getBigUint64(0);
  }
  return Number(number % BigInt(bound));
}

/** The draws that the rules ask for, in order, each compared with the proof's list. */
class Draws {
  constructor(key, listed) {
    this.key = key;
    this.rest = [...listed];
  }

  async next(entry, label, bound) {
    const result = await numberOf(this.key, label, bound);
    require(same(this.rest.shift() ?? null, { entry, label, bound, result }), `The draw ${label} is not as listed.`);
    return result;
  }
}

const factsOf = (proof) => proof.entries.flatMap((entry) => entry.facts.map(([fact]) => ({ no: entry.no, fact })));

/** A seat's action plants each mine, and only the seat knows. */
function checkMines({ entries }) {
  for (const { action, facts, no, seat } of entries) {
    const told = facts.filter(([fact]) => fact.kind === "mine_planted");
    const right = action.kind === "mine" ? [[{ kind: "mine_planted", seat, target: action.target }, [seat]]] : [];
    require(same(told, right), `Entry ${no} has other mines.`);
  }
}

async function checkShowdown(proof, draws) {
  checkMines(proof);
  const { format, opening, options } = proof;
  require(same(opening.options.previous_dealer, options.previous_dealer), "The table had another dealer before.");
  require(format === 1 || (options.previous_dealer === null) === (opening.follows === undefined), "The game before is not named.");
  const mines = new Map();
  const facts = factsOf(proof);
  for (const { no, fact } of facts) {
    if (fact.kind === "game_started") {
      const previous = proof.options.previous_dealer;
      const after = fact.seats.filter((seat) => seat > previous);
      const dealer = previous === null ? fact.seats[await draws.next(no, "dealer", fact.seats.length)] : Math.min(...(after.length ? after : fact.seats));
      require(fact.dealer === dealer, `Seat ${dealer} deals first.`);
    } else if (fact.kind === "mine_planted") {
      mines.set(fact.target, (mines.get(fact.target) ?? 0) + 1);
    } else if (fact.kind === "round_resolved") {
      const told = facts.find((each) => each.no === no && each.fact.kind === "mine_exploded" && each.fact.round === fact.round)?.fact ?? null;
      const isLevel = new Set(Object.values(fact.wins)).size === 1;
      require(isLevel || told === null, `Round ${fact.round} was not level, yet a mine went off.`);
      if (!isLevel) continue;
      const seats = Object.keys(fact.wins).map(Number).sort((a, b) => a - b);
      const count = Math.max(...seats.map((seat) => mines.get(seat) ?? 0));
      const candidates = seats.filter((seat) => (mines.get(seat) ?? 0) === count);
      const seat = candidates[await draws.next(no, `mine/${fact.round}`, candidates.length)];
      require(same(told, { kind: "mine_exploded", round: fact.round, seat, count }), `The mine of round ${fact.round} is another.`);
      mines.set(seat, 0);
    }
  }
  return "the first dealer and every mine follow from the draws";
}

function checkDealt(counted, dealt, card) {
  return async (proof, draws) => {
    for (const { no, fact } of factsOf(proof).filter((each) => each.fact.kind === "game_started")) {
      const cards = fact[counted].flatMap(([name, number]) => Array(number).fill(name));
      for (let last = cards.length - 1; last > 0; last -= 1) {
        const other = await draws.next(no, `role/${last}`, last + 1);
        [cards[last], cards[other]] = [cards[other], cards[last]];
      }
      // Each to its seat alone, once.
      const told = proof.entries.flatMap((entry) => entry.facts.filter(([each]) => each.kind === dealt).map((pair) => [entry.no, ...pair]));
      const right = fact.seats.map((seat, place) => [no, { kind: dealt, seat, [card]: cards[place] }, [seat]]);
      require(same(told, right), "The cards were dealt otherwise.");
    }
    return "every card follows from the draws";
  };
}

const GAMES = {
  showdown: checkShowdown,
  duel: async () => "a duel has no draws",
  agora: checkDealt("roles", "role_dealt", "role"),
  dynamite: checkDealt("teams", "team_dealt", "team"),
};

function requireFormat(format) {
  require(format === 1 || format === 2, "This page reads formats 1 and 2.");
}

async function requireSeed({ commitment, public_id: publicId, rules_version: version, seed }) {
  const found = await hash(["rock-and-racket/seed", publicId, version, seed]);
  require(found === commitment, "The seed is not the one of the commitment.");
}

async function checkCommitment(proof) {
  requireFormat(proof.format);
  require((proof.format === 2) === (proof.opening.is_logged !== undefined), "The format is not the one of the opening.");
  await requireSeed(proof);
  return "The seed is the one that was committed before anybody sat down.";
}

const saidOf = (salts) => (salts.length ? `Salts of ${salts.length} of the seats went into the draws.` : "No seat added a salt: the draws follow from the seed alone.");

async function checkSalts(proof) {
  if (proof.format === 1) return `${await checkOldSalts(proof)} Order of opening and salts: not shown for games before 1.2.`;
  const { entries, inclusion, opening, salts } = proof;
  const opened = JSON.parse(inclusion.opened.leaf).at;
  const hashes = new Map(opening.seats.map((seat) => [seat.no, seat.salt_hash]));
  const revealed = new Map(opening.seats.filter((seat) => seat.salt).map((seat) => [seat.no, seat.salt]));
  let isAppointed = opening.begins_at !== undefined;
  let used = [];
  for (const { action, at, facts: pairs, seat } of entries) {
    const facts = pairs.map(([fact]) => fact);
    const has = (kind) => facts.some((fact) => fact.kind === kind);
    for (const dropped of facts.flatMap((fact) => (fact.kind === "salts_dropped" ? fact.seats : []))) {
      hashes.delete(dropped);
      revealed.delete(dropped);
    }
    isAppointed &&= !has("start_missed");
    if (action.kind === "reveal") {
      require(hashes.get(seat) === (await hash(["rock-and-racket/salt", action.salt])), `Seat ${seat} gave no such hash before the salts.`);
      revealed.set(seat, action.salt);
    }
    // At an appointment salts come with readiness.
    const mayPromise = !revealed.size || (isAppointed && has("became_ready"));
    if (action.kind === "ready" && action.salt_hash && mayPromise) hashes.set(seat, action.salt_hash);
    require(!revealed.size || opened <= at, "A salt was known before the log had the opening.");
    if (action.kind === "start") used = [...revealed].sort(([one], [other]) => one - other);
    const frozen = facts.filter((fact) => fact.kind === "salts_frozen").map((fact) => fact.salts);
    require(same(frozen, action.kind === "start" && used.length ? [used] : []), "Other salts were frozen.");
  }
  require(same(salts, used), "The salts are not those of the start.");
  return saidOf(used);
}

/** Format 1. */
async function checkOldSalts(proof) {
  const hashes = new Map(proof.opening.seats.map((seat) => [seat.no, seat.salt_hash ? [seat.salt_hash] : []]));
  const revealed = new Map(proof.opening.seats.filter((seat) => seat.salt).map((seat) => [seat.no, seat.salt]));
  let frozen = [];
  for (const { action, seat, facts } of proof.entries) {
    if (action.kind === "ready" && action.salt_hash) hashes.set(seat, [...(hashes.get(seat) ?? []), action.salt_hash]);
    if (action.kind === "reveal") {
      require((hashes.get(seat) ?? []).includes(await hash(["rock-and-racket/salt", action.salt])), `Seat ${seat} revealed a salt without a hash.`);
      revealed.set(seat, action.salt);
    }
    frozen = facts.find(([fact]) => fact.kind === "salts_frozen")?.[0].salts ?? frozen;
  }
  require(same(frozen, proof.salts), "The salts are not those of the start.");
  for (const [seat, salt] of frozen) require(revealed.get(seat) === salt, `The salt of seat ${seat} was not revealed.`);
  return saidOf(frozen);
}

async function checkEntries(proof) {
  const { entries, status } = proof;
  require(entries.every((entry, place) => entry.no === place + 1 && (!place || entries[place - 1].at <= entry.at)), "Entries are missing or out of order.");
  const starts = entries.filter(({ action }) => action.kind === "start").map(({ no, seat }) => [no, seat]);
  const begun = factsOf(proof).filter(({ fact }) => fact.kind === "game_started").map(({ no }) => [no, null]);
  require(same(starts, begun), "The game did not begin by the house’s start.");
  require(begun.length === 1 || (!begun.length && status !== "over"), "The game began otherwise.");
  return `All ${entries.length} entries are there, in order.`;
}

async function checkDraws(proof) {
  const check = GAMES[proof.game];
  require(check, `This page knows no draws of ${proof.game}.`);
  const key = proof.salts.length ? hex(await hmac(proof.seed, ["rock-and-racket/salts", proof.salts])) : proof.seed;
  const draws = new Draws(key, proof.draws);
  const said = await check(proof, draws);
  require(!draws.rest.length, "There are draws for which no rule asks.");
  const { follows } = proof.opening;
  return `Draws checked: ${proof.draws.length}; ${said}${follows ? `; the dealer before is of the game with commitment ${follows}` : ""}.`;
}

async function rootOf(leaf, index, count, path) {
  let node = await sha256(new Uint8Array([0, ...encoder.encode(leaf)]));
  const rest = [...path];
  for (; count > 1; index >>= 1, count = (count + 1) >> 1) {
    if ((index ^ 1) >= count) continue;
    require(rest.length, "A path in the log is too short.");
    const sibling = bytesOf(rest.shift());
    node = await sha256(new Uint8Array([1, ...(index % 2 ? [...sibling, ...node] : [...node, ...sibling])]));
  }
  require(!rest.length, "A path in the log is too long.");
  return hex(node);
}

/** A leaf's place in its day, and the day's in the chain of days; a sentence. */
async function checkPlace({ leaf, day, index, path }) {
  if (day === null) return "its day is not finished";
  require(JSON.parse(leaf).no === day.first + index, "A leaf has another place.");
  require((await rootOf(leaf, index, day.count, path)) === day.root, "A leaf is not under the root of its day.");
  require((await hash(["rock-and-racket/day", day.previous, day.day, day.count, day.root])) === day.head, "A day is not in the chain.");
  return `the head of ${day.day} is ${day.head}`;
}

async function checkLog(proof) {
  const leaves = {};
  let said = "";
  for (const kind of ["opened", "closed"]) {
    const { leaf } = proof.inclusion[kind];
    const told = JSON.parse(leaf);
    leaves[kind] = told;
    require(canonical(told) === leaf && told.kind === kind && told.commitment === proof.commitment, "A leaf of the log is another's.");
    said = await checkPlace(proof.inclusion[kind]);
  }
  const names = ["game", "public_id", "rules_version", "status", "options", "opening", "entries"];
  const body = await hash(Object.fromEntries(names.map((name) => [name, proof[name]])));
  require(leaves.closed.body === body && leaves.closed.outcome === proof.status, "The log has another game.");
  const aborts = factsOf(proof).filter(({ fact }) => ["salt_missing", "salts_dropped"].includes(fact.kind)).length;
  require(leaves.closed.aborted === aborts, "The log counts other starts that were broken off.");
  const start = proof.entries.find(({ action }) => action.kind === "start");
  require(!start || leaves.opened.at <= start.at, "The game began before its seed was logged.");
  require(leaves.opened.no < leaves.closed.no, "The match was closed before it was opened.");
  return `The public log has the opening, and the hash of this game; starts broken off: ${aborts}; ${said}.`;
}

const LETTERS = ["r", "p", "s"];
const LONGEST_CHAIN = 50_000;
const countsOf = (moves) => LETTERS.map((letter) => moves.filter((move) => move === letter).length);

async function checkChain({ format, link, commitment, anchor, round }) {
  requireFormat(format);
  const place = round - anchor.first;
  require(place >= 0 && place < LONGEST_CHAIN, "The round is not in this chain.");
  let found = hex(await sha256(encoder.encode(link)));
  require(found === commitment, "The link is not the one of the commitment.");
  for (let step = 0; step < place; step += 1) found = hex(await sha256(encoder.encode(found)));
  const { leaf } = anchor.inclusion;
  const told = JSON.parse(leaf);
  require(canonical(told) === leaf && told.kind === "opened", "A leaf of the log is another’s.");
  require(told.commitment === found, "The link is not in the chain of the anchor.");
  const logged = new Date(told.at).toISOString().slice(0, 16).replace("T", " ");
  return `The link is number ${place + 1} of a chain whose anchor was logged on ${logged} UTC; ${await checkPlace(anchor.inclusion)}.`;
}

async function checkSeed({ link, round, digest_before: before, seed }) {
  require(hex(await hmac(link, ["rock-and-racket/arena", round, before])) === seed, "The seed does not follow from the link.");
  return "The seed follows from the link and the choices of the round before.";
}

const KEPT = 7 * 86_400_000; // milliseconds for which a site keeps the parts of a round's players

/** Format 2: the digest covers all, and the seed draws the chooser and the bots' moves. */
async function checkLottery({ at, bots, candidates, choices, chooser, digest, how, options, parts, round, seed }) {
  require((await hash(["rock-and-racket/round", round, { at, chooser, options, parts }])) === digest, "The digest is another.");
  if (chooser === null) require(Object.values(options).every((isOn) => !isOn), "Nobody was drawn, yet an option is on.");
  else require(chooser[0] === (await numberOf(seed, "chooser", chooser[1])), "Another one was drawn.");
  if (!choices) {
    require(!bots && !candidates, "A part of the players is left.");
    require(at + KEPT <= Date.now(), "The parts of the players must be kept for seven days.");
    return "What each player did is no longer kept.";
  }
  require((await hash(["rock-and-racket/parts", choices, candidates, bots])) === parts, "The players have other parts.");
  require([...candidates].filter((letter) => letter === "c").length === (chooser?.[1] ?? 0), "There are other candidates.");
  require(bots.length === choices.length && how.length === choices.length, "Parts of players are missing.");
  const places = [...bots].flatMap((letter, place) => (letter === "b" ? [place] : []));
  require(places.every((place) => (choices[place] === "-") === (how[place] === "-")), "A bot chose nothing.");
  const chosen = places.map((place) => choices[place]).filter((choice) => choice !== "-");
  const drawn = (await stream(seed, "bots", 3, chosen.length)).map((number) => LETTERS[number]);
  require(same(chosen, drawn), "The bots chose otherwise.");
  return "The digest is the one of choices, options and instant; who was drawn, and the bots’ moves, follow from the seed.";
}

async function checkChoices(proof) {
  const { choices, digest, format, round } = proof;
  if (format !== 1) return checkLottery(proof);
  if (!choices) return "What each player did is no longer kept.";
  require((await hash(["rock-and-racket/round", round, choices])) === digest, "The digest is not the one of the choices.");
  return "The digest is the one of the choices.";
}

/** Many numbers of a label, from 0 up to the bound exclusive. */
async function stream(key, label, bound, number) {
  const limit = 256 - (256 % bound);
  const found = [];
  for (let block = 0; found.length < number; block += 1) {
    for (const byte of await hmac(key, [label, "block", block])) if (byte < limit) found.push(byte % bound);
  }
  return found.slice(0, number);
}

async function teamsOf(key, number) {
  const teams = await stream(key, "team", 2, number);
  const first = Math.floor(number / 2) + (number % 2 ? await numberOf(key, "team/odd", 2) : 0);
  const excess = teams.filter((team) => team === 0).length - first;
  const larger = excess > 0 ? 0 : 1;
  const members = [...teams.keys()].filter((place) => teams[place] === larger);
  for (let change = 1; change <= Math.abs(excess); change += 1) {
    const picked = await numberOf(key, `team/change/${change}`, members.length);
    const place = members[picked];
    members[picked] = members.at(-1);
    members.pop();
    teams[place] = 1 - larger;
  }
  return teams;
}

/** 1, -1 or 0 for each move against each. */
function tableOf(counts, { inverted, count }) {
  const table = [[0, 0, 0], [0, 0, 0], [0, 0, 0]];
  for (const beaten of [0, 1, 2]) {
    const beating = (beaten + 1) % 3;
    const [winner, loser] = inverted ? [beaten, beating] : [beating, beaten];
    const isTooMany = count && counts[loser] > counts[winner];
    const sign = !isTooMany ? 1 : counts[loser] >= 2 * counts[winner] ? -1 : 0;
    table[winner][loser] = sign;
    table[loser][winner] = sign ? -sign : 0;
  }
  return table;
}

function bestOf(others, everybody, options) {
  const gains = [0, 1, 2].map((move) => {
    const row = tableOf(everybody.map((number, at) => number + (at === move ? 1 : 0)), options)[move];
    return row.reduce((sum, sign, at) => sum + sign * others[at], 0);
  });
  return [0, 1, 2].filter((move) => gains[move] === Math.max(...gains));
}

async function checkTeams({ choices, how, options, seed, teams }, fighting) {
  const found = [...choices].fill("-");
  if (options.team) (await teamsOf(seed, fighting.length)).forEach((team, at) => (found[fighting[at]] = String(team)));
  require(teams === found.join("") && how.length === choices.length, "The teams do not follow from the seed.");
}

/** The moves: those chosen, those drawn, then the best replies. */
async function movesOf({ choices, how, options, seed, teams }, fighting) {
  const moves = [...choices].map((choice, place) => (how[place] === "c" ? choice : "-"));
  const drawn = fighting.filter((place) => how[place] === "r");
  (await stream(seed, "random", 3, drawn.length)).forEach((move, at) => (moves[drawn[at]] = LETTERS[move]));
  const before = [...moves];
  for (const team of options.team ? ["0", "1"] : ["-"]) {
    const own = fighting.filter((place) => how[place] === "b" && teams[place] === team);
    const best = bestOf(countsOf(before.filter((_, place) => team === "-" || teams[place] !== team)), countsOf(before), options);
    const picked = best.length > 1 ? await stream(seed, `best/${team === "-" ? 2 : team}`, best.length, own.length) : own.map(() => 0);
    own.forEach((place, at) => (moves[place] = LETTERS[best[picked[at]]]));
  }
  return moves;
}

async function checkAutomatic(proof) {
  const { choices, counts, how, moves, options, table, teams } = proof;
  require(same(table, tableOf(counts, options).map((row) => row.map((sign) => "LTW"[sign + 1]))), "The counts give another table.");
  if (!choices) {
    require(!how && !moves && !teams, "A part of the players is left.");
    return "The table follows from the counts.";
  }
  const fighting = [...choices].map((_, place) => place).filter((place) => how[place] !== "-");
  require(fighting.every((place) => (choices[place] === "-" ? "rb" : "c").includes(how[place])), "A source of a move is wrong.");
  await checkTeams(proof, fighting);
  const found = await movesOf(proof, fighting);
  require(moves === found.join(""), "The moves do not follow from choices and seed.");
  require(same(counts, countsOf(found)), "The counts are not those of the moves.");
  return "Teams, drawn moves, best replies and counts follow from the seed.";
}

/** A game that this browser remembers, compared with its proof: pairs of a sentence and its tone. */
export function compared(proof, seen) {
  if (!seen.length) return [];
  const isSame = seen.every(({ commitment }) => commitment === proof.commitment);
  const isIn = proof.salts.some(([, salt]) => seen.some((each) => each.salt === salt));
  const isBegun = factsOf(proof).some(({ fact }) => fact.kind === "game_started");
  return [
    isSame ? ["This is the commitment that you saw.", "good"] : ["You saw another commitment: the seed was changed after you got ready.", "bad"],
    ...(isIn ? [["Your salt is in.", "good"]] : isBegun ? [["Your salt is not in. Were you ready when the game began?", "plain"]] : []),
  ];
}

async function checkEventLog(proof) {
  require(proof.format === 1, "This page reads format 1 of events.");
  await requireSeed(proof);
  const placed = proof.inclusion.event;
  const told = JSON.parse(placed.leaf);
  require(canonical(told) === placed.leaf && told.kind === "event" && told.commitment === proof.commitment, "A leaf of the log is another’s.");
  require(told.at <= proof.starts_at, "The seed was not in the log before the start.");
  return `The seed is the one of the log before the start; ${await checkPlace(placed)}.`;
}

async function checkPair(seed, station, { first, how, no, second, winner }) {
  require([first, second, null].includes(winner), `Station ${station}: a stranger goes on.`);
  require(second !== null || winner === first, `Station ${station}: who rides free goes on.`);
  if (how !== "draw") return;
  const drawn = [first, second][await numberOf(seed, `decide/${station}/${no}`, 2)];
  require(winner === drawn, `Station ${station}: ${drawn} goes on by the seed.`);
}

async function checkStations({ names, seed, stations }) {
  let still = new Set(names.map(([no]) => no));
  for (const [at, pairs] of stations.entries()) {
    const here = new Set(pairs.flatMap(({ first, second }) => [first, second]).filter((who) => who !== null));
    require([...here].every((who) => still.has(who)), `Station ${at + 1}: somebody plays who is out.`);
    require(at || here.size === still.size, "Somebody is missing in the first station.");
    const order = [...here].sort((one, other) => one - other);
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = await numberOf(seed, `station/${at + 1}/${last}`, last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    const drawn = order.flatMap((who, place) => (place % 2 ? [] : [[who, order[place + 1] ?? null]]));
    require(same(pairs.map(({ first, second }) => [first, second]), drawn), `Station ${at + 1} was drawn otherwise.`);
    for (const pair of pairs) await checkPair(seed, at + 1, pair);
    still = new Set(pairs.map(({ winner }) => winner).filter((who) => who !== null));
  }
  return `Stations checked: ${stations.length}, of ${names.length} players; all follow from the seed.`;
}

const MATCH = [checkCommitment, checkSalts, checkEntries, checkDraws, checkLog];
const OTHERS = { arena: [checkChain, checkSeed, checkChoices, checkAutomatic], event: [checkEventLog, checkStations] };

export async function* verify(proof) {
  for (const check of OTHERS[proof.game] ?? MATCH) yield check(proof);
}
