"""The bot of Agoran Mafia: everybody votes once a day and may think again when more than half of it
has passed; the mafia spares its own on the first day.
"""

from random import Random
from typing import Final

from games.mafia.agora.bot.answers import answer, answer_to_mate
from games.mafia.agora.bot.beliefs import Beliefs, claim, reason
from games.mafia.agora.rules.roles import Role, Side
from games.mafia.common.bot import DECIDES, Actions, Question, Reply, TownBot, may_decide, post
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.roster import NOBODY

#: The probability that an agent turns a file round in a night with one mafioso; more have more
#: nights, so it is less by this power of their number.
FORGES, SHARED = 0.97, -0.2
#: By role, how probable each next one of those who come into question is, against the one before.
NEXT: Final = {Role.SHERIFF: 0.35, Role.AGENT: 0.35, Role.DOCTOR: 0.22, Role.MAFIOSO: 0.5}
#: The probability that a mafia leaves a sheriff alone at whose door it expects the doctor.
SHY: Final = 0.3
#: The probability that the mafia kills somebody who voted for one of it on the day before.
GRUDGE: Final = 0.8
#: The probability that a mafioso joins the others against a mate: late on the first day, and later.
BETRAYS: Final = 0.08
SACRIFICES: Final = 0.5
LATE_ON_DAY_1: Final = 0.5
#: The probability that a vote comes with a post: in the town; in a mafia less, by its share.
SPEAKS, WARY, WARIER = 0.85, 3.14, 9.0
#: How much more suspect somebody must be for a bot to change its vote.
CONVINCES: Final = 0.4


class AgoraBot(TownBot[Beliefs]):
    mind_of = Beliefs

    def mates(self, mind: Beliefs) -> frozenset[int]:
        return mind.mafia or frozenset({mind.seat})

    def by_night(self, mind: Beliefs, chance: Random) -> Actions:
        mafiosi = {no for no, role in mind.you["mafia"] or () if role == Role.MAFIOSO}
        # The first of the bots chooses for all mafiosi, and tells the people among its mates.
        first = min(mafiosi & {*mind.alive} & {*mind.bots, mind.seat}, default=None)
        follows = mind.seat in mafiosi and mind.seat != first
        if "choose" not in mind.you["may"] or mind.you["target"] is not None or follows:
            return [{"kind": "done"}]
        target = _target(mind, chance)
        acts: Actions = [{"kind": "choose", "target": target}, {"kind": "done"}]
        mates = mind.mafia & set(mind.alive)
        if mind.seat == first and isinstance(target, int) and mates - mind.bots:
            told = mind.line("mafia_tells", chance, name=mind.names[target])
            acts += [post(told, Side.MAFIA)] if told else []
        return acts

    def vote(self, mind: Beliefs, chance: Random) -> Actions:
        said = claim(mind, chance)
        choice = _choice(mind, chance, said)
        if said is None and choice != NOBODY and _speaks(mind, chance):
            name = mind.names[int(choice)]
            against = mind.tally.get(int(choice), 0)
            plain = "joining_votes" if against else "first_votes"
            plain = "deciding_votes" if against + 1 >= mind.game["needed"] else plain
            said = reason(mind, int(choice), chance) or mind.line(plain, chance, name=name)
        return [*([post(said)] if said else []), {"kind": "vote", "choice": choice}]

    def second_thought(self, mind: Beliefs, chance: Random) -> Actions:
        own, said = mind.votes.get(mind.seat), claim(mind, chance)
        choice = _choice(mind, chance, said)
        spoken = [post(said)] if said else []
        if choice in (own, NOBODY) or own in mind.mafia or mind.has_just_spoken:
            return spoken
        gain = mind.suspicion.get(int(choice), 0.0)
        if isinstance(own, int):
            gain -= mind.suspicion.get(own, 0.0)
        is_told = mind.said_of(said).get(int(choice), False)
        if gain < CONVINCES and mind.now.share < 0.9 and not is_told:
            return spoken
        if not spoken and isinstance(own, int) and _speaks(mind, chance):
            names = mind.names
            line = mind.line("changed_votes", chance, name=names[int(choice)], other=names[own])
            spoken = [post(line)] if line else []
        return [*spoken, {"kind": "vote", "choice": choice}]

    def reply(self, mind: Beliefs, asked: Question, chance: Random) -> Reply:
        return (answer if asked.room == TOWN else answer_to_mate)(mind, asked, chance)


