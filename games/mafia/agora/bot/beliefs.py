"""The suspicions of a bot of Agoran Mafia, by claims, facts, votes and fancy, and its claims."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, Final

from games.mafia.agora.rules.roles import MAFIA, Role
from games.mafia.common.bot import Mind, Reason, wits_of
from games.mafia.common.bot.hearing import claims_in, named_in
from games.mafia.common.bot.lines import read_lines
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.roster import NOBODY

#: The roles that are claimed, in the order in which a mafioso prefers to claim them.
CLAIMED: Final = (Role.CITIZEN, Role.DOCTOR, Role.DETECTIVE, Role.SHERIFF)
NUMBERS: Final = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
#: The weight of a verdict by the only sheriff, of one among several, and of a certain fact.
VERDICT, DOUBTED, CERTAIN = 3.0, 1.2, 6.0
#: The share of these where an agent forges, and where half of what is read is forged.
FORGEABLE, DOUBTFUL = 0.7, 0.2
#: The weight of what a sheriff concludes where half of the files are forged; and how probably it
#: takes a file there for a forged one.
CONCLUDED, DOUBTS_FILES = 0.5, 0.35
#: From what plans on a mafioso tells a lie that nobody can count; others say to be citizens.
CAREFUL: Final = 1.0
#: The weight of a verdict against the bot itself.
ACCUSED: Final = 1.7
#: The weight of the claim of a role that nobody else claims.
CLAIM: Final = 3.0
#: The weight of a role that more claim than have it.
TOO_MANY: Final = 2.2
#: How much less a bot follows its fancy when one more mistake may lose the game.
SOBER: Final = 0.15
#: The weight of a file that proved to be wrong: a liar read it, or an agent had it in hand.
WRONG: Final = 0.8
#: Where so few roles are dealt, claims would decide everything: bots doubt them.
FEW_ROLES: Final = 4
UNSURE, DOUBT = 5.0, 0.3
#: The weight of a standing vote for somebody: bots must agree to lynch.
VOTE: Final = 0.15
#: The weight of the last vote of the murdered; of a vote for the town, and for the mafia.
LAST_WORD, FOR_THE_TOWN, FOR_THE_MAFIA = 1.2, 0.4, 0.5
#: The weight of a vote without a word.
WORDLESS: Final = 2.0
#: The same to the mafia, which does not care who is lynched.
FOLLOWS: Final = 0.0
#: What the sole person among bots gets in advance on the first day.
BENEFIT: Final = 0.4


class Beliefs(Mind):
    lines = read_lines(Path(__file__).with_name("lines.txt"))

    @property
    def role(self) -> str:
        return str(self.you["role"])

    @cached_property
    def mafia(self) -> frozenset[int]:
        """The seats of the mafia, if the bot is of it; empty otherwise."""
        return frozenset(no for no, _ in self.you["mafia"] or ())

    @cached_property
    def read(self) -> dict[int, bool]:
        return {no: is_mafia for _, no, is_mafia in self.you["read_files"]}

    @cached_property
    def known(self) -> dict[int, str]:
        """The roles of the dead as far as the bot knows them."""
        shown = {s["no"]: s["role"] for s in self.game["seats"] if s["role"]}
        return {**shown, **dict(self.you["learned"])}

    @cached_property
    def murdered(self) -> frozenset[int]:
        """The seats killed by night, none of them of the mafia."""
        return frozenset(s["no"] for s in self.game["seats"] if s["cause"] == "killed")

    def said_of(self, said: str | None) -> dict[int, bool]:
        """Return whom the bot calls mafia or clears in public, ``said`` included."""
        posts = [{"seat": self.seat, "text": said}] if said else []
        verdicts = {**self.claims.verdicts, **claims_in(posts, self.names).verdicts}
        return {about: is_mafia for (who, about), is_mafia in verdicts.items() if who == self.seat}

    @cached_property
    def dead_sides(self) -> dict[int, bool]:
        """Whether the dead were mafia, as the bot knows, or as the only detective tells."""
        detectives = self.claims.claimants(Role.DETECTIVE)
        verdicts = self.claims.verdicts.items() if len(detectives) == 1 else ()
        told = {about: is_mafia for (who, about), is_mafia in verdicts if who in detectives}
        known = {no: role in MAFIA for no, role in self.known.items()}
        known |= dict.fromkeys(self.murdered, False)
        return {no: side for no, side in {**told, **known}.items() if no not in self.alive}

    @cached_property
    def too_many(self) -> dict[int, str]:
        """The living others who claim a role that more claim than have it, with that role."""
        found: dict[int, str] = {}
        for role in CLAIMED:
            claimants = [no for no in self.claimants(role) if no != self.seat]
            if len(claimants) > self.counts.get(role, 0) - (self.role == role):
                found |= {no: role for no in claimants if no in self.alive and no not in self.known}
        return found

    def claimants(self, role: str) -> list[int]:
        """Return the seats that claim a role, without those known not to have had it."""
        return [no for no in self.claims.claimants(role) if self.known.get(no, role) == role]

    @cached_property
    def lynched(self) -> int | None:
        return (self.game["last_day"] or {}).get("lynched")

    @cached_property
    def sheriffs(self) -> list[int]:
        return self.claimants(Role.SHERIFF)

    @cached_property
    def tally(self) -> dict[int, int]:
        votes = self.votes.items()
        return Counter(int(vote) for no, vote in votes if no != self.seat and vote != NOBODY)

    @cached_property
    def suspicion(self) -> dict[int, float]:
        """The suspicion against each other living seat; mates are never suspected."""
        whim = self.wits.whim
        if self.is_last_chance:
            whim *= UNSURE if len(self.counts) <= FEW_ROLES else SOBER
        scores = {no: whim * self.fancy(no) for no in self.others}
        reasons = self._by_verdicts, self._by_roles, self._by_facts, self._by_votes
        for changes in (found() for found in reasons):
            for no, change in changes.items():
                if no in scores:
                    scores[no] += change
        if self.game["round"] == 1 and self.sole_person in scores:
            scores[self.sole_person] -= BENEFIT
        return {no: score for no, score in scores.items() if no not in self.mafia}

    @cached_property
    def strongest(self) -> list[int]:
        """The living by the strength that all know, then the last to sit down; people by fancy, as
        strong as a bot that all draw alike, so that nobody is singled out.
        """
        bots, match = sorted(self.bots) or [*self.names], self.view["match"]["public_id"]
        rank = {}
        for no, name in self.names.items():
            if no in self.bots:
                rank[no] = wits_of(name).plans, no + 1.0
            else:
                like = Random(f"{match}/{no}/strength").choice(bots)
                rank[no] = wits_of(self.names[like]).plans, self.fancy(no)
        return sorted(self.alive, key=rank.__getitem__, reverse=True)

    @cached_property
    def to_read(self) -> list[int]:
        """The living as all expect a sheriff to read them: by yesterday's votes, then strength."""
        votes = Counter(self.votes_before.values())
        return sorted(self.strongest, key=lambda no: -votes[no])

    @property
    def believes_files(self) -> bool:
        """Whether files mean what they say: a single mafioso's agent forges every night."""
        return Role.AGENT not in self.counts or self.counts[Role.MAFIOSO] > 1

    @property
    def worth(self) -> float:
        """The worth of a file against one that nobody can forge."""
        if Role.AGENT not in self.counts:
            return 1.0
        return FORGEABLE if self.believes_files else DOUBTFUL

    @cached_property
    def forged(self) -> set[int]:
        """Seats whose files it takes for forged; an agent known to be dead forges no more."""
        files, match = self.you["read_files"], self.view["match"]["public_id"]
        died = next((no for no, role in self.known.items() if role == Role.AGENT), None)
        last = self.game["round"] if died is None else self.game["seats"][died]["died_round"]
        read = () if self.believes_files else [no for when, no, _ in files if when <= last]
        return {no for no in read if Random(f"{match}/file/{no}").random() < DOUBTS_FILES}

    @property
    def concluded(self) -> dict[int, bool]:
        """Whether those are mafia whose files it has read, as it concludes."""
        return {no: is_mafia == (no not in self.forged) for no, is_mafia in self.read.items()}

    def told(self, kinds: str, words: Mapping[str, Any]) -> list[str]:
        texts = super().told(kinds, words)
        # Nobody speaks of forged files where nobody forges.
        return texts if Role.AGENT in self.counts else [t for t in texts if "forge" not in t]

    def told_of(self, about: int, more: str = "") -> str:
        kinds = ("washed", "soiled") if about in self.forged else ("clean", "found")
        return kinds[self.read[about]] + more

    @property
    def trust(self) -> float:
        return (0.4 + 0.6 * self.wits.claims) * (DOUBT if len(self.counts) <= FEW_ROLES else 1.0)

    def _by_verdicts(self) -> Mapping[int, float]:
        found: dict[int, float] = {}
        certain = [
            no for no in self.sheriffs if no in self.murdered or self.known.get(no) == Role.SHERIFF
        ]
        believed = certain or self.sheriffs
        weight = self.trust * (VERDICT if len(believed) == 1 else DOUBTED)
        weight *= self.worth
        for (author, about), is_mafia in self.claims.verdicts.items():
            if author not in believed:
                continue
            if about != self.seat:
                found[about] = found.get(about, 0.0) + (weight if is_mafia else -weight)
            elif is_mafia and not self.mafia and self.believes_files:
                # The bot knows better: a lie, or a file that was turned round.
                found[author] = found.get(author, 0.0) + ACCUSED
        return found

    def _by_roles(self) -> Mapping[int, float]:
        found: dict[int, float] = {}
        for role in CLAIMED[1:]:
            claimants = self.claims.claimants(role)
            if len(claimants) == 1:
                found |= dict.fromkeys(claimants, -self.trust * CLAIM)
        return found | dict.fromkeys(self.too_many, self.trust * TOO_MANY)

    def _by_facts(self) -> Mapping[int, float]:
        sure = CERTAIN * self.worth if self.believes_files else CONCLUDED
        found = {no: sure if is_mafia else -sure for no, is_mafia in self.concluded.items()}
        if self.counts[self.role] == 1:
            # Nobody else has the bot's own role.
            found |= {no: CERTAIN for no, role in self.too_many.items() if role == self.role}
        for (who, about), is_mafia in self.claims.verdicts.items():
            if who in self.sheriffs and self.dead_sides.get(about, is_mafia) != is_mafia:
                found[who] = found.get(who, 0.0) + WRONG
        return found

    def _by_votes(self) -> Mapping[int, float]:
        # After quiet nights and days the game may end in a draw: bots must agree.
        late = 2.0 + self.game["quiet_phases"] if self.now.share > 0.9 else 1.0
        weight = late * (FOLLOWS if self.mafia else VOTE)
        found = {no: weight * count for no, count in self.tally.items()}
        for no in self.votes.keys() - self.spoke_today:
            if no in self.bots or self.game["round"] > 1:
                found[no] = found.get(no, 0.0) + WORDLESS
        recalls = self.wits.recalls
        was_mafia = self.lynched is not None and self.dead_sides.get(self.lynched)
        for no, choice in self.votes_before.items():
            change = -FOR_THE_MAFIA if choice == self.lynched else FOR_THE_MAFIA
            change = change if was_mafia else 0.0
            if choice == self.seat or self.dead_sides.get(choice) is False:
                change += FOR_THE_TOWN
            found[no] = found.get(no, 0.0) + recalls * change
            if no in self.murdered and not self.mafia:
                found[choice] = found.get(choice, 0.0) + recalls * LAST_WORD
        return found

    def is_bold(self, probability: float) -> bool:
        """Whether the bot does in this round what it does with a probability."""
        return self.fancy(self.seat) < probability

    @cached_property
    def counts(self) -> dict[str, int]:
        return dict(self.game["roles"])

    @property
    def bluffs(self) -> float:
        """The probability of a false claim; who has no partner has nothing to lose."""
        return self.wits.bluffs * (1.0 if len(self.mafia) > 1 else 20.0)

    @cached_property
    def is_last_chance(self) -> bool:
        """Whether the town may lose by one more mistake, as far as the bot knows."""
        mafia = self.counts[Role.MAFIOSO] + self.counts.get(Role.AGENT, 0)
        dead = sum(role in MAFIA for role in self.known.values())
        return len(self.alive) - 2 <= 2 * (mafia - dead)

    def pressure(self) -> bool:
        own = self.tally.get(self.seat, 0)
        if self.is_last_chance and self.is_bold(self.wits.claims) and self.is_named:
            return True
        least = 1 if Role.AGENT in self.counts else 2
        return own >= max(least, self.game["needed"] - 2) and own >= max(self.tally.values())

    @cached_property
    def is_named(self) -> bool:
        names = tuple(sorted(self.names.items()))
        today = (e for e in self.posts if e["room"] == TOWN and e["at"] >= self.now.began_at)
        return any(
            e["seat"] != self.seat and self.seat in named_in(e["text"], names) for e in today
        )


