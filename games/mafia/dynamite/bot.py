"""The bot of Dynamite: by day it votes once, mostly for a seat that has votes; by night the bots of
a mafia with points take turns, each against a player only once. Where people are few, bots spare
them at first.
"""

from pathlib import Path
from random import Random
from typing import Final

from games.mafia.common.bot import Actions, Mind, Question, Reply, TownBot, post
from games.mafia.common.bot.lines import read_lines
from games.mafia.common.rules.phases import Stage
from games.mafia.common.rules.rooms import TOWN
from games.mafia.dynamite.rules.phases import EXPLODES_AT
from games.mafia.dynamite.rules.state import PRICE

#: The probability that a mafioso votes for a mate, and that a bot joins other votes.
FOR_A_MATE: Final = 0.05
WITH_OTHERS: Final = 0.8
#: The probability that a mafioso confronts a player when it has the turn and somebody has just
#: died; it grows to 1 with the phases without a death, after which the game is a draw.
BOLD: Final = 0.32
#: The fancy for somebody up to which a bot votes for that player at a request.
OBLIGES: Final = 0.7
#: The probability that a vote comes with a post.
SPEAKS: Final = 0.4


class DynamiteMind(Mind):
    lines = read_lines(Path(__file__).with_name("lines.txt"))

    @property
    def team(self) -> list[int]:
        """The seats of the bot's mafia, its own included; empty in the town."""
        return list(self.you["mates"] or ())

    def held(self, no: int) -> int:
        return sum(choice == no for choice in self.votes.values())

    @property
    def danger(self) -> int:
        """The danger points that the bot admits to: a mafioso those which a townie could have."""
        if not self.team:
            return int(self.you["danger"])
        held = sum(choice == self.seat for choice in self.votes_before.values())
        return min(max(held - 1, 0), EXPLODES_AT - 2)

    def is_spared(self, no: int) -> bool:
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
            kind = "more_votes" if mind.held(choice) else "first_votes"
            said = said or mind.line(kind, chance, name=mind.names[choice])
        return [
            *([post(said)] if said else []),
            {"kind": "vote", "choice": choice},
            {"kind": "done"},
        ]

    def second_thought(self, mind: DynamiteMind, chance: Random) -> Actions:
        said = _plea(mind, chance)
        return [post(said)] if said else []

    def reply(self, mind: DynamiteMind, asked: Question, chance: Random) -> Reply:
        if asked.room != TOWN:
            return _reply_to_mate(mind, asked, chance)
        own, other = mind.votes.get(mind.seat), _named(mind, asked.seat, chance)
        about = other if asked.about is None else asked.about
        kind, shown, acts = _kind(mind, asked, about), about, Actions()
        if kind == "why":
            shown = own if isinstance(own, int) else other
        elif kind == "opinions":
            shown = own if isinstance(own, int) and own != asked.seat else other
        elif kind == "trusts":
            shown = other
        elif kind == "night_death":
            shown = mind.game["last_night"]["died"][-1]
        elif kind == "agrees":
            acts = [{"kind": "vote", "choice": about}, {"kind": "done"}]
        words = {"asker": asked.asker, "name": mind.names[shown], "no": mind.danger}
        return mind.line(kind, chance, **words), acts


def _kind(mind: DynamiteMind, asked: Question, about: int) -> str:
    own, against = mind.votes.get(mind.seat), mind.votes.get(asked.seat) == mind.seat
    night = mind.game["last_night"]
    if asked.kind == "why":
        return "no_vote_yet" if own is None else "why_you" if own == asked.seat else "why"
    if asked.kind == "night":
        return "first_day" if night is None else "night_death" if night["died"] else "night_quiet"
    if asked.kind in ("vote", "clear") and about not in mind.alive:
        return "of_the_dead"
    if asked.kind == "vote":
        is_spared = about in mind.team or "vote" not in mind.you["may"]
        is_hard = mind.fancy(about) > OBLIGES or mind.held(about) >= EXPLODES_AT - 1
        return "agreed_before" if own == about else "refuses" if is_spared or is_hard else "agrees"
    if asked.kind in ("believes", "told"):
        return "believes_not" if against else "believes"
    kinds = {"mafia": "harmless", "claim": "harmless", "danger": "fuse", "clear": "knows_nothing"}
    kinds |= {"trusts": "trusts", "suspects": "opinions"}
    kind = kinds.get(asked.kind, "harmless" if asked.kind == "accused" and not against else None)
    return kind or ("denials" if against else "greetings" if asked.kind == "greets" else "answers")


def _named(mind: DynamiteMind, asker: int, chance: Random) -> int:
    own = mind.votes.get(mind.seat)
    strangers = [no for no in mind.others if no not in mind.team and no != own]
    return chance.choice([no for no in strangers if no != asker] or strangers or mind.others)


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
    danger = mind.held(mind.seat) + (mind.you["danger"] or 0)
    if danger < EXPLODES_AT - 1 or (mind.team and chance.random() > mind.wits.bluffs / 2):
        return None
    return mind.line("pleas", chance) if chance.random() < mind.wits.claims else None


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


def _reply_to_mate(mind: DynamiteMind, asked: Question, chance: Random) -> Reply:
    """Answer in the team's room; by night follow the name that a mate gives, if it can."""
    strangers = _strangers(mind)
    if mind.game["stage"] == Stage.DAY or not strangers:
        return mind.line("team_by_day", chance, asker=asked.asker), []
    free, target = mind.you["points"] - mind.you["reserved"], mind.you["target"]
    may = "confront" in mind.you["may"] and (free >= PRICE or target is not None)
    kind, shown, acts = "team_plans", target, Actions()
    if asked.about in strangers and may:
        kind, shown, acts = (
            "team_agrees",
            asked.about,
            [{"kind": "confront", "target": asked.about}],
        )
    elif target is None:
        shown = chance.choice(strangers)
    return mind.line(kind, chance, asker=asked.asker, name=mind.names[int(shown)]), acts