def _speaks(known: Beliefs, chance: Random) -> bool:
    share = len(known.mafia) / len(known.names)
    return chance.random() < min(SPEAKS, WARY - WARIER * share if known.mafia else 1.0)


def _choice(known: Beliefs, chance: Random, said: str | None) -> int | str:
    """Return for whom to vote now: the most suspect, but as the bot has said itself."""
    told = known.said_of(said)
    ranked = sorted(
        known.suspicion, key=lambda no: (told.get(no, 0.5), known.suspicion[no]), reverse=True
    )
    needed, is_free = known.game["needed"], may_decide(known)
    mates = [no for no in known.mafia if no in known.tally and no != known.seat]
    is_first = known.game["round"] == 1
    is_late = not is_first or known.now.share > LATE_ON_DAY_1
    if mates and is_late and chance.random() < (BETRAYS if is_first else SACRIFICES):
        leader = max(known.tally, key=known.tally.__getitem__)
        ranked = [leader, *ranked] if leader in mates else ranked
    for no in ranked:
        # Nobody is lynched early without having spoken.
        is_heard = no in known.spoke_today or known.now.share > DECIDES
        if (is_free and is_heard) or known.tally.get(no, 0) + 1 < needed:
            return no
    return NOBODY


def _target(known: Beliefs, chance: Random) -> int | str:
    targets = {
        Role.SHERIFF: _to_read,
        Role.DOCTOR: _to_save,
        Role.MAFIOSO: _to_kill,
        Role.AGENT: _to_turn,
    }
    role = Role(known.role)
    wanted = targets[role](known, chance)
    weights = [NEXT[role] ** place for place in range(len(wanted))]
    return chance.choices(wanted, weights)[0] if wanted else NOBODY


def _to_read(known: Beliefs, chance: Random) -> list[int]:
    return [no for no in known.to_read if no != known.seat and no not in known.read]


def _to_save(known: Beliefs, chance: Random) -> list[int]:
    claimed = [no for no in known.sheriffs if no in known.alive]
    if len(claimed) == 1 and chance.random() < known.wits.plans:
        return claimed
    return known.strongest


def _to_kill(known: Beliefs, chance: Random) -> list[int]:
    """Kill who is dangerous, else a strong one; where few people play, a bot in night 1."""
    strangers = [no for no in known.strongest if no not in known.mafia]
    if known.game["round"] == 1 and known.is_few:
        strangers = [no for no in strangers if no in known.bots] or strangers
    dangerous = [
        no
        for role in (Role.SHERIFF, Role.DOCTOR, Role.DETECTIVE)
        for no in known.claims.claimants(role)
        if no in strangers
    ]
    if dangerous and chance.random() < known.wits.plans * (1 - SHY):
        return dangerous[:1]
    hostile = [no for no in strangers if known.votes_before.get(no) in known.mafia]
    if hostile and chance.random() < GRUDGE:
        return hostile
    return [no for no in strangers if no not in known.sheriffs] or strangers


def _to_turn(known: Beliefs, chance: Random) -> list[int]:
    """Turn a true file; nobody reads the own one."""
    if chance.random() > FORGES * known.counts[Role.MAFIOSO] ** SHARED:
        return []
    turned = [choice for _, choice in known.you["nights"]]
    true_files = [no for no in known.to_read if turned.count(no) % 2 == 0]
    return [no for no in true_files if no not in known.sheriffs]