def claim(known: Beliefs, chance: Random, *, is_asked: bool = False) -> str | None:
    is_asked = is_asked or known.pressure()
    said = None
    if known.mafia:
        said = _bluff(known, chance)
    elif known.role == Role.SHERIFF:
        said = _of_the_sheriff(known, chance, is_asked=is_asked)
    elif known.role == Role.DETECTIVE:
        said = _of_the_detective(known, chance, is_asked=is_asked)
    return said or _countered(known, chance) or _defence(known, chance)


def _of_the_sheriff(known: Beliefs, chance: Random, *, is_asked: bool) -> str | None:
    """Tell the files that were read: unasked one that says mafia, or that saves somebody."""
    has_claimed = known.claims.roles.get(known.seat) == Role.SHERIFF
    told = {about for author, about in known.claims.verdicts if author == known.seat}
    fresh = [no for no in known.read if no in known.others and no not in told]
    in_danger = [no for no in fresh if known.tally.get(no, 0) >= known.game["needed"] - 2]
    is_news = any(known.concluded[no] for no in fresh) or in_danger
    urge = known.wits.claims * (3 if known.is_last_chance and known.believes_files else 1)
    if not fresh or not (has_claimed or is_asked or (is_news and known.is_bold(urge))):
        return None
    about = max(fresh, key=lambda no: (known.concluded[no], no in in_danger))
    kind = known.told_of(about, "_again" * has_claimed)
    return known.statement(kind, chance, name=known.names[about])


