// A second verifier, written from docs/explanation/proof.md alone, with none of the site's code.
// Reads a JSON list of proofs; prints a JSON list: null where a proof holds, else what is wrong.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const text = (value) =>
  Array.isArray(value) ? `[${value.map(text)}]`
  : value && typeof value === "object" ? `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${text(value[key])}`)}}`
  : JSON.stringify(value);
const sha = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash("sha256")).digest();
const hash = (value) => sha(text(value)).toString("hex");
const hmac = (key, value) => createHmac("sha256", key).update(text(value)).digest();
const must = (holds, wrong) => { if (!holds) throw new Error(wrong); };

function draw(key, label, bound) {
  const limit = 2n ** 64n - (2n ** 64n % BigInt(bound));
  for (let attempt = 0; ; attempt += 1) {
    const number = hmac(key, [label, attempt]).readBigUInt64BE();
    if (number < limit) return Number(number % BigInt(bound));
  }
}

/** What the labels ask for: the draws, and the facts that should follow, each beside the one told. */
function asked(proof, key) {
  const draws = [], pairs = [], under = {};
  const take = (entry, label, bound) => {
    const result = draw(key, label, bound);
    draws.push({ entry, label, bound, result });
    return result;
  };
  for (const { no, action, seat, facts } of proof.entries) {
    const mined = facts.filter(([fact]) => fact.kind === "mine_planted");
    if (mined.length || action.kind === "mine") pairs.push([mined, [[{ kind: "mine_planted", seat, target: action.target ?? null }, [seat]]]]);
    if (mined.length) must(action.kind === "mine", "mine");
    const begun = facts.filter(([fact]) => fact.kind === "game_started").length;
    must(begun === Number(action.kind === "start") && (!begun || seat === null), "start");
    const of = (kind) => facts.map(([fact]) => fact).filter((fact) => fact.kind === kind);
    for (const [fact] of facts) {
      if (proof.game === "showdown" && fact.kind === "game_started") {
        const last = proof.options.previous_dealer;
        pairs.push([last, proof.opening.options.previous_dealer]);
        must(proof.format === 1 || (last !== null) === Boolean(proof.opening.follows), "game before");
        const above = fact.seats.filter((seat) => seat > last).sort((a, b) => a - b);
        pairs.push([fact.dealer, last === null ? fact.seats[take(no, "dealer", fact.seats.length)] : above[0] ?? Math.min(...fact.seats)]);
      }
      if (fact.kind === "mine_planted") under[fact.target] = (under[fact.target] ?? 0) + 1;
      if (fact.kind === "round_resolved") {
        const told = of("mine_exploded").find((each) => each.round === fact.round);
        const wins = Object.entries(fact.wins).map(([seat, won]) => [Number(seat), won]).sort((a, b) => a[0] - b[0]);
        if (!wins.every(([, won]) => won === wins[0][1])) { pairs.push([told ?? null, null]); continue; }
        const most = Math.max(...wins.map(([seat]) => under[seat] ?? 0));
        const candidates = wins.map(([seat]) => seat).filter((seat) => (under[seat] ?? 0) === most);
        const seat = candidates[take(no, `mine/${fact.round}`, candidates.length)];
        pairs.push([told ?? null, { kind: "mine_exploded", round: fact.round, seat, count: most }]);
        under[seat] = 0;
      }
      const counted = { agora: "roles", dynamite: "teams" }[proof.game];
      if (counted && fact.kind === "game_started") {
        const cards = fact[counted].flatMap(([name, number]) => Array(number).fill(name));
        for (let last = cards.length - 1; last; last -= 1) {
          const other = take(no, `role/${last}`, last + 1);
          [cards[last], cards[other]] = [cards[other], cards[last]];
        }
        const [kind, card] = proof.game === "agora" ? ["role_dealt", "role"] : ["team_dealt", "team"];
        const told = proof.entries.flatMap((entry) => entry.facts.filter(([each]) => each.kind === kind).map((pair) => [entry.no, pair]));
        pairs.push([told, fact.seats.map((seat, at) => [no, [{ kind, seat, [card]: cards[at] }, [seat]]])]);
      }
    }
  }
  return { draws, pairs };
}

function checkLeaf({ inclusion, commitment }, kind) {
  const { leaf, day, index, path } = inclusion[kind];
  const told = JSON.parse(leaf);
  must(text(told) === leaf && told.kind === kind && told.commitment === commitment, "leaf");
  if (day === null) return told;
  let node = sha(Buffer.from([0]), leaf), at = index, rest = [...path];
  for (let count = day.count; count > 1; count = Math.ceil(count / 2), at = Math.floor(at / 2)) {
    const sibling = at % 2 ? at - 1 : at + 1;
    if (sibling >= count) continue;
    const other = Buffer.from(rest.shift(), "hex");
    node = at % 2 ? sha(Buffer.from([1]), other, node) : sha(Buffer.from([1]), node, other);
  }
  must(!rest.length && node.toString("hex") === day.root && told.no === day.first + index, "path");
  must(hash(["rock-and-racket/day", day.previous, day.day, day.count, day.root]) === day.head, "head");
  return told;
}

/** A byte each, from blocks. */
function stream(key, label, bound, number) {
  const bytes = [];
  for (let block = 0; bytes.length < number; block += 1) bytes.push(...[...hmac(key, [label, "block", block])].filter((byte) => byte < 256 - (256 % bound)));
  return bytes.slice(0, number).map((byte) => byte % bound);
}

/** How a move fares against another: 1, 0 or -1. */
function against(one, other, counts, options) {
  if (one === other) return 0;
  const isAhead = ((one - other + 3) % 3 === 1) !== options.inverted;
  const [w, l] = isAhead ? [counts[one], counts[other]] : [counts[other], counts[one]];
  const usual = isAhead ? 1 : -1;
  return !options.count || l <= w ? usual : l >= 2 * w ? -usual : 0;
}

function verifyRound(proof) {
  const { anchor, choices, counts, how, moves, options, round, seed, table, teams } = proof;
  const sum = (hashed) => sha(hashed).toString("hex");
  must([1, 2].includes(proof.format) && sum(proof.link) === proof.commitment, "commitment");
  let commitment = proof.commitment;
  for (let no = round; no > anchor.first; no -= 1) commitment = sum(commitment);
  must(round >= anchor.first, "first");
  checkLeaf({ inclusion: { opened: anchor.inclusion }, commitment }, "opened");
  must(hmac(proof.link, ["rock-and-racket/arena", round, proof.digest_before]).toString("hex") === seed, "seed");
  must(text(table) === text([0, 1, 2].map((one) => [0, 1, 2].map((other) => "LTW"[against(one, other, counts, options) + 1]))), "table");
  const { at: ended, bots = "", candidates = "", chooser = null, parts } = proof;
  if (proof.format === 2) {
    must(hash(["rock-and-racket/round", round, { at: ended, chooser, options, parts }]) === proof.digest, "digest");
    must(chooser ? draw(seed, "chooser", chooser[1]) === chooser[0] : !Object.values(options).includes(true), "chooser");
    if (choices !== "") must(hash(["rock-and-racket/parts", choices, candidates, bots]) === parts && candidates.split("c").length - 1 === (chooser ? chooser[1] : 0), "parts");
    else must(Date.now() - ended >= 7 * 24 * 3600 * 1000, "seven days");
    const robots = [...bots].flatMap((letter, at) => (letter === "b" ? [{ move: choices[at], how: how[at] }] : []));
    must(bots.length === choices.length && robots.every((one) => (one.move === "-") === (one.how === "-")), "bots");
    const playing = robots.filter((one) => one.move !== "-");
    must(stream(seed, "bots", 3, playing.length).every((number, at) => "rps"[number] === playing[at].move), "bots");
  } else if (choices !== "") must(hash(["rock-and-racket/round", round, choices]) === proof.digest, "digest");
  if (choices === "") return must(how + moves + teams + bots + candidates === "", "parts");
  const players = [...choices].map((choice, at) => ({ choice, how: how[at], team: "-", move: how[at] === "c" ? choice : "-" }));
  must(how.length === players.length && players.every((one) => one.how === "-" || (one.how === "c") === (one.choice !== "-")), "how");
  const fighting = players.filter((one) => one.how !== "-");
  if (options.team) {
    const coins = stream(seed, "team", 2, fighting.length);
    const zeros = Math.floor(coins.length / 2) + (coins.length % 2 ? draw(seed, "team/odd", 2) : 0);
    const surplus = coins.filter((coin) => !coin).length - zeros;
    const from = surplus > 0 ? 0 : 1;
    const listed = coins.flatMap((coin, at) => (coin === from ? [at] : []));
    for (let n = 1; n <= Math.abs(surplus); n += 1) {
      const at = draw(seed, `team/change/${n}`, listed.length), last = listed.pop();
      coins[at < listed.length ? listed[at] : last] = 1 - from;
      if (at < listed.length) listed[at] = last;
    }
    fighting.forEach((one, at) => { one.team = String(coins[at]); });
  }
  must(players.map((one) => one.team).join("") === teams, "teams");
  const drawn = fighting.filter((one) => one.how === "r");
  stream(seed, "random", 3, drawn.length).forEach((number, at) => { drawn[at].move = "rps"[number]; });
  const tally = (some) => [..."rps"].map((letter) => some.filter((one) => one.move === letter).length);
  const all = tally(players), rest = { 0: tally(players.filter((one) => one.team === "1")), 1: tally(players.filter((one) => one.team === "0")), "-": all };
  const replies = [];
  for (const team of options.team ? ["0", "1"] : ["-"]) {
    const gain = [0, 1, 2].map((move) => {
      const tried = all.map((number, at) => number + Number(at === move));
      return [0, 1, 2].reduce((total, other) => total + against(move, other, tried, options) * rest[team][other], 0);
    });
    const best = [0, 1, 2].filter((move) => gain[move] === Math.max(...gain));
    const own = fighting.filter((one) => one.how === "b" && one.team === team);
    const picked = stream(seed, `best/${team === "-" ? 2 : team}`, best.length, best.length > 1 ? own.length : 0);
    own.forEach((one, at) => replies.push([one, "rps"[best[picked[at] ?? 0]]]));
  }
  for (const [one, move] of replies) one.move = move;
  must(players.map((one) => one.move).join("") === moves && text(tally(players)) === text(counts), "moves");
}

/** Format 1 asks less. */
function checkSalts(proof) {
  const logged = JSON.parse(proof.inclusion.opened.leaf).at;
  const given = {}, shown = {};
  let isAppointed = "begins_at" in proof.opening, isBegun = false;
  for (const seat of proof.opening.seats) {
    given[seat.no] = [seat.salt_hash];
    if (seat.salt) shown[seat.no] = seat.salt;
  }
  const listed = () => Object.entries(shown).map(([seat, salt]) => [Number(seat), salt]);
  for (const { action, at, facts: pairs, seat } of proof.entries) {
    const facts = pairs.map(([fact]) => fact), kinds = facts.map((fact) => fact.kind);
    if (proof.format === 2) for (const fact of facts) if (fact.kind === "salts_dropped") for (const gone of fact.seats) { delete shown[gone]; delete given[gone]; }
    if (kinds.includes("start_missed")) isAppointed = false;
    if (action.kind === "ready" && action.salt_hash) {
      if (proof.format === 1) (given[seat] ??= []).push(action.salt_hash);
      else if (!listed().length || (isAppointed && kinds.includes("became_ready"))) given[seat] = [action.salt_hash];
    }
    if (action.kind === "reveal") {
      must(given[seat]?.includes(hash(["rock-and-racket/salt", action.salt])), "hash of a salt");
      shown[seat] = action.salt;
    }
    must(proof.format === 1 || !listed().length || logged <= at, "salt before the log");
    const frozen = facts.filter((fact) => fact.kind === "salts_frozen").map((fact) => fact.salts);
    must(frozen.length <= Number(action.kind === "start"), "frozen");
    if (action.kind !== "start") continue;
    isBegun = true;
    must(text(frozen[0] ?? []) === text(proof.salts), "salts");
    must(proof.format === 1 ? proof.salts.every(([no, salt]) => shown[no] === salt) : text(proof.salts) === text(listed()), "salts revealed");
  }
  must(isBegun || !proof.salts.length, "salts without a game");
  must(isBegun || proof.status !== "over", "over without a start");
}

function verify(proof) {
  if (proof.game === "arena") return verifyRound(proof);
  must(proof.format === ("is_logged" in proof.opening ? 2 : 1), "format");
  must(hash(["rock-and-racket/seed", proof.public_id, proof.rules_version, proof.seed]) === proof.commitment, "commitment");
  checkSalts(proof);
  proof.entries.forEach((entry, place) => must(entry.no === place + 1 && entry.at >= (proof.entries[place - 1]?.at ?? 0), "entries"));
  const key = proof.salts.length ? hmac(proof.seed, ["rock-and-racket/salts", proof.salts]).toString("hex") : proof.seed;
  const { draws, pairs } = asked(proof, key);
  must(text(draws) === text(proof.draws), "draws");
  for (const [told, right] of pairs) must(text(told) === text(right), "facts");
  const [opened, closed] = ["opened", "closed"].map((kind) => checkLeaf(proof, kind));
  const { game, public_id, rules_version, status, options, opening, entries } = proof;
  must(closed.body === hash({ game, public_id, rules_version, status, options, opening, entries }) && closed.outcome === status, "body");
  const aborts = entries.flatMap(({ facts }) => facts).filter(([fact]) => ["salt_missing", "salts_dropped"].includes(fact.kind));
  must(closed.aborted === aborts.length, "aborted");
  const start = entries.find(({ action }) => action.kind === "start");
  must(opened.no < closed.no && opened.at <= (start?.at ?? Infinity), "order");
}

const said = JSON.parse(readFileSync(process.argv[2], "utf8")).map((proof) => {
  try {
    verify(proof);
    return null;
  } catch (wrong) {
    return String(wrong.message);
  }
});
console.log(JSON.stringify(said));
