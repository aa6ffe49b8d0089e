#!/usr/bin/env python3
"""Check the proof of a finished match, round or event of Rock & Racket, or the file of a day of its
log.

    python3 verify.py PROOF     a file or an address, such as https://…/matches/<id>/proof.json,
                                or https://…/arena/rounds/<number>/proof.json,
                                or https://…/events/<id>/proof.json
    python3 verify.py DAY       such as https://…/proof/log/2026-11-25.jsonl.gz

It needs Python 3.9 and nothing else, prints a sentence for each check, and exits with 0 if all
hold, with 1 if one does not.  What is hashed, and how, is told in docs/explanation/proof.md.
"""

import gzip
import hashlib
import hmac
import json
import sys
import time
import urllib.request

FORMATS = (1, 2)
#: Milliseconds since 1970 at the end of the year 9999.
MOST_INSTANT = 253_402_300_800_000
ABORTS = ("salt_missing", "salts_dropped")


class Wrong(Exception):
    """A check does not hold."""


def canonical(value):
    """Return JSON with sorted keys and no spaces, as bytes."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    ).encode()


def sha256(value):
    """Return the SHA-256 of a value's canonical text, in hex."""
    return hashlib.sha256(canonical(value)).hexdigest()


def require(holds, wrong):
    """Raise Wrong with this sentence unless it holds."""
    if not holds:
        raise Wrong(wrong)


def same(one, other):
    """Whether two values have the same text: True is not 1."""
    return canonical(one) == canonical(other)


def require_format(number, formats):
    """Raise Wrong unless it is one of these formats."""
    read = " and ".join(map(str, formats))
    require(type(number) is int and number in formats, f"this program reads format {read}")


# The draws -------------------------------------------------------------------------------------


def key_of(seed, salts):
    """Return the key of the game's draws."""
    if not salts:
        return seed.encode()
    message = canonical(["rock-and-racket/salts", salts])
    return hmac.new(seed.encode(), message, hashlib.sha256).hexdigest().encode()


def draw(key, label, bound):
    """Return the number of a label, from 0 up to the bound exclusive."""
    limit = 2**64 - 2**64 % bound
    attempt = 0
    while True:
        digest = hmac.new(key, canonical([label, attempt]), hashlib.sha256).digest()
        number = int.from_bytes(digest[:8], "big")
        if number < limit:
            return number % bound
        attempt += 1


class Draws:
    """The draws that the rules ask for, in order, each checked against the proof's list."""

    def __init__(self, proof):
        self.key = key_of(proof["seed"], proof["salts"])
        self.rest = list(proof["draws"])

    def next(self, entry, label, bound):
        """Return the result of a draw; the next of the list must be this one."""
        require(self.rest, f"the draw {label} is missing")
        listed = self.rest.pop(0)
        wanted = {
            "entry": entry,
            "label": label,
            "bound": bound,
            "result": draw(self.key, label, bound),
        }
        require(same(listed, wanted), f"the draw {label} should be {wanted}, not {listed}")
        return wanted["result"]


def facts_of(proof):
    """Yield the number of the entry, and each fact."""
    for entry in proof["entries"]:
        for fact, _audience in entry["facts"]:
            yield entry["no"], fact


def check_showdown(proof, draws):
    """The first dealer is drawn; of level seats one that stands on most mines steps on them."""
    check_mines(proof)
    opening, named = proof["opening"], proof["options"]["previous_dealer"]
    require(same(opening["options"]["previous_dealer"], named), "another dealer before")
    if proof["format"] != 1:
        require((named is None) == ("follows" not in opening), "the game before is not named")
    mines = {}
    for no, fact in facts_of(proof):
        kind = fact["kind"]
        if kind == "game_started":
            seats, previous = fact["seats"], proof["options"]["previous_dealer"]
            if previous is None:
                dealer = seats[draws.next(no, "dealer", len(seats))]
            else:
                dealer = min(seats, key=lambda seat: (seat <= previous, seat))
            require(
                same(fact["dealer"], dealer), f"seat {dealer} deals first, not {fact['dealer']}"
            )
        elif kind == "mine_planted":
            mines[fact["target"]] = mines.get(fact["target"], 0) + 1
        elif kind == "round_resolved":
            exploded = exploded_of(proof, no, fact["round"])
            if len(set(fact["wins"].values())) > 1:
                require(
                    exploded is None, f"round {fact['round']} was not level, yet a mine went off"
                )
                continue
            live = sorted(int(seat) for seat in fact["wins"])
            most = max(mines.get(seat, 0) for seat in live)
            unlucky = [seat for seat in live if mines.get(seat, 0) == most]
            victim = unlucky[draws.next(no, f"mine/{fact['round']}", len(unlucky))]
            wanted = {
                "kind": "mine_exploded",
                "round": fact["round"],
                "seat": victim,
                "count": most,
            }
            require(same(exploded, wanted), f"round {fact['round']}: {wanted}, not {exploded}")
            mines[victim] = 0


