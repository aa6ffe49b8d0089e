"""The bot of Dynamite: by day it votes once, mostly for a seat that has votes; by night the bots of
a mafia with points take turns, each against a player only once. Where people are few, bots spare
them at first.
"""

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from games.mafia.common.bot import Actions, Mind, Reply, TownBot, post
from games.mafia.common.bot.hearing import named_in
from games.mafia.common.bot.lines import ANSWERS, DENIALS, FIRST_VOTES, JOINING_VOTES, OPINIONS
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN
from games.mafia.dynamite.rules.phases import EXPLODES_AT
from games.mafia.dynamite.rules.state import PRICE

#: The sentences besides the common ones; they name no team.
FIRST_SHAKES: Final = (
    "{name}, here is one for you.",
    "Hold still, {name}.",
    "I have nothing against {name}, but somebody has to be shaken.",
    "{name} has been very quiet.",
    "Let us see what {name} is made of.",
    "Mind the fuse, {name}.",
    "Does {name} tick, or is that my watch?",
    "A little shake for {name}.",
    "Careful with {name}, but not too careful.",
)
MORE_SHAKES: Final = (
    "Another one for {name}.",
    "{name} again? Very well.",
    "Shake it harder, {name} can take it.",
    "Cover your ears, that is one more for {name}.",
    "If {name} does not blow up, we have learned something.",
    "Stand back from {name}.",
    "All on {name}, then.",
)
#: With two votes or more against the speaker; bots understand them by the word "blow".
PLEAS: Final = (
    "One more vote and I blow up.",
    "Stop it, or I blow up in front of you all.",
    "Please take one back, I am about to blow.",
    "Does anybody want to see me blow up?",
    "You will be sorry when I blow up and was no danger to you.",
)
TEAM_PLANS: Final = (
    "I have {name} in mind, {asker}.",
    "If we have the points, {asker}, {name} is next.",
    "{asker}, what about {name}?",
    "I would try {name} tonight, {asker}.",
)
TEAM_BY_DAY: Final = (
    "Votes for us are points, {asker}, do not fear them.",
    "I put my vote where it looks natural, {asker}.",
    "{asker}, let us keep apart out there.",
    "We look like two strangers, {asker}, keep it so.",
)
TEAM_AGREES: Final = (
    "As you say, {asker}, {name} it is.",
    "{name}, then, {asker}.",
    "Agreed, {asker}: {name} tonight.",
    "I go and see {name}, {asker}.",
)

#: The probability that a mafioso votes for a mate, and that a bot joins other votes.
FOR_A_MATE: Final = 0.05
WITH_OTHERS: Final = 0.8
#: The probability that a mafioso confronts a player when it has the turn and somebody has just
#: died; it grows to 1 with the phases without a death, after which the game is a draw.
BOLD: Final = 0.32
#: The probability that a vote comes with a post.
SPEAKS: Final = 0.4


class DynamiteMind(Mind):
    @property
    def team(self) -> list[int]:
        """The seats of the bot's mafia, its own included; empty in the town."""
        return list(self.you["mates"] or ())

    def held(self, no: int) -> int:
        return sum(choice == no for choice in self.votes.values())

    def is_spared(self, no: int) -> bool:
        """Whether a person among few is in danger on the first day."""
        is_new = self.game["round"] == 1 and self.is_few
        return is_new and no not in self.bots and self.held(no) >= EXPLODES_AT - 1


class DynamiteBot(TownBot[DynamiteMind]):
    mind_of = DynamiteMind

    def mates(self, mind: DynamiteMind) -> frozenset[int]:
        return frozenset(mind.team or [mind.seat])

    def by_night(self, mind: DynamiteMind, chance: Random) -> Actions:
        return [*_confrontation(mind, chance), {"kind": "done"}]

    def vote(self, mind: DynamiteMind, chance: Random) -> Actions:
        choice = _choice(mind, chance)
        said = _plea(mind, chance)
        if said is None and chance.random() < SPEAKS:
            said = mind.reason(mind.reasons(choice), choice, chance)
            said = said or _shake(mind, choice, chance)
        return [
            *([post(said)] if said else []),
            {"kind": "vote", "choice": choice},
            {"kind": "done"},
        ]

    def second_thought(self, mind: DynamiteMind, chance: Random) -> Actions:
        said = _plea(mind, chance)
        return [post(said)] if said else []

    def reply(self, mind: DynamiteMind, asked: Mapping[str, Any], chance: Random) -> Reply:
        asker, own = mind.names[asked["seat"]], mind.votes.get(mind.seat)
        if asked["room"] != TOWN:
            return _reply_to_mate(mind, asked, asker, chance)
        if mind.votes.get(asked["seat"]) == mind.seat:
            return mind.line(DENIALS, chance, asker=asker), []
        if "?" in asked["text"] and isinstance(own, int) and own != asked["seat"]:
            return mind.line(OPINIONS, chance, asker=asker, name=mind.names[own]), []
        return mind.line(ANSWERS, chance, asker=asker), []


