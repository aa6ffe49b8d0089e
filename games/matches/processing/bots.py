"""Bots: users who sit down on request, and the points that others may win from them."""

import json
import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from operator import itemgetter
from typing import Any, Final

from django.conf import settings
from django.db.models import Count, Q, Sum
from django.utils.module_loading import import_string

from accounts.models import User
from accounts.services import create_bot
from economy.selectors import balance_of, setting
from games import registry
from games.contract import TableGame, TimedBots
from games.engine.draws import MOST as MOST_DRAWN
from games.engine.draws import draw_below
from games.engine.errors import IllegalAction
from games.engine.facts import Instant, SeatNo, Told, Viewer, as_datetime, instant
from games.engine.protocols import Result
from games.engine.structs import canonical
from games.engine.table import RUNNING
from games.engine.table.state import offered_purse
from games.matches.journal.loading import standing_of
from games.matches.journal.reading import find_facts
from games.matches.journal.snapshots import Snapshot
from games.matches.journal.story import POSTED
from games.matches.models import Match, Seat
from games.matches.processing.locked_match import LockedMatch
from games.matches.processing.submissions import Submission
from games.matches.queries import ratings, selectors
from games.matches.queries.losses import Purses, midnight_before, purses_in_play, stakes_with

_chance = random.SystemRandom()
#: The site has the first ``HOUSE_BOTS`` of them; a game may define more of each, such as a
#: temperament.
BOT_NAMES: Final = (
    "Lefty_Malone", "Quiet_Sal", "Nickels_Novak", "Aunt_Carmela", "Two-Coat_Eddie", "Sister_Agnes",
    "Bookkeeper_Bo", "Ma_Ricotta", "Dice_Delvecchio", "Lucky_Lorraine", "Long-Shot_Louie",
    "Ruby_Diamante", "Knuckles_McGraw", "Big_Theodora", "Crowbar_Kowalski", "Tiny_the_Door",
    "Penny_Pincher", "Doc_Hollow", "Seven_Come_Sal", "Iron_Fist_Ivan", "Gentle_Giuseppe",
    "Steady_Freddie", "Jackpot_Jill", "Rhino_Ramirez", "Nonna_Bianchi", "Clara_Clockwork",
    "Wild_Card_Wanda", "Bull_Brannigan", "Slow_Hand_Stan", "Mister_Umber", "Double_Down_Dan",
    "Hatpin_Hattie", "Professor_Plume", "Irma_Ironside", "Roulette_Rita", "Sledge_Sullivan",
    "Sober_Stella", "Plain_Jane_Doyle", "Chancy_Chauncey", "Mad_Dog_Mabel",
)  # fmt: skip


def bot_actions(match: Match, now: datetime) -> list[Submission]:
    """Return the actions of every bot that acts at this match now."""
    snapshot = selectors.snapshot_of(match)
    bot = snapshot.game.bot
    if isinstance(bot, TimedBots):
        acts = _wave(bot, snapshot, instant(now))
    else:
        pending = snapshot.table.rules.pending_seats(snapshot.state.play)
        bots = [seat for seat in pending if snapshot.sitters[seat].bot]
        acts = [(seat, act) for seat in bots for act in choose(_view_of(snapshot, seat))]
    return [
        Submission(
            match_id=match.id,
            action=action,
            action_id=f"bot-{snapshot.match.action_count}-{seat}-{number}",
            actor_id=snapshot.sitters[seat].user_id,
            phase=snapshot.match.phase,
        )
        for number, (seat, action) in enumerate(acts)
    ]


def _view_of(snapshot: Snapshot, seat: int) -> dict[str, Any]:
    view = selectors.match_view(snapshot, seat)
    if view["game"] is None or not reads(snapshot.game, snapshot.sitters[seat].name):
        return view
    battles = find_facts([snapshot.match.pk], snapshot.game.battles, is_live=True)
    prior = snapshot.seats[seat].prior
    return {
        **view,
        "history": [fact.data for _, fact in battles],
        "prior": json.loads(prior) if prior else {},
    }