def check_mines(proof):
    """A seat's action plants each mine, and only the seat knows."""
    for entry in proof["entries"]:
        told = [pair for pair in entry["facts"] if pair[0]["kind"] == "mine_planted"]
        wanted = []
        if entry["action"]["kind"] == "mine":
            target = entry["action"]["target"]
            fact = {"kind": "mine_planted", "seat": entry["seat"], "target": target}
            wanted = [[fact, [entry["seat"]]]]
        require(same(told, wanted), f"entry {entry['no']}: the mines should be {wanted}")


def exploded_of(proof, no, number):
    """Return the fact of the mine of a round, None without one."""
    for at, fact in facts_of(proof):
        if at == no and fact["kind"] == "mine_exploded" and fact["round"] == number:
            return fact
    return None


def check_dealt(proof, draws, counted, dealt, card):
    """The cards, in the order of the game's first fact, are shuffled and dealt by seat."""
    for no, fact in facts_of(proof):
        if fact["kind"] != "game_started":
            continue
        cards = [name for name, number in fact[counted] for _ in range(number)]
        for last in range(len(cards) - 1, 0, -1):
            other = draws.next(no, f"role/{last}", last + 1)
            cards[last], cards[other] = cards[other], cards[last]
        # Each to its seat alone, once.
        wanted = [
            [no, {"kind": dealt, "seat": seat, card: name}, [seat]]
            for seat, name in zip(fact["seats"], cards)
        ]
        told = [
            [entry["no"], each, audience]
            for entry in proof["entries"]
            for each, audience in entry["facts"]
            if each["kind"] == dealt
        ]
        require(same(told, wanted), f"the cards should be {wanted}, not {told}")


def check_nothing(_proof, _draws):
    """No draws."""


GAMES = {
    "showdown": (check_showdown, "the first dealer and every mine follow from the draws"),
    "duel": (check_nothing, "a duel has no draws"),
    "agora": (
        lambda proof, draws: check_dealt(proof, draws, "roles", "role_dealt", "role"),
        "every role follows from the draws",
    ),
    "dynamite": (
        lambda proof, draws: check_dealt(proof, draws, "teams", "team_dealt", "team"),
        "every team follows from the draws",
    ),
}


def check_draws(proof):
    """All draws of the rules are listed, in order, and give the facts."""
    require(proof["game"] in GAMES, f"this program knows no draws of {proof['game']}")
    check, said = GAMES[proof["game"]]
    draws = Draws(proof)
    check(proof, draws)
    require(not draws.rest, f"the rules ask for no draw {draws.rest[:1]}")
    if "follows" in proof["opening"]:
        said += f"; the dealer before is of the game with commitment {proof['opening']['follows']}"
    return f"{len(proof['draws'])} draws are what seed and salts give, none is missing: {said}"


# The rest --------------------------------------------------------------------------------------


def check_format(proof):
    """The proof has all parts, and nothing besides."""
    names = {"format", "game", "public_id", "rules_version", "status", "commitment", "seed"}
    names |= {"options", "opening", "salts", "entries", "draws", "inclusion"}
    require(set(proof) == names, f"parts differ: {sorted(names ^ set(proof))}")
    require_format(proof["format"], FORMATS)
    is_new = "is_logged" in proof["opening"]
    require(is_new == (proof["format"] == FORMATS[-1]), "the format is not the one of the opening")
    return f"{proof['game']}, rules {proof['rules_version']}, {len(proof['entries'])} entries"


def check_commitment(proof):
    """The seed is the one that was committed."""
    about = [proof["public_id"], proof["rules_version"]]
    found = sha256(["rock-and-racket/seed", *about, proof["seed"]])
    require(found == proof["commitment"], "the seed is not the one of the commitment")
    return "the seed is the one that was committed before anybody could sit down"


