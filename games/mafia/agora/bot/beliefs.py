"""The suspicions of a bot of Agoran Mafia, by claims, facts, votes and fancy, and its claims."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from random import Random
from typing import Final

from games.mafia.agora.bot.lines import (
    BY_A_VERDICT,
    CLEAN,
    CLEAN_AGAIN,
    COUNTERED,
    COUNTERED_AND_ACCUSED,
    DEFENCES,
    FOUND,
    FOUND_AGAIN,
    LEARNED_MAFIA,
    LEARNED_TOWN,
    SPARED_MAFIA,
    TWO_STARS,
    VOTED_FOR_TOWN,
)
from games.mafia.agora.rules.roles import MAFIA, Role
from games.mafia.common.bot import Mind, Reason
from games.mafia.common.rules.roster import NOBODY

#: The weight of a verdict by the only sheriff, of one among several, and of a certain fact.
VERDICT, DOUBTED, CERTAIN = 3.0, 1.2, 6.0
#: The weight of a verdict against the bot itself.
ACCUSED: Final = 1.7
#: The weight of the claim of a role that nobody else claims.
CLAIM: Final = 3.0
#: The weight of a role that more claim than have it.
TOO_MANY: Final = 1.5
#: How much less a bot follows its fancy when one more mistake may lose the game.
SOBER: Final = 0.15
#: Where so few roles are dealt, claims would decide everything: bots doubt them.
FEW_ROLES: Final = 4
UNSURE: Final = 1.5
#: The weight of a standing vote for somebody: bots must agree to lynch.
VOTE: Final = 0.45
#: What the sole person among bots gets in advance on the first day.
BENEFIT: Final = 0.4


class Beliefs(Mind):
    @property
    def role(self) -> str:
        return str(self.you["role"])

    @cached_property
    def mafia(self) -> frozenset[int]:
        """The seats of the mafia, if the bot is of it; empty otherwise."""
        return frozenset(no for no, _ in self.you["mafia"] or ())

    @cached_property
    def read(self) -> dict[int, bool]:
        """The last reading of each file, if the bot is the sheriff."""
        return {no: is_mafia for _, no, is_mafia in self.you["read_files"]}

    @cached_property
    def known(self) -> dict[int, str]:
        """The roles of the dead as far as the bot knows them."""
        shown = {s["no"]: s["role"] for s in self.game["seats"] if s["role"]}
        return {**shown, **dict(self.you["learned"])}

    @cached_property
    def lynched(self) -> int | None:
        """The seat that was lynched on the last day."""
        return (self.game["last_day"] or {}).get("lynched")

    @cached_property
    def sheriffs(self) -> list[int]:
        """The seats that claim to be the sheriff, without those known not to have been."""
        claimed = self.claims.claimants(Role.SHERIFF)
        return [no for no in claimed if self.known.get(no, Role.SHERIFF) == Role.SHERIFF]

    @cached_property
    def tally(self) -> dict[int, int]:
        """The number of votes for each seat, the bot's own left out."""
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

    @property
    def trust(self) -> float:
        """The share of belief in what is claimed, from 0 to 1."""
        return 0.4 + 0.6 * self.wits.claims

    def _by_verdicts(self) -> Mapping[int, float]:
        found: dict[int, float] = {}
        certain = [no for no in self.sheriffs if self.known.get(no) == Role.SHERIFF]
        believed = certain or self.sheriffs
        weight = VERDICT if len(believed) == 1 else DOUBTED
        for (author, about), is_mafia in self.claims.verdicts.items():
            if author not in believed:
                continue
            if about != self.seat:
                change = self.trust * (weight if is_mafia else -weight)
                found[about] = found.get(about, 0.0) + change
            elif is_mafia and not self.mafia:
                # The bot knows better: a lie, or a file that was turned round.
                found[author] = found.get(author, 0.0) + ACCUSED
        return found

    def _by_roles(self) -> Mapping[int, float]:
        found: dict[int, float] = {}
        weight = CLAIM / 3 if len(self.counts) <= FEW_ROLES else CLAIM
        for role in (Role.SHERIFF, Role.DOCTOR, Role.DETECTIVE):
            claimants = self.claims.claimants(role)
            change = -weight if len(claimants) == 1 else CLAIM / 2
            found |= dict.fromkeys(claimants, self.trust * change)
        plain = self.claims.claimants(Role.CITIZEN)
        if len(plain) > self.counts.get(Role.CITIZEN, 0):
            found |= dict.fromkeys(plain, self.trust * TOO_MANY)
        return found

    def _by_facts(self) -> Mapping[int, float]:
        found = {no: CERTAIN if is_mafia else -CERTAIN for no, is_mafia in self.read.items()}
        if self.role == Role.SHERIFF:
            found |= {no: CERTAIN for no in self.sheriffs if no != self.seat}
        return found

    def _by_votes(self) -> Mapping[int, float]:
        late = 2.0 if self.now.share > 0.9 else 1.0
        found = {no: VOTE * late * count for no, count in self.tally.items()}
        role = self.known.get(self.lynched) if self.lynched is not None else None
        for no, choice in self.votes_before.items():
            was_for = choice == self.lynched
            if role is not None and role in MAFIA:
                change = -0.5 if was_for else 0.5
            else:
                change = 0.4 if role is not None and was_for else 0.0
            change += 0.4 if choice == self.seat else 0.0
            found[no] = found.get(no, 0.0) + self.wits.recalls * change
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
        """Whether the bot is close to being lynched."""
        own = self.tally.get(self.seat, 0)
        return own >= max(2, self.game["needed"] - 2) and own >= max(self.tally.values())


