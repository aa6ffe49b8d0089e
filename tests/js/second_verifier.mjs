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
  for (const { no, facts } of proof.entries) {
    const of = (kind) => facts.map(([fact]) => fact).filter((fact) => fact.kind === kind);
    for (const [fact] of facts) {
      if (proof.game === "showdown" && fact.kind === "game_started") {
        const last = proof.options.previous_dealer;
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
        const told = of(proof.game === "agora" ? "role_dealt" : "team_dealt");
        pairs.push([told.map((each) => [each.seat, each.role ?? each.team]), fact.seats.map((seat, at) => [seat, cards[at]])]);
      }
    }
  }
  return { draws, pairs };
}

function checkLeaf(proof, kind) {
  const { leaf, day, index, path } = proof.inclusion[kind];
  const told = JSON.parse(leaf);
  must(text(told) === leaf && told.kind === kind && told.commitment === proof.commitment, "leaf");
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

function verify(proof) {
  must(proof.format === 1, "format");
  must(hash(["rock-and-racket/seed", proof.public_id, proof.rules_version, proof.seed]) === proof.commitment, "commitment");
  const given = {}, shown = {};
  for (const seat of proof.opening.seats) {
    given[seat.no] = [seat.salt_hash];
    shown[seat.no] = seat.salt;
  }
  for (const { action, seat } of proof.entries) {
    if (action.kind === "ready") (given[seat] ??= []).push(action.salt_hash);
    if (action.kind !== "reveal") continue;
    must(given[seat].includes(hash(["rock-and-racket/salt", action.salt])), "hash of a salt");
    shown[seat] = action.salt;
  }
  const frozen = proof.entries.flatMap(({ facts }) => facts.map(([fact]) => fact)).find((fact) => fact.kind === "salts_frozen");
  must(text(frozen?.salts ?? []) === text(proof.salts) && proof.salts.every(([seat, salt]) => shown[seat] === salt), "salts");
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