def check_salts(proof):
    """The salts of the draws are those that the seats revealed, after log and hashes."""
    if proof["format"] == 1:
        told = "order of opening and salts: not shown for games before 1.2"
        return f"{check_old_salts(proof)}; {told}"
    opened = json.loads(proof["inclusion"]["opened"]["leaf"])["at"]
    seats, is_appointed = proof["opening"]["seats"], "begins_at" in proof["opening"]
    hashes = {seat["no"]: seat["salt_hash"] for seat in seats if "salt_hash" in seat}
    revealed, used = {seat["no"]: seat["salt"] for seat in seats if "salt" in seat}, []
    for entry in proof["entries"]:
        action, seat, facts = entry["action"], entry["seat"], [fact for fact, _ in entry["facts"]]
        kinds = [fact["kind"] for fact in facts]
        for fact in facts:
            for dropped in fact["seats"] if fact["kind"] == "salts_dropped" else ():
                hashes.pop(dropped, None)
                revealed.pop(dropped, None)
        is_appointed = is_appointed and "start_missed" not in kinds
        if action["kind"] == "ready" and "salt_hash" in action:
            # At an appointment salts come with readiness.
            if not revealed or (is_appointed and "became_ready" in kinds):
                hashes[seat] = action["salt_hash"]
        elif action["kind"] == "reveal":
            found = sha256(["rock-and-racket/salt", action["salt"]])
            require(found == hashes.get(seat), f"seat {seat} gave no such hash before the salts")
            revealed[seat] = action["salt"]
        require(not revealed or opened <= entry["at"], "a salt was known before the log's opening")
        frozen = [fact["salts"] for fact in facts if fact["kind"] == "salts_frozen"]
        if action["kind"] == "start":
            used = sorted([seat, salt] for seat, salt in revealed.items())
        is_start = action["kind"] == "start" and used
        require(same(frozen, [used] if is_start else []), f"entry {entry['no']}: other salts")
    require(same(proof["salts"], used), f"the salts should be {used}")
    return said_of(used)


def said_of(salts):
    """Return the sentence on whose salts the draws use."""
    if not salts:
        return "no seat added a salt: the draws follow from the seed alone"
    return f"the draws also follow from the salts of seats {[seat for seat, _ in salts]}"


def check_old_salts(proof):
    """Format 1: the salts of the draws are those that the seats revealed, after their hashes."""
    hashes, revealed, frozen = {}, {}, []
    for seat in proof["opening"]["seats"]:
        hashes[seat["no"]] = [seat["salt_hash"]] if seat.get("salt_hash") else []
        if "salt" in seat:
            revealed[seat["no"]] = seat["salt"]
    for entry in proof["entries"]:
        action, seat = entry["action"], entry["seat"]
        if action["kind"] == "ready" and "salt_hash" in action:
            hashes[seat] = [*hashes.get(seat, []), action["salt_hash"]]
        elif action["kind"] == "reveal":
            found, given = sha256(["rock-and-racket/salt", action["salt"]]), hashes.get(seat, [])
            require(found in given, f"seat {seat} revealed a salt whose hash it had not given")
            revealed[seat] = action["salt"]
        for fact, _audience in entry["facts"]:
            if fact["kind"] == "salts_frozen":
                frozen = fact["salts"]
    require(frozen == proof["salts"], "the salts are not those with which the game began")
    for seat, salt in frozen:
        require(revealed.get(seat) == salt, f"the salt of seat {seat} is not the one revealed")
    return said_of(frozen)


def check_entries(proof):
    """The entries are numbered without a gap, time does not run backwards, one start begins."""
    entries = proof["entries"]
    numbers = [each["no"] for each in entries]
    require(same(numbers, list(range(1, len(entries) + 1))), "entries miss")
    instants = [each["at"] for each in entries]
    require(instants == sorted(instants), "the instants of the entries run backwards")
    starts = [[each["no"], each["seat"]] for each in entries if each["action"]["kind"] == "start"]
    begun = [[no, None] for no, fact in facts_of(proof) if fact["kind"] == "game_started"]
    require(same(starts, begun), "the game did not begin by the house's start")
    require(len(begun) == 1 or (not begun and proof["status"] != "over"), "it began otherwise")
    return "the entries are complete and in order"


