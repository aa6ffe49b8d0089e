"""The bot of Agoran Mafia: everybody votes once a day and may think again when more than half of it
has passed; the mafia spares its own on the first day.
"""

from collections import Counter
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
FORGES, SHARED = 0.84, -0.6
#: The probability at least that a sheriff reads whom all expect it to read.
READS: Final = 0.85
#: The mafia kills one of this number of the strongest, and the doctor saves one of them.
STRONG: Final = 2
#: The probability that a mafioso joins the others against a mate: late on the first day, and later.
BETRAYS: Final = 0.08
SACRIFICES: Final = 0.5
#: How probably several mafiosi cannot agree on a victim, at most, and for the mafia's share of the
#: living; a single one always kills.
QUARRELS_AT_MOST: Final = 0.86
QUARRELS: Final = 2.7
LATE_ON_DAY_1: Final = 0.5
#: The probability that a vote comes with a post.
SPEAKS: Final = 0.8
#: How much more suspect somebody must be for a bot to change its vote.
CONVINCES: Final = 0.4


class AgoraBot(TownBot[Beliefs]):
    mind_of = Beliefs

    def mates(self, mind: Beliefs) -> frozenset[int]:
        return mind.mafia or frozenset({mind.seat})

    def by_night(self, mind: Beliefs, chance: Random) -> Actions:
        if "choose" not in mind.you["may"] or mind.you["target"] is not None:
            return [{"kind": "done"}]
        target = _target(mind, chance)
        acts: Actions = [{"kind": "choose", "target": target}, {"kind": "done"}]
        mates = mind.mafia & set(mind.alive)
        agents = {no for no, role in mind.you["mafia"] or () if role == Role.AGENT}
        # The first bot with a victim tells the people among its mates.
        first = min((no for no in mates & mind.bots if no not in agents), default=None)
        if mind.seat == first and isinstance(target, int) and mates - mind.bots:
            told = mind.line("mafia_tells", chance, name=mind.names[target])
            acts += [post(told, Side.MAFIA)] if told else []
        return acts

    def vote(self, mind: Beliefs, chance: Random) -> Actions:
        choice = _choice(mind, chance)
        said = claim(mind, chance)
        if said is None and choice != NOBODY and chance.random() < SPEAKS:
            name = mind.names[int(choice)]
            against = mind.tally.get(int(choice), 0)
            plain = "joining_votes" if against else "first_votes"
            plain = "deciding_votes" if against + 1 >= mind.game["needed"] else plain
            said = reason(mind, int(choice), chance) or mind.line(plain, chance, name=name)
        return [*([post(said)] if said else []), {"kind": "vote", "choice": choice}]

    def second_thought(self, mind: Beliefs, chance: Random) -> Actions:
        own, choice = mind.votes.get(mind.seat), _choice(mind, chance)
        said = claim(mind, chance)
        spoken = [post(said)] if said else []
        if choice in (own, NOBODY) or own in mind.mafia or mind.has_just_spoken:
            return spoken
        gain = mind.suspicion.get(int(choice), 0.0)
        if isinstance(own, int):
            gain -= mind.suspicion.get(own, 0.0)
        if gain < CONVINCES and mind.now.share < 0.9:
            return spoken
        if not spoken and isinstance(own, int) and chance.random() < SPEAKS:
            names = mind.names
            line = mind.line("changed_votes", chance, name=names[int(choice)], other=names[own])
            spoken = [post(line)] if line else []
        return [*spoken, {"kind": "vote", "choice": choice}]

    def reply(self, mind: Beliefs, asked: Question, chance: Random) -> Reply:
        return (answer if asked.room == TOWN else answer_to_mate)(mind, asked, chance)


def _choice(known: Beliefs, chance: Random) -> int | str:
    """Return the most suspect seat for which the vote may be cast now."""
    ranked = sorted(known.suspicion, key=known.suspicion.__getitem__, reverse=True)
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
    wanted = targets[Role(known.role)](known, chance)
    return chance.choice(wanted) if wanted else NOBODY


def _to_read(known: Beliefs, chance: Random) -> list[int]:
    unread = [no for no in known.to_read if no != known.seat and no not in known.read]
    return unread[:1] if chance.random() < max(READS, known.wits.plans) else unread


def _to_save(known: Beliefs, chance: Random) -> list[int]:
    claimed = [no for no in known.sheriffs if no in known.alive]
    if len(claimed) == 1 and chance.random() < known.wits.plans:
        return claimed
    return known.strongest[:STRONG]


def _to_kill(known: Beliefs, chance: Random) -> list[int]:
    """Kill who is dangerous, else a strong one; where few people play, a bot in night 1."""
    if _cannot_agree(known):
        return []
    strangers = [no for no in known.strongest if no not in known.mafia]
    if known.game["round"] == 1 and known.is_few:
        strangers = [no for no in strangers if no in known.bots] or strangers
    dangerous = [
        no
        for role in (Role.SHERIFF, Role.DOCTOR, Role.DETECTIVE)
        for no in known.claims.claimants(role)
        if no in strangers
    ]
    if dangerous and chance.random() < known.wits.plans:
        return dangerous[:1]
    return strangers[:STRONG]


def _cannot_agree(known: Beliefs) -> bool:
    """Whether the mafiosi, if there are several, choose nobody tonight; all draw the same."""
    mafiosi = [no for no, role in known.you["mafia"] if role == Role.MAFIOSO and no in known.alive]
    share = len([no for no in known.mafia if no in known.alive]) / len(known.alive)
    drawn = Random(f"{known.view['match']['public_id']}/{known.game['phase']}/quarrel").random()
    return len(mafiosi) > 1 and drawn < min(QUARRELS_AT_MOST, QUARRELS * share)


def _to_turn(known: Beliefs, chance: Random) -> list[int]:
    """Turn the true file that the sheriff will most probably read, of all who may be it."""
    if chance.random() > FORGES * known.counts[Role.MAFIOSO] ** SHARED:
        return []
    turned = [choice for _, choice in known.you["nights"]]
    true_files = [no for no in known.to_read if turned.count(no) % 2 == 0]
    strangers = [no for no in known.alive if no not in known.mafia]
    sheriffs = [no for no in known.sheriffs if no in strangers] or strangers
    expected = Counter(next((no for no in true_files if no != each), None) for each in sheriffs)
    return sorted(true_files, key=lambda no: (expected[no], no in known.mafia))[-1:]