def note_priors(locked: LockedMatch) -> None:
    """Store what bots know from before, so that they play on alike after a restart."""
    for seat in locked.state.taken:
        name = locked.seating.names[seat.no]
        if seat.bot and reads(locked.game, name):
            known = prior_of(locked.game, name, people_at(locked))
            locked.change_seat(seat.no, prior=canonical(known) if known else None)


def prior_of(game: TableGame, name: str, people: Collection[int]) -> Mapping[str, Any]:
    """Return what a bot knows from before about these people; see ``TableGame.prior``."""
    found: Mapping[str, Any] = import_string(game.prior)(name, people) if game.prior else {}
    return found


def reads(game: TableGame, name: str) -> bool:
    """Whether a bot plays by earlier throws, and so never for points."""
    return name in game.bot.cast and game.bot.cast[name].reads


def _wave(bot: TimedBots, snapshot: Snapshot, at: Instant) -> list[tuple[int, dict[str, Any]]]:
    rooms = import_string(registry.HEARING)(snapshot.match)

    def view_of(seat: int) -> dict[str, Any]:
        readable = snapshot.table.rooms(snapshot.state, Viewer(SeatNo(seat)))
        heard = [
            asdict(post)
            for name, room in readable.items()
            for post in rooms.get(name, ())
            if room.reads_to is None or post.no <= room.reads_to
        ]
        heard.sort(key=itemgetter("at"))
        return {**selectors.match_view(snapshot, seat), "at": at, "posts": heard}

    seats = [seat.no for seat in snapshot.state.seats if seat.bot]
    return bot.wave(seats, view_of, _chance)


def choose(view: Mapping[str, Any], chance: random.Random = _chance) -> list[dict[str, Any]]:
    """Return a bot's actions at its table view, in wire form and in order."""
    if "ready" in view["you"]["may"]:
        return [{"kind": "ready", "configuration": view["match"]["options_revision"]}]
    if view["game"] is None or view["game"]["you"] is None:
        return []
    return registry.table(view["match"]["game"]).bot.choose(view, chance)


def wake(locked: LockedMatch, facts: Sequence[Told]) -> None:
    """Schedule the next bot that has a decision, after its thinking time."""
    match, play = locked.match, locked.state.play
    if locked.state.stage != RUNNING or not any(seat.bot for seat in locked.state.seats):
        match.bot_at = None
        return
    bot = locked.game.bot
    if isinstance(bot, TimedBots):
        match.bot_at = _next_look(bot, locked, facts)
        return
    pending = (s for s in locked.table.rules.pending_seats(play) if locked.state.seats[s].bot)
    deciding = next((seat for seat in pending if bot.has_decision(play, seat)), None)
    if deciding is None:
        match.bot_at = None
    elif match.bot_at is None or match.bot_at <= locked.now:
        drawn = draw_below(match.seed, f"think/{match.action_count}", MOST_DRAWN)
        thinking = bot.think_milliseconds(play, SeatNo(deciding), random.Random(drawn))
        match.bot_at = as_datetime(Instant(locked.at + thinking))


def _next_look(bot: TimedBots, locked: LockedMatch, facts: Sequence[Told]) -> datetime | None:
    """Return when the bots look next: at a moment of their own, or after a post."""
    seats = {seat.no for seat in locked.state.seats if seat.bot}
    looks = [bot.next_look(locked.state.play, frozenset(seats), locked.at)]
    # After a bot's post another bot may still have to answer the same person.
    rooms = {fact.data["room"] for fact in facts if fact.kind == POSTED}
    looks += [Instant(locked.at + bot.answers_after(room)) for room in rooms]
    planned = locked.match.bot_at
    if planned is not None and planned > locked.now and not locked.has_new_phase:
        # An answer may be due, which the state does not show.
        looks.append(instant(planned))
    return min((as_datetime(look) for look in looks if look is not None), default=None)