def check_log(proof):
    """The log has the commitment from before the game, and the hash of all that happened."""
    told = []
    for kind in ("opened", "closed"):
        require(set(proof["inclusion"]) == {"opened", "closed"}, "a leaf of the log is missing")
        placed = proof["inclusion"][kind]
        leaf = json.loads(placed["leaf"])
        require(canonical(leaf).decode() == placed["leaf"], f"the leaf {kind} is not canonical")
        require(leaf["kind"] == kind, f"the leaf is not {kind}")
        require(leaf["commitment"] == proof["commitment"], "the leaf is of another match")
        told.append(check_place(placed, leaf))
    names = ("game", "public_id", "rules_version", "status", "options", "opening", "entries")
    aborts = [fact for _, fact in facts_of(proof) if fact["kind"] in ABORTS]
    require(leaf["aborted"] == len(aborts), "the log counts other starts that were broken off")
    require(leaf["outcome"] == proof["status"], "the log knows another outcome")
    require(
        leaf["body"] == sha256({name: proof[name] for name in names}), "the log has another game"
    )
    opened = json.loads(proof["inclusion"]["opened"]["leaf"])
    begun = [each["at"] for each in proof["entries"] if each["action"]["kind"] == "start"]
    require(not begun or opened["at"] <= begun[0], "the game began before its seed was logged")
    require(opened["no"] < leaf["no"], "the match was closed before it was opened")
    broken = f"{len(aborts)} starts were broken off"
    return f"the log has the opening, and the hash of this game at its end; {broken}; {told[-1]}"


def check_place(placed, leaf):
    """A leaf's path leads to the root of its day, and the root is in the chain."""
    day = placed["day"]
    if day is None:
        require(set(placed) == {"leaf", "day"}, "an unfinished day has no path")
        return "its day is not finished: look again tomorrow"
    require(set(placed) == {"leaf", "day", "index", "path"}, "parts of the path differ")
    require(leaf["no"] == day["first"] + placed["index"], "the leaf has another place")
    node = hashlib.sha256(b"\x00" + placed["leaf"].encode()).digest()
    require(
        climb(node, placed["index"], day["count"], placed["path"]) == day["root"], "a wrong path"
    )
    check_head(day)
    return f"the head of {day['day']} is {day['head']}"


def climb(node, index, count, path):
    """Return the root to which a path leads, in hex."""
    rest = [bytes.fromhex(each) for each in path]
    while count > 1:
        if index ^ 1 < count:
            require(rest, "the path is too short")
            sibling = rest.pop(0)
            pair = sibling + node if index % 2 else node + sibling
            node = hashlib.sha256(b"\x01" + pair).digest()
        index, count = index // 2, (count + 1) // 2
    require(not rest, "the path is too long")
    return node.hex()


def check_head(day):
    """A day's head is the hash over the head before it, its number of leaves and its root."""
    told = [day["previous"], day["day"], day["count"], day["root"]]
    require(sha256(["rock-and-racket/day", *told]) == day["head"], "the day is not in the chain")


CHECKS = (check_format, check_commitment, check_salts, check_entries, check_draws, check_log)


# A round of the arena --------------------------------------------------------------------------

CHAIN = 50_000
LETTERS = "rps"
#: Milliseconds for which a site keeps the parts of a round's players.
KEPT = 7 * 86_400_000
#: The further keys of format 2, and its options.
LOTTERY = {"at", "bots", "candidates", "chooser", "parts"}
OPTIONS = {"blitz", "classic", "count", "inverted", "survivor", "team"}


def check_round_format(proof):
    """The proof of a round has all parts, and nothing besides."""
    names = {"format", "game", "round", "options", "link", "commitment", "anchor", "digest_before"}
    names |= {"seed", "choices", "digest", "teams", "how", "moves", "counts", "table"}
    require_format(proof["format"], FORMATS)
    is_new = proof["format"] == FORMATS[-1]
    names |= LOTTERY if is_new else set()
    require(set(proof) == names, f"parts differ: {sorted(names ^ set(proof))}")
    options = OPTIONS if is_new else {"count", "inverted", "team"}
    require(set(proof["options"]) == options, "other options")
    return f"round {proof['round']} of the arena, {sum(proof['counts'])} players fought"


