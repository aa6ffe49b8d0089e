"""The bot of Agoran Mafia: everybody votes once a day and may think again when more than half of it
has passed; the mafia spares its own on the first day.
"""

import re
from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.mafia.agora.bot.beliefs import Beliefs, reason, testimony
from games.mafia.agora.bot.lines import FILE_PLANS, MAFIA_AGREES, MAFIA_BY_DAY, MAFIA_PLANS
from games.mafia.agora.rules.roles import Role
from games.mafia.common.bot import Actions, Reply, TownBot, may_decide, post
from games.mafia.common.bot.hearing import named_in
from games.mafia.common.bot.lines import (
    ANSWERS,
    CHANGED_VOTES,
    DENIALS,
    FIRST_VOTES,
    JOINING_VOTES,
    NOT_YET,
    OPINIONS,
    WHY,
)  # fmt: skip
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN
from games.mafia.common.rules.roster import NOBODY

#: The probability that an agent turns no file round.
IDLE: Final = 0.8
#: The probability that a mafioso joins the others against a mate, after the first day.
SACRIFICES: Final = 0.5
#: How probably several mafiosi cannot agree on a victim, at most, and for the mafia's share of the
#: living; a single one always kills.
QUARRELS_AT_MOST: Final = 0.92
QUARRELS: Final = 2.7
#: The probability that a vote comes with a post.
SPEAKS: Final = 0.5
#: How much more suspect somebody must be for a bot to change its vote.
CONVINCES: Final = 0.4

_ASKS_WHY: Final = re.compile(r"\bwhy\b", re.IGNORECASE)
_ACCUSES: Final = re.compile(
    r"\bmafia\b|\blie|\blying\b|\bsuspect|\bvot\w+ for you\b|\bguilty\b", re.IGNORECASE
)
_ASKS_WHOM: Final = re.compile(r"\bwho(m)?\b|\bthink\b|\btrust\b|\?", re.IGNORECASE)


class AgoraBot(TownBot[Beliefs]):
    mind_of = Beliefs

    def mates(self, mind: Beliefs) -> frozenset[int]:
        return mind.mafia or frozenset({mind.seat})

    def by_night(self, mind: Beliefs, chance: Random) -> Actions:
        if "choose" not in mind.you["may"] or mind.you["target"] is not None:
            return [{"kind": "done"}]
        return [{"kind": "choose", "target": _target(mind, chance)}, {"kind": "done"}]

    def vote(self, mind: Beliefs, chance: Random) -> Actions:
        choice = _choice(mind, chance)
        said = testimony(mind, chance)
        if said is None and choice != NOBODY and chance.random() < SPEAKS:
            name = mind.names[int(choice)]
            plain = JOINING_VOTES if int(choice) in mind.tally else FIRST_VOTES
            said = reason(mind, int(choice), chance) or mind.line(plain, chance, name=name)
        return [*([post(said)] if said else []), {"kind": "vote", "choice": choice}]

    def second_thought(self, mind: Beliefs, chance: Random) -> Actions:
        own, choice = mind.votes.get(mind.seat), _choice(mind, chance)
        said = testimony(mind, chance)
        spoken = [post(said)] if said else []
        if choice in (own, NOBODY):
            return spoken
        gain = mind.suspicion.get(int(choice), 0.0)
        if isinstance(own, int):
            gain -= mind.suspicion.get(own, 0.0)
        if gain < CONVINCES and mind.now.share < 0.9:
            return spoken
        if not spoken and isinstance(own, int) and chance.random() < SPEAKS:
            names = mind.names
            line = mind.line(CHANGED_VOTES, chance, name=names[int(choice)], other=names[own])
            spoken = [post(line)] if line else []
        return [*spoken, {"kind": "vote", "choice": choice}]

    def reply(self, mind: Beliefs, asked: Mapping[str, Any], chance: Random) -> Reply:
        asker = mind.names[asked["seat"]]
        if asked["room"] != TOWN:
            return _reply_to_mate(mind, asked, asker, chance)
        text, own = asked["text"], mind.votes.get(mind.seat)
        suspects = sorted(mind.suspicion, key=mind.suspicion.__getitem__, reverse=True)
        others = [no for no in suspects if no != asked["seat"]]
        name = mind.names[others[0]] if others else asker
        if _ASKS_WHY.search(text) and isinstance(own, int):
            said = reason(mind, own, chance)
            return said or mind.line(WHY, chance, asker=asker, name=mind.names[own]), []
        if _ACCUSES.search(text) or mind.votes.get(asked["seat"]) == mind.seat:
            return testimony(mind, chance) or mind.line(DENIALS, chance, asker=asker), []
        if _ASKS_WHOM.search(text):
            kind = OPINIONS if own is not None else (*OPINIONS, *NOT_YET)
            return mind.line(kind, chance, asker=asker, name=name), []
        return mind.line(ANSWERS, chance, asker=asker), []


