"""Begin and drop rounds inside the leader's transaction, with the chains of their seeds."""

import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final

from django.db import connection
from django.db.models import F, QuerySet
from django.db.models.functions import Coalesce

from accounts.models import User
from economy.sql import BulkRows, Compiled
from games.arena import SLUG
from games.arena.models import Chain, Choice, DayFigures, Player, Round
from games.arena.rules.moves import MOVES
from games.arena.rules.options import (
    ALL_UNDECIDED,
    NO_WISHES,
    PLAIN,
    Preferences,
    RoundOptions,
    carried_after,
    draw_chooser,
    draw_options,
    undecided_after,
)
from games.arena.rules.scores import FULL_HEALTH, survivor_round_of, turns_on
from games.engine.draws import draw_many_below, hash_of_seed, mixed_seed
from games.engine.structs import canonical, reader_of
from games.matches.models import Pledge
from games.matches.processing.bots import BOT_NAMES

#: With fewer people a round counts on no board, and house bots fill up.
ENOUGH: Final = 4
MOST_BOTS: Final = 3

#: A player's initial figures, also after a reset.
FIGURES: Final = dict.fromkeys(
    (
        "wins", "losses", "ties", "round_wins", "round_losses", "round_ties", "score", "streak",
        "best_streak", "board_score", "board_streak", "board_best_streak",
        "board_round_wins", "board_rounds",
    ),
    0,
)  # fmt: skip

#: The rounds that a player has ever fought, resets or not.
ROUNDS_EVER: Final = (
    Coalesce(F("rounds_before"), 0) + F("round_wins") + F("round_losses") + F("round_ties")
)

#: Choices as rows of a statement.
CHOICE_ROWS: Final = BulkRows(Choice, ("user", "round_no", "move", "at"), ("user",))


def options_of(text: str) -> RoundOptions:
    options: RoundOptions = reader_of(RoundOptions).stored(text)
    return options


def preferences_of(text: str) -> Preferences:
    wishes: Preferences = reader_of(Preferences).stored(text)
    return wishes


def newest_round() -> Round | None:
    """Return the newest round; None before the first."""
    return next(iter(_NEWEST.objects(Round)), None)


_NEWEST: Final = Compiled(lambda: Round.objects.order_by("-no")[:1])


def is_still(no: int, state: Round.State) -> tuple[str, list[Any]]:
    """Return an SQL condition, and its parameters: a round is in this state, and stays so until the
    end of the statement's transaction.
    """
    lock = " FOR SHARE" if connection.vendor == "postgresql" else ""
    text = f'EXISTS (SELECT 1 FROM "arena_round" WHERE no = %s AND state = %s{lock})'  # noqa: S608
    return text, [no, state.value]


def those_fighting(options: RoundOptions) -> QuerySet[Player]:
    """Return those who are in and count in a round with these options."""
    inside = Player.objects.filter(is_in=True)
    return inside.exclude(health=0) if options.survivor else inside


def is_fighting(no: int) -> tuple[str, list[Any]]:
    """Return an SQL condition, and its parameters: player ``p`` counts in this round. It is
    ``those_fighting`` for statements that may not read first.
    """
    is_without = 'SELECT 1 FROM "arena_round" WHERE no = %s AND survivor_round = 0'
    return f"p.is_in AND (p.health > 0 OR EXISTS ({is_without}))", [no]


def drop(old: Round, at: datetime) -> None:
    """Drop a round that no leader finished: it does not count."""
    old.state, old.is_full = Round.State.DROPPED, False
    old.save(update_fields=("state", "is_full"))
    grant_wishes(at)


def grant_wishes(at: datetime) -> None:
    """Carry out the wishes to reset and to leave that players had during a round."""
    # Players who have left since are reset too.
    resetting = list(Player.objects.filter(resets=True).values_list("user", flat=True))
    if resetting:
        reset = Player.objects.filter(user__in=resetting)
        reset.update(resets=False, rounds_before=ROUNDS_EVER, **FIGURES)
        forget_day(resetting, at)
    Player.objects.filter(is_in=True, leaves=True).update(
        is_in=False, leaves=False, watching=Player.Watching.LEFT, gone_since=None
    )


def move_idle(limit: int) -> None:
    """Move players to watching who have not chosen for ``limit`` rounds."""
    idle = Player.objects.filter(is_in=True, is_bot=False, idle_rounds__gte=limit)
    idle.update(is_in=False, watching=Player.Watching.IDLE, idle_rounds=0)


def forget_day(users: Sequence[int], at: datetime) -> None:
    """Delete these users' figures on the boards of the day, after a reset."""
    if users:
        DayFigures.objects.filter(user__in=users, day=at.date()).delete()