def check_chain(proof):
    """The link is the round's in a chain whose anchor was logged."""
    anchor, place = proof["anchor"], proof["round"] - proof["anchor"]["first"]
    require(set(anchor) == {"first", "inclusion"}, "parts of the anchor differ")
    require(0 <= place < CHAIN, "the round is not in this chain")
    found = hashlib.sha256(proof["link"].encode()).hexdigest()
    require(found == proof["commitment"], "the link is not the one of the commitment")
    for _ in range(place):
        found = hashlib.sha256(found.encode()).hexdigest()
    placed = anchor["inclusion"]
    leaf = json.loads(placed["leaf"])
    require(canonical(leaf).decode() == placed["leaf"], "the leaf is not canonical")
    require(leaf["kind"] == "opened", "the leaf is not an opening")
    require(leaf["commitment"] == found, "the link is not in the chain of the anchor")
    require(0 <= leaf["at"] < MOST_INSTANT, "the instant of the leaf is none")
    logged = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(leaf["at"] / 1000))
    told = check_place(placed, leaf)
    return f"the link is number {place + 1} of the chain that was logged at {logged}; {told}"


def check_seed(proof):
    """The seed follows from the link and from the choices of the round before."""
    message = canonical(["rock-and-racket/arena", proof["round"], proof["digest_before"]])
    found = hmac.new(proof["link"].encode(), message, hashlib.sha256).hexdigest()
    require(found == proof["seed"], "the seed does not follow from the link")
    return "the seed follows from the link and the round before"


def check_choices(proof):
    """The digest is the one of the choices; in format 2 also of lottery, options and instant."""
    if proof["format"] != 1:
        return check_lottery(proof)
    if not proof["choices"]:
        return "what each player did is no longer kept"
    found = sha256(["rock-and-racket/round", proof["round"], proof["choices"]])
    require(found == proof["digest"], "the digest is not the one of the choices")
    return f"the digest is the one of {len(proof['choices'])} choices"


def check_lottery(proof):
    """Format 2: the digest covers all, and the seed draws the chooser and the bots' moves."""
    told = {name: proof[name] for name in ("at", "chooser", "options", "parts")}
    found = sha256(["rock-and-racket/round", proof["round"], told])
    require(found == proof["digest"], "the digest is another")
    key, chooser, players = proof["seed"].encode(), proof["chooser"], proof["choices"]
    if chooser is None:
        require(not any(proof["options"].values()), "nobody was drawn, yet an option is on")
    else:
        require(same(chooser[0], draw(key, "chooser", chooser[1])), "another one was drawn")
    if not players:
        require(not proof["bots"] and not proof["candidates"], "a part is left")
        require(proof["at"] + KEPT <= time.time() * 1000, "the parts must be kept for seven days")
        return "what each player did is no longer kept"
    parts = [players, proof["candidates"], proof["bots"]]
    require(sha256(["rock-and-racket/parts", *parts]) == proof["parts"], "other parts of players")
    count = proof["candidates"].count("c")
    require(count == (0 if chooser is None else chooser[1]), "other candidates")
    require(len(proof["bots"]) == len(proof["how"]) == len(players), "parts are missing")
    bots = [at for at, letter in enumerate(proof["bots"]) if letter == "b"]
    require(all((players[at] == "-") == (proof["how"][at] == "-") for at in bots), "an idle bot")
    chosen = [players[at] for at in bots if players[at] != "-"]
    drawn = [LETTERS[number] for number in stream(key, "bots", 3, len(chosen))]
    require(chosen == drawn, "the bots chose otherwise")
    ended = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(proof["at"] / 1000))
    told = "the chooser and the bots' moves follow from the seed"
    return f"the digest is the one of {len(players)} choices, which ended at {ended}; {told}"


def stream(key, label, bound, number):
    """Return many numbers of a label, from 0 up to the bound exclusive."""
    found, block, limit = [], 0, 256 - 256 % bound
    while len(found) < number:
        digest = hmac.new(key, canonical([label, "block", block]), hashlib.sha256).digest()
        found += [byte % bound for byte in digest if byte < limit]
        block += 1
    return found[:number]