def _choice(known: Beliefs, chance: Random) -> int | str:
    """Return the most suspect seat for which the vote may be cast now."""
    ranked = sorted(known.suspicion, key=known.suspicion.__getitem__, reverse=True)
    needed, is_free = known.game["needed"], may_decide(known)
    mates = [no for no in known.mafia if no in known.tally and no != known.seat]
    if known.game["round"] > 1 and mates and chance.random() < SACRIFICES:
        leader = max(known.tally, key=known.tally.__getitem__)
        ranked = [leader, *ranked] if leader in mates else ranked
    for no in ranked:
        if is_free or known.tally.get(no, 0) + 1 < needed:
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
    unread = [no for no in known.others if no not in known.read]
    if unread and chance.random() < known.wits.plans:
        return [max(unread, key=lambda no: known.suspicion.get(no, 0.0))]
    return unread


def _to_save(known: Beliefs, chance: Random) -> list[int]:
    """Save the only sheriff that is known of, else somebody."""
    claimed = [no for no in known.sheriffs if no in known.alive]
    if len(claimed) == 1 and chance.random() < known.wits.plans:
        return claimed
    return known.alive


def _to_kill(known: Beliefs, chance: Random) -> list[int]:
    """Kill who is dangerous; where few people play, a bot in the first night."""
    if _cannot_agree(known):
        return []
    strangers = [no for no in known.alive if no not in known.mafia]
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
    return strangers


def _cannot_agree(known: Beliefs) -> bool:
    """Whether the mafiosi, if there are several, choose nobody tonight; all draw the same."""
    mafiosi = [no for no, role in known.you["mafia"] if role == Role.MAFIOSO and no in known.alive]
    share = len([no for no in known.mafia if no in known.alive]) / len(known.alive)
    drawn = Random(f"{known.view['match']['public_id']}/{known.game['phase']}/quarrel").random()
    return len(mafiosi) > 1 and drawn < min(QUARRELS_AT_MOST, QUARRELS * share)


def _to_turn(known: Beliefs, chance: Random) -> list[int]:
    """Turn round a file of the mafia that says mafia, as far as the agent's own choices tell."""
    if chance.random() < IDLE:
        return []
    turned = [choice for _, choice in known.you["nights"]]
    return [no for no in known.alive if no in known.mafia and turned.count(no) % 2 == 0]


def _reply_to_mate(known: Beliefs, asked: Mapping[str, Any], asker: str, chance: Random) -> Reply:
    """Answer in the mafia's room; by night a mafioso follows the last name that a mate gives."""
    named = named_in(asked["text"], tuple(sorted(known.names.items())))
    victims = [no for no in named if no in known.alive and no not in known.mafia]
    suspects = sorted(known.suspicion, key=known.suspicion.__getitem__, reverse=True)
    name = known.names[suspects[0]] if suspects else asker
    if known.game["stage"] == Stage.DAY:
        return known.line(MAFIA_BY_DAY, chance, asker=asker, name=name), []
    if known.role == Role.AGENT:
        return known.line(FILE_PLANS, chance, asker=asker), []
    if victims:
        name, target = known.names[victims[-1]], victims[-1]
        acts: Actions = [{"kind": "choose", "target": target}]
        return known.line(MAFIA_AGREES, chance, asker=asker, name=name), acts
    target = known.you["target"]
    if isinstance(target, int):
        name = known.names[target]
    return known.line(MAFIA_PLANS, chance, asker=asker, name=name), []