def _choice(mind: DynamiteMind, chance: Random) -> int:
    """Return the seat to vote for: often one that today's votes name, or yesterday's."""
    others = [no for no in mind.others if not mind.is_spared(no)] or mind.others
    mates = [no for no in mind.team if no in others]
    if mates and chance.random() < FOR_A_MATE:
        return chance.choice(mates)
    pleading = {each["seat"] for each in mind.posts if "blow" in each["text"]}
    if chance.random() < mind.wits.recalls:
        others = [no for no in others if no not in pleading] or others
    strangers = [no for no in others if no not in mates] or others
    yesterday = mind.game["last_day"]["votes"] if mind.game["last_day"] else ()
    lately = list(mind.votes.values()) or [no for _, no in yesterday]
    named = [int(no) for no in lately if no in strangers]
    if named and chance.random() < WITH_OTHERS:
        return chance.choice(named)
    return chance.choice(strangers)


def _plea(mind: DynamiteMind, chance: Random) -> str | None:
    """Return what a townie in danger says, or a mafioso who bluffs."""
    danger = mind.held(mind.seat) + (mind.you["danger"] or 0)
    if danger < EXPLODES_AT - 1 or (mind.team and chance.random() > mind.wits.bluffs / 2):
        return None
    return mind.line(PLEAS, chance) if chance.random() < mind.wits.claims else None


def _shake(mind: DynamiteMind, choice: int, chance: Random) -> str | None:
    first, more = (*FIRST_SHAKES, *FIRST_VOTES), (*MORE_SHAKES, *JOINING_VOTES)
    return mind.line(more if mind.held(choice) else first, chance, name=mind.names[choice])


def _confrontation(mind: DynamiteMind, chance: Random) -> Actions:
    """Return a confrontation of a player whom the bot has not confronted, or nothing."""
    # Mates take turns, rotated every night: all bots of a wave see the same view, and two of them
    # must not spend the same points.
    you = mind.you
    if "confront" not in you["may"] or you["target"] is not None:
        return []
    busy = {attacker for attacker, _ in you["confrontations"]}
    free = [no for no in mind.alive if no in mind.team and no not in busy]
    turns = (you["points"] - you["reserved"]) // PRICE
    first = mind.game["round"] % len(free)
    if mind.seat not in [free[(first + n) % len(free)] for n in range(min(turns, len(free)))]:
        return []
    targets = _strangers(mind)
    nearness_of_a_draw = mind.game["quiet_phases"] / mind.game["quiet_limit"]
    if not targets or chance.random() >= BOLD + (1 - BOLD) * nearness_of_a_draw:
        return []
    return [{"kind": "confront", "target": chance.choice(targets)}]


def _strangers(mind: DynamiteMind) -> list[int]:
    """Return the seats that the bot may confront; in the first night no person among few."""
    out = {*mind.team, *(target for _, target in mind.you["nights"])}
    targets = [no for no in mind.alive if no not in out]
    if mind.game["round"] == 1 and mind.is_few:
        return [no for no in targets if no in mind.bots]
    return targets


def _reply_to_mate(
    mind: DynamiteMind, asked: Mapping[str, Any], asker: str, chance: Random
) -> Reply:
    """Answer in the team's room; by night follow the last name that a mate gives, if it can."""
    named = named_in(asked["text"], tuple(sorted(mind.names.items())))
    targets = [no for no in named if no in _strangers(mind)]
    if mind.game["stage"] == Stage.DAY:
        return mind.line(TEAM_BY_DAY, chance, asker=asker), []
    free = mind.you["points"] - mind.you["reserved"]
    if targets and "confront" in mind.you["may"] and (free >= PRICE or mind.you["target"]):
        acts: Actions = [{"kind": "confront", "target": targets[-1]}]
        name = mind.names[targets[-1]]
        return mind.line(TEAM_AGREES, chance, asker=asker, name=name), acts
    name = chance.choice([mind.names[no] for no in _strangers(mind)] or [asker])
    return mind.line(TEAM_PLANS, chance, asker=asker, name=name), []