def teams_of(key, number):
    """Return the team of each of those who fight."""
    teams, first = stream(key, "team", 2, number), number // 2
    if number % 2:
        first += draw(key, "team/odd", 2)
    excess = teams.count(0) - first
    larger = 0 if excess > 0 else 1
    members = [place for place, team in enumerate(teams) if team == larger]
    for change in range(1, abs(excess) + 1):
        picked = draw(key, f"team/change/{change}", len(members))
        members[picked], members[-1] = members[-1], members[picked]
        teams[members.pop()] = 1 - larger
    return teams


def table_of(counts, options):
    """Return 1, -1 or 0 for each move against each: a win, a loss, a tie."""
    table = [[0, 0, 0], [0, 0, 0], [0, 0, 0]]
    for beaten in range(3):
        pair = [(beaten + 1) % 3, beaten]
        winner, loser = reversed(pair) if options["inverted"] else pair
        sign = 1
        if options["count"] and counts[loser] > counts[winner]:
            sign = -1 if counts[loser] >= 2 * counts[winner] else 0
        table[winner][loser], table[loser][winner] = sign, -sign
    return table


def best_of(others, everybody, options):
    """Return the moves that win the most battles against these others, less those they lose."""
    gains = []
    for move in range(3):
        counts = [number + (move == at) for at, number in enumerate(everybody)]
        row = table_of(counts, options)[move]
        gains.append(sum(sign * number for sign, number in zip(row, others)))
    return [move for move in range(3) if gains[move] == max(gains)]


def check_automatic(proof):
    """Teams and the moves of those who chose nothing follow from the seed."""
    key, options, choices = proof["seed"].encode(), proof["options"], proof["choices"]
    table = [["TWL"[sign] for sign in row] for row in table_of(proof["counts"], options)]
    require(table == proof["table"], "the counts give another table")
    if not choices:
        require(not (proof["how"] or proof["moves"] or proof["teams"]), "a part is left")
        return "the table follows from the counts"
    size = len(choices)
    require(len(proof["how"]) == len(proof["moves"]) == size, "parts of players are missing")
    fighting = [place for place in range(size) if proof["how"][place] != "-"]
    teams = ["-"] * size
    if options["team"]:
        for place, team in zip(fighting, teams_of(key, len(fighting))):
            teams[place] = str(team)
    require(proof["teams"] == "".join(teams), "the teams do not follow from the seed")
    moves = [choices[place] if proof["how"][place] == "c" else "-" for place in range(size)]
    for place in fighting:
        is_chosen = choices[place] != "-"
        require(proof["how"][place] in ("c" if is_chosen else "rb"), "a source of a move is wrong")
    drawn = [place for place in fighting if proof["how"][place] == "r"]
    for place, move in zip(drawn, stream(key, "random", 3, len(drawn))):
        moves[place] = LETTERS[move]
    before = list(moves)
    everybody = [before.count(letter) for letter in LETTERS]
    for team in ("0", "1") if options["team"] else ("-",):
        rest = [move for move, its in zip(before, teams) if its != team or team == "-"]
        best = best_of([rest.count(letter) for letter in LETTERS], everybody, options)
        own = [at for at in fighting if proof["how"][at] == "b" and teams[at] == team]
        label = f"best/{2 if team == '-' else team}"
        picked = stream(key, label, len(best), len(own)) if len(best) > 1 else [0] * len(own)
        for place, number in zip(own, picked):
            moves[place] = LETTERS[best[number]]
    require(proof["moves"] == "".join(moves), "the moves do not follow from choices and seed")
    counts = [moves.count(letter) for letter in LETTERS]
    require(counts == proof["counts"], "the counts are not those of the moves")
    return f"teams, {len(drawn)} drawn moves, best replies and counts follow from the seed"


ROUND = (check_round_format, check_chain, check_seed, check_choices, check_automatic)


# An event --------------------------------------------------------------------------------------


def check_event_log(proof):
    """The seed was committed in the log before the start."""
    require_format(proof["format"], (1,))
    check_commitment(proof)
    placed = proof["inclusion"]["event"]
    leaf = json.loads(placed["leaf"])
    require(canonical(leaf).decode() == placed["leaf"], "the leaf is not canonical")
    require(leaf["kind"] == "event", "the leaf is not of an event")
    require(leaf["commitment"] == proof["commitment"], "the leaf is of another event")
    require(leaf["at"] <= proof["starts_at"], "the seed was not in the log before the start")
    return f"the seed is the one of the log before the start; {check_place(placed, leaf)}"