def _of_the_detective(known: Beliefs, chance: Random, *, is_asked: bool) -> str | None:
    """Tell the role of the one who was lynched yesterday, where nobody sees it, once."""
    dead = known.lynched
    role = None if dead is None else dict(known.you["learned"]).get(dead)
    if dead is None or role is None or known.game["reveal_on_death"]:
        return None
    has_claimed = known.claims.roles.get(known.seat) == Role.DETECTIVE
    is_urgent = known.is_last_chance and known.is_bold(known.wits.claims)
    if (known.seat, dead) in known.claims.verdicts or not (has_claimed or is_asked or is_urgent):
        return None
    kind = "learned_mafia" if role in MAFIA else "learned_town"
    return known.statement(kind, chance, name=known.names[dead])


def _bluff(known: Beliefs, chance: Random) -> str | None:
    if not known.is_bold(known.bluffs) or known.seat in known.claims.roles:
        return None
    for (author, about), is_mafia in known.claims.verdicts.items():
        is_true = author in known.sheriffs and author not in known.mafia
        if is_mafia and about == known.seat and is_true and author in known.alive:
            words = {"name": known.names[author], "role": "the sheriff"}
            return known.statement("countered countered_and_accused", chance, **words)
    rivals = [no for no in known.sheriffs if no in known.alive]
    if len(known.mafia) == 1 and rivals:
        name = known.names[rivals[0]]
        return known.statement("countered", chance, name=name, role="the sheriff")
    return None