def look_later(match: Match, now: datetime) -> None:
    """Move the next look of bots that have nothing to do now; it leaves no entry."""
    snapshot = selectors.snapshot_of(match)
    bot = snapshot.game.bot
    if not isinstance(bot, TimedBots):
        return
    seats = frozenset(seat.no for seat in snapshot.state.seats if seat.bot)
    look = bot.next_look(snapshot.state.play, seats, instant(now))
    bot_at = None if look is None else as_datetime(look)
    wake_at = min((at for at in (bot_at, match.due_at) if at is not None), default=None)
    rows = Match.objects.filter(pk=match.id, bot_at=match.bot_at, phase=match.phase)
    if rows.update(bot_at=bot_at, wake_at=wake_at):
        # This process has the row cached, which no entry makes stale.
        match.bot_at, match.wake_at = bot_at, wake_at


def ensure_bots() -> None:
    wanted = BOT_NAMES[: settings.HOUSE_BOTS]
    there = set(User.objects.filter(username__in=wanted).values_list("username", flat=True))
    for name in wanted:
        if name not in there:
            create_bot(name=name)


#: Asked for in place of a bot's name: the one with which a user is nearest to even.
LIKE_ME: Final = "like_me"
LEAST_GAMES: Final = 3


def suited(free: Sequence[User], caller: Submission) -> User | None:
    """Return the bot for a request: the named one, else one of suitable strength that may play for
    points.
    """
    wanted = caller.action.get("bot")
    if wanted not in (None, LIKE_ME):
        return next((bot for bot in free if bot.username == wanted), None)
    match = Match.objects.only("game", "is_staked").get(pk=caller.match_id)
    game = registry.table(match.game)
    fit = [bot for bot in free if not (match.is_staked and reads(game, bot.username))]
    if wanted and (found := _like(fit, caller.actor_id, game)):
        return found
    free, cast = [bot for bot in free if not reads(game, bot.username)], game.bot.cast
    won = Seat.objects.filter(user=caller.actor_id, match__game=game.slug, result=Result.WON)
    # A user without a win in this game meets one of the mildest.
    strength = "easy" if cast and not won.exists() else "normal"
    return next(
        (bot for bot in free if bot.username in cast and cast[bot.username].strength == strength),
        next(iter(free), None),
    )


def _like(free: Sequence[User], user_id: int | None, game: TableGame) -> User | None:
    """Return the bot of the cast against which a user's share of won games is nearest to half, of
    those with three decided games or more; None without one.
    """
    mine = Seat.objects.filter(user=user_id, match__game=game.slug).exclude(result="")
    met = mine.filter(match__seats__user__in=[bot for bot in free if bot.username in game.bot.cast])
    rows = met.values_list("match__seats__user").annotate(
        won=Count("pk", filter=Q(result=Result.WON)), lost=Count("pk", filter=Q(result=Result.LOST))
    )
    share = {
        user: abs(won / (won + lost) - 0.5) for user, won, lost in rows if won + lost >= LEAST_GAMES
    }
    return min(
        (bot for bot in free if bot.pk in share), key=lambda bot: share[bot.pk], default=None
    )


def free_bots() -> list[User]:
    """Return the bots, those at the fewest live tables first, otherwise in any order."""
    live = Q(seats__match__status__in=Match.LIVE)
    bots = User.objects.filter(is_bot=True, is_active=True)
    return list(bots.alias(tables=Count("seats", filter=live)).order_by("tables", "?"))


class BotLimit(IllegalAction):
    """With bots at the table the purse is limited to today's remaining winnings; detail: most."""

    code = "action/bot_limit"