def check_stations(proof):
    """Each station is drawn from the seed, among those who went on."""
    key, still = proof["seed"].encode(), {no for no, _ in proof["names"]}
    for no, station in enumerate(proof["stations"], 1):
        here = {who for pair in station for who in (pair["first"], pair["second"])} - {None}
        require(here <= still, f"station {no}: somebody plays who is out")
        require(no > 1 or here == still, "somebody is missing in the first station")
        order = sorted(here)
        for last in range(len(order) - 1, 0, -1):
            other = draw(key, f"station/{no}/{last}", last + 1)
            order[last], order[other] = order[other], order[last]
        order += [None] * (len(order) % 2)
        wanted = [order[at : at + 2] for at in range(0, len(order), 2)]
        drawn = [[pair["first"], pair["second"]] for pair in station]
        require(same(drawn, wanted), f"station {no} should be {wanted}")
        for pair in station:
            check_pair(key, no, pair)
        still = {pair["winner"] for pair in station} - {None}
    players = len(proof["names"])
    return f"{len(proof['stations'])} stations of {players} players follow from the seed"


def check_pair(key, no, pair):
    """One of the two goes on, by the seed where that is said."""
    sides = [pair["first"], pair["second"]]
    require(pair["winner"] in [*sides, None], f"station {no}: a stranger goes on")
    if pair["second"] is None:
        require(pair["winner"] == pair["first"], f"station {no}: who rides free goes on")
    if pair["how"] == "draw":
        drawn = sides[draw(key, f"decide/{no}/{pair['no']}", 2)]
        require(pair["winner"] == drawn, f"station {no}: {drawn} goes on by the seed")


EVENT = (check_event_log, check_stations)


def check_day(lines):
    """Yield what holds for the file of a day: its root, its place, and all seeds."""
    day, *rest = [json.loads(line) for line in lines]
    count = day["count"]
    leaves, seeds = rest[:count], rest[count:]
    level = [hashlib.sha256(b"\x00" + line.encode()).digest() for line in lines[1 : count + 1]]
    require(len(level) == count, "leaves are missing")
    numbers = [leaf["no"] for leaf in leaves]
    require(numbers == list(range(day["first"], day["first"] + count)), "the leaves have gaps")
    while len(level) > 1:
        pairs = [level[at : at + 2] for at in range(0, len(level), 2)]
        level = [
            hashlib.sha256(b"\x01" + pair[0] + pair[1]).digest() if len(pair) == 2 else pair[0]
            for pair in pairs
        ]
    require(level[0].hex() == day["root"], "the root is not the one of these leaves")
    yield f"{count} leaves give the root of {day['day']}"
    check_head(day)
    yield f"its head is {day['head']}, after {day['previous']}"
    closed = {leaf["commitment"] for leaf in leaves if leaf["kind"] == "closed"}
    for seed in seeds:
        about = [seed["public_id"], seed["rules_version"]]
        found = sha256(["rock-and-racket/seed", *about, seed["seed"]])
        require(found == seed["commitment"], f"another seed for {seed['public_id']}")
        require(found in closed, f"{seed['public_id']} was not closed that day")
    yield f"{len(seeds)} seeds are those of their commitments"


def verify(proof):
    """Yield a sentence for each check; raises Wrong, or any error of a malformed proof."""
    for check in {"arena": ROUND, "event": EVENT}.get(proof["game"], CHECKS):
        yield check(proof)


def read(place):
    """Return the bytes of a file or of an address."""
    if place.startswith(("http://", "https://")):
        with urllib.request.urlopen(place) as answer:
            data = answer.read()
    else:
        with open(place, "rb") as file:
            data = file.read()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def main(arguments):
    """Check what is named, print a sentence for each check, and return the exit status."""
    if len(arguments) != 1:
        print(__doc__)
        return 2
    text = read(arguments[0]).decode()
    try:
        first = json.loads(text.splitlines()[0])
        is_day = "root" in first
        for said in check_day(text.splitlines()) if is_day else verify(json.loads(text)):
            print(f"ok     {said}")
    except Wrong as wrong:
        print(f"WRONG  {wrong}")
        return 1
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError) as odd:
        print(f"WRONG  this is no proof: {type(odd).__name__}: {odd}")
        return 1
    print("All checks hold.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