def _countered(known: Beliefs, chance: Random) -> str | None:
    if known.counts[known.role] > 1 or known.seat in known.claims.roles:
        return None
    rivals = [no for no, role in known.too_many.items() if role == known.role]
    if not rivals or not known.is_bold(known.wits.claims):
        return None
    name = known.names[rivals[0]]
    return known.statement("countered", chance, name=name, role=f"the {known.role}")


def _defence(known: Beliefs, chance: Random) -> str | None:
    if not known.pressure() or known.seat in known.claims.roles:
        return None
    return known.statement(f"claims_{claimed_role(known)}", chance)


def claimed_role(known: Beliefs) -> str:
    """Return the role that the bot says to have: what it said before, else its own; the mafia's is
    one with room for another claim.
    """
    own = known.claims.roles.get(known.seat)
    if own is not None or not known.mafia:
        return own or known.role
    if len(known.mafia) > 1 and known.wits.plans < CAREFUL:
        return str(Role.CITIZEN)
    free = [role for role in CLAIMED if len(known.claimants(role)) < known.counts.get(role, 0)]
    order = free[::-1] if known.is_bold(known.bluffs) else free
    return str(next(iter(order), Role.CITIZEN))


def reason(known: Beliefs, choice: int, chance: Random) -> str | None:
    strong = [*_by_claims(known, choice), *_by_contradictions(known, choice)]
    others = [*_by_the_dead(known, choice), *known.reasons(choice)]
    found = [*chance.sample(strong, len(strong)), *chance.sample(others, len(others))]
    return known.reason(found, choice, chance)