class BotRoom:
    """The points that users may still win from bots today, as one batch knows it."""

    def __init__(self) -> None:
        self._begun: list[Purses] = []

    def left(self, user_id: int, at: datetime) -> int:
        """Return a user's points; those at stake in running games count as won."""
        games = [*purses_in_play([user_id]), *self._begun]
        others = {other for purses in games if user_id in purses for other in purses}
        bots = set(User.objects.filter(pk__in=others, is_bot=True).values_list("pk", flat=True))
        taken = won_from_bots(user_id, at) + stakes_with(user_id, bots, games)
        return max(0, setting("bots.daily_win_limit") - taken)

    def begun(self, locked: LockedMatch) -> None:
        self._begun.append(purses_of(locked))

    def require(self, locked: LockedMatch, user_id: int, purse: int) -> None:
        """Refuse a purse that is too large among the bots of a table; raises BotLimit."""
        if not is_staked(locked) or not any(seat.bot for seat in locked.state.taken):
            return
        left, least = self.left(user_id, locked.now), least_purse(locked)
        # With other people here the least purse passes: then the bots leave at the start.
        if purse > left and (left >= least or not people_at(locked, besides=user_id)):
            raise bot_limit(left, least)

    def offered(self, locked: LockedMatch, user_id: int, purse: int) -> int:
        if not is_staked(locked) or not any(seat.bot for seat in locked.state.taken):
            return purse
        left = self.left(user_id, locked.now)
        return min(purse, left) if left >= least_purse(locked) else purse

    def passed_by(self, locked: LockedMatch) -> dict[int, int]:
        """Return user -> points left, for people here whose purse exceeds them."""
        if not is_staked(locked):
            return {}
        purses = purses_of(locked)
        left = {user_id: self.left(user_id, locked.now) for user_id in people_at(locked)}
        return {user_id: most for user_id, most in left.items() if purses[user_id] > most}


def purse_among_bots(match: Match, user_id: int, at: datetime) -> int:
    """Return the offered purse at an open table to which bots will be added."""
    cached = standing_of(match)
    limits = cached.table.rules.purse_limits(cached.state.options)
    purse, left = offered_purse(limits, balance_of(user_id)), BotRoom().left(user_id, at)
    return min(purse, left) if left >= limits[0] else purse


def is_staked(locked: LockedMatch) -> bool:
    return ratings.is_staked(locked.table.rules, locked.state)


def least_purse(locked: LockedMatch) -> int:
    return int(locked.table.rules.purse_limits(locked.state.options)[0])


def purses_of(locked: LockedMatch) -> Purses:
    return {locked.seating.users[seat.no]: int(seat.purse) for seat in locked.state.taken}


def people_at(locked: LockedMatch, besides: int | None = None) -> Collection[int]:
    """Return the ids of the people who sit here, bots left out."""
    return [
        seat.user_id
        for seat in locked.seats.values()
        if not seat.user.is_bot and seat.user_id != besides
    ]


def bot_limit(left: int, least: int, name: str | None = None) -> BotLimit:
    """Build the refusal; ``name``: the user it is about, None for the one who asked."""
    who, have = ("you", "have") if name is None else (name, "has")
    if not left:
        why = f"{who} {have} won from bots, or at stake, all that they may lose to one today"
    elif left < least:
        why = f"{who} may win {left} points of bots today, which is less than one brings here"
    else:
        why = f"with bots {who} may bring {left} points at most today"
    return BotLimit(why, most=left)


def won_from_bots(user_id: int, at: datetime) -> int:
    """Return a user's points won from bots since midnight UTC; beside other people no more than the
    bots lost.
    """
    won = Seat.objects.filter(user=user_id, net__gt=0, match__ended_at__gte=midnight_before(at))
    games = won.annotate(
        bots_net=Sum("match__seats__net", filter=Q(match__seats__user__is_bot=True)),
        bots=Count("match__seats", filter=Q(match__seats__user__is_bot=True)),
    ).filter(bots__gt=0)
    return sum(min(seat.net or 0, max(0, -seat.bots_net)) for seat in games)