def testimony(known: Beliefs, chance: Random) -> str | None:
    """Return a claim that the bot makes now, if it has one to make."""
    said = None
    if known.mafia:
        said = _bluff(known, chance)
    elif known.role == Role.SHERIFF:
        said = _of_the_sheriff(known, chance)
    elif known.role == Role.DETECTIVE:
        said = _of_the_detective(known, chance)
    return said or _defence(known, chance)


def _of_the_sheriff(known: Beliefs, chance: Random) -> str | None:
    """Tell the files that were read, and answer a false claim."""
    has_claimed = known.claims.roles.get(known.seat) == Role.SHERIFF
    rivals = [no for no in known.sheriffs if no != known.seat and no in known.alive]
    urge = known.wits.claims * (3 if known.is_last_chance else 1)
    if not has_claimed and not known.is_bold(urge) and not known.pressure():
        return None
    if not has_claimed and rivals:
        return known.statement(COUNTERED, chance, name=known.names[rivals[0]])
    told = {about for author, about in known.claims.verdicts if author == known.seat}
    fresh = [no for no in known.read if no in known.others and no not in told]
    if not fresh:
        return None
    about = max(fresh, key=lambda no: known.read[no])
    first, again = (FOUND, FOUND_AGAIN) if known.read[about] else (CLEAN, CLEAN_AGAIN)
    return known.statement(again if has_claimed else first, chance, name=known.names[about])


def _of_the_detective(known: Beliefs, chance: Random) -> str | None:
    """Tell the role of the one who was lynched yesterday, where nobody sees it."""
    dead = known.lynched
    role = dict(known.you["learned"]).get(dead)
    if role is None or known.game["reveal_on_death"] or chance.random() > known.wits.claims / 2:
        return None
    kind = LEARNED_MAFIA if role in MAFIA else LEARNED_TOWN
    return known.statement(kind, chance, name=known.names[dead])  # type: ignore[index]


def _bluff(known: Beliefs, chance: Random) -> str | None:
    """Accused by a sheriff, or with a mate who is, claim the star and accuse that sheriff."""
    if not known.is_bold(known.bluffs) or known.seat in known.claims.roles:
        return None
    for (author, about), is_mafia in known.claims.verdicts.items():
        is_true = author in known.sheriffs and author not in known.mafia
        if is_mafia and about == known.seat and is_true and author in known.alive:
            texts = (*COUNTERED, *COUNTERED_AND_ACCUSED)
            return known.statement(texts, chance, name=known.names[author])
    rivals = [no for no in known.sheriffs if no in known.alive]
    if len(known.mafia) == 1 and rivals:
        return known.statement(COUNTERED, chance, name=known.names[rivals[0]])
    return None


def _defence(known: Beliefs, chance: Random) -> str | None:
    """Say in danger what one is; the mafia says something else."""
    is_asked = known.pressure() or (known.is_last_chance and known.is_bold(3 * known.wits.claims))
    if not is_asked or known.seat in known.claims.roles:
        return None
    role = known.role if known.role in DEFENCES else str(Role.CITIZEN)
    if known.mafia and known.is_bold(known.bluffs):
        role = chance.choice([role for role in DEFENCES if known.counts.get(role, 0)])
    return known.statement(DEFENCES[role], chance)


def reason(known: Beliefs, choice: int, chance: Random) -> str | None:
    """Return a fact for a vote that was not told yet, if there is one."""
    found = [*_by_claims(known, choice), *_by_the_dead(known, choice), *known.reasons(choice)]
    chance.shuffle(found)
    return known.reason(found, choice, chance)


def _by_claims(known: Beliefs, choice: int) -> Iterator[Reason]:
    for (author, about), is_mafia in known.claims.verdicts.items():
        if is_mafia and about == choice and author in known.sheriffs and author != known.seat:
            yield BY_A_VERDICT, {"other": author}
    rivals = [no for no in known.sheriffs if no in known.alive]
    if len(rivals) > 1 and choice in rivals:
        yield TWO_STARS, {}


def _by_the_dead(known: Beliefs, choice: int) -> Iterator[Reason]:
    """Yield what is true of the vote for who was lynched yesterday, if the role is known."""
    dead = known.lynched
    role = None if dead is None else known.known.get(dead)
    if dead is None or role is None or choice not in known.votes_before:
        return
    before = known.votes_before[choice]
    if role in MAFIA and before != dead:
        yield SPARED_MAFIA, {"dead": dead}
    if role not in MAFIA and before == dead:
        yield VOTED_FOR_TOWN, {"dead": dead}