def _by_claims(known: Beliefs, choice: int) -> Iterator[Reason]:
    for (author, about), is_mafia in known.claims.verdicts.items():
        if author not in known.sheriffs or author == known.seat:
            continue
        if is_mafia and about == choice:
            yield "by_a_verdict", {"other": known.names[author]}
        if author == choice and is_mafia and known.dead_sides.get(about) is False:
            yield "wrong_file", {"dead": known.names[about]}


def _by_contradictions(known: Beliefs, choice: int) -> Iterator[Reason]:
    role = known.too_many.get(choice)
    if role is None:
        return
    claimants, there = known.claimants(role), known.counts.get(role, 0)
    others = [no for no in claimants if no not in (choice, known.seat)]
    if len(claimants) == 2 and there == 1 and others:
        yield "two_claim", {"other": known.names[others[0]], "role": f"the {role}"}
    elif len(claimants) > there:
        claimed = NUMBERS[min(len(claimants), 9)]
        yield "too_many", {"role": role, "claimed": claimed, "there": NUMBERS[min(there, 9)]}
    elif there == 1:
        yield "not_yours", {"role": f"the {role}"}


def _by_the_dead(known: Beliefs, choice: int) -> Iterator[Reason]:
    """Yield what is true of the votes of yesterday, by the sides that are known."""
    for no in known.murdered:
        if known.votes_before.get(no) == choice:
            yield "avenged", {"dead": known.names[no]}
    dead = known.lynched
    was_mafia = None if dead is None else known.dead_sides.get(dead)
    if dead is None or was_mafia is None or choice not in known.votes_before:
        return
    if was_mafia == (known.votes_before[choice] == dead):
        return
    kind, words = "spared_mafia" if was_mafia else "voted_for_town", {"dead": known.names[dead]}
    if dead in known.known:
        yield kind, words
        return
    teller = known.names[known.claims.claimants(Role.DETECTIVE)[0]]
    if teller != known.names[choice]:
        yield f"told_{kind}", {**words, "other": teller}