def begin(old: Round | None, at: datetime, numbers: Mapping[str, int]) -> Round | None:
    """Begin the next round after ``processes.let_go``; return None, and leave the arena at rest, if
    no person is in. The result of ``old`` is shown if it was resolved at ``at``.
    """
    people = Player.objects.filter(is_in=True, is_bot=False)
    count = people.count()
    _bring_bots(count, at)
    if not count:
        return None
    no = 1 if old is None else old.no + 1
    link = link_of(no, at)
    # The digest of the round before is mixed in, so that no chain can be picked for its draws.  A
    # dropped round has no digest, and its link is not used again.
    seed = mixed_seed(link, no, "" if old is None else old.digest)
    candidates, chooser, drawn = _drawn(people, seed, numbers["arena.plain_rounds"])
    previous = None if old is None else options_of(old.options)
    before = {"undecided": ALL_UNDECIDED}
    if old is not None:
        before = reader_of(dict[str, int]).stored(old.carried)
    wishes = None if drawn is None else preferences_of(drawn.preferences)
    options = PLAIN if wishes is None else draw_options(previous, wishes, seed, before)
    undecided = undecided_after(previous, wishes, before.get("undecided", 0))
    is_shown = old is not None and old.resolved_at == at
    shows_until = at + timedelta(milliseconds=numbers["arena.result_ms"]) if is_shown else None
    limit = numbers["arena.blitz_ms" if options.blitz else "arena.selection_ms"]
    new = Round.objects.create(
        no=no,
        link=link,
        seed=seed,
        commitment=hash_of_seed(link),
        options=canonical(options),
        carried=canonical({**carried_after(before, wishes, options), "undecided": undecided}),
        candidates=candidates,
        chooser=canonical(chooser),
        drawn_id=None if drawn is None else drawn.pk,
        began_at=at,
        shows_until=shows_until,
        ends_at=(shows_until or at) + timedelta(milliseconds=limit),
        survivor_round=_prepare_health(old, previous, options),
    )
    # From the seed: the site could choose its bots' moves for their effect on the next seed.
    bots = those_fighting(options).filter(is_bot=True).order_by("user")
    moves = draw_many_below(seed, "bots", len(MOVES), len(bots))
    rows = zip(bots.values_list("user", flat=True), moves, strict=True)
    CHOICE_ROWS.upsert([(bot, new.no, MOVES[move].value, at) for bot, move in rows])
    return new


def _drawn(
    people: QuerySet[Player], seed: str, plain_rounds: int
) -> tuple[str, tuple[int, int] | None, Player | None]:
    """Draw the player whose preferences are used, None if all are new; return also
    ``Round.candidates``, and the drawn index with the number of candidates.
    """
    listed = list(people.order_by("user").values_list("user", ROUNDS_EVER, "preferences"))
    wishless = ("{}", canonical(NO_WISHES))
    is_candidate = [
        fought >= plain_rounds or wishes not in wishless for _, fought, wishes in listed
    ]
    letters = "".join("c" if each else "-" for each in is_candidate)
    among = [user for (user, _, _), each in zip(listed, is_candidate, strict=True) if each]
    if not among:
        return letters, None, None
    index = draw_chooser(seed, len(among))
    return letters, (index, len(among)), people.get(user=among[index])


def _prepare_health(old: Round | None, previous: RoundOptions | None, options: RoundOptions) -> int:
    """Give or take health as Survivor turns on or off; return which round of it this is."""
    if not options.survivor:
        Player.objects.filter(health__gt=0).update(health=0)
    elif turns_on(previous, options):
        Player.objects.filter(is_in=True).update(health=FULL_HEALTH)
    # A dropped round has not been played; after a refill the resolved one has 0.
    played = 0 if old is None else old.survivor_round - (old.state == Round.State.DROPPED)
    return survivor_round_of(previous, options, played)


def _bring_bots(people: int, at: datetime) -> None:
    """Bring in the missing number of house bots, three at most; none without a person."""
    wanted = min(MOST_BOTS, ENOUGH - people) if 0 < people < ENOUGH else 0
    names = BOT_NAMES[:wanted]
    bots = Player.objects.filter(is_bot=True, is_in=True)
    there = set(bots.values_list("user__username", flat=True))
    if there == set(names):
        return
    bots.exclude(user__username__in=names).update(is_in=False)
    for user in User.objects.filter(is_bot=True, is_active=True, username__in=names):
        if user.username not in there:
            Player.objects.update_or_create(
                user=user, defaults={"is_in": True, "is_bot": True, "joined_at": at}
            )


# Seeds ------------------------------------------------------------------------------------

#: The rounds of a chain, whose links are each the hash of the next one: a published anchor commits
#: to all rounds to come.  The next one is published when half of them are played: more than a day.
LENGTH: Final = 50_000


def link_of(no: int, at: datetime) -> str:
    """Return the secret link of a round, and publish the next chain in time, in the leader's
    transaction.
    """
    chain = chain_of(no)
    if chain is None:
        # The arena's first round, or the first after a chain that nobody followed up.
        chain = _publish(no, at)
    if no >= chain.first_no + chain.length // 2:
        following = chain.first_no + chain.length
        if not Chain.objects.filter(first_no=following).exists():
            _publish(following, at)
    return links(chain.pledge.seed, chain.length)[no - chain.first_no]


def chain_of(no: int) -> Chain | None:
    """Return the chain to which a round belongs."""
    found = Chain.objects.select_related("pledge").filter(first_no__lte=no)
    chain = found.order_by("-first_no").first()
    return chain if chain is not None and no < chain.first_no + chain.length else None


@lru_cache(maxsize=2)
def links(root: str, length: int) -> tuple[str, ...]:
    """Return a chain's links in the order of rounds; the hash of the first is the anchor."""
    made = [root]
    while len(made) < length:
        made.append(hash_of_seed(made[-1]))
    return tuple(reversed(made))


def _publish(first_no: int, at: datetime) -> Chain:
    root = secrets.token_hex(32)
    pledge = Pledge.objects.create(
        public_id=f"{SLUG}-{first_no}",
        game=SLUG,
        rules_version=1,
        seed=root,
        seed_commitment=hash_of_seed(links(root, LENGTH)[0]),
        pledged_at=at,
    )
    return Chain.objects.create(first_no=first_no, length=LENGTH, pledge=pledge)
