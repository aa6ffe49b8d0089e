"""A locked contest for one action: lock the row, apply due changes, judge, write.
Source: docs/explanation/contests.md "How an action is done".
"""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.devices import not_seen_since
from accounts.models import User
from accounts.people import away_among
from economy.selectors import setting
from games.contests import models, rows, terms
from games.contests.rules import games
from games.contests.rules.errors import TooFewReady
from games.contests.rules.parties import make_unready, replace_master, take_effect
from games.contests.rules.state import Contest
from games.engine.errors import IllegalAction, refuse
from games.engine.facts import Instant, Step, as_datetime, instant
from games.matches.journal.loading import standing
from games.matches.journal.snapshots import Snapshot
from games.matches.models import Match, Pledge, Seat
from games.matches.processing.seating import has_seats
from games.matches.services import NotBegun, Seated, open_seated
from games.moderation.fair_play import FairPlayBatch, require_fair_company, require_no_cool_down
from games.proofs.commitments import drop, pledge
from games.realtime.runtime import tell

Rule = Callable[[Contest], Step[Contest]]


class LockedContest:
    """One locked contest in one transaction; due changes are applied first. Raises ``not_found``,
    ``maintenance``: its game is not played here now.
    """

    def __init__(self, contest_id: int, now: datetime | None) -> None:
        locked = models.Contest.objects.select_for_update(no_key=True).filter(pk=contest_id).first()
        if locked is None:
            refuse("not_found", "there is no such contest")
        game = terms.find(locked.game)
        if game is None:
            refuse("maintenance", "this contest sleeps: its game is not played here at the moment")
        self.row, self.game = locked, game
        self._terms = terms.terms_of(game)
        self.now = now or timezone.now()
        self.at: Instant = instant(self.now)
        self.allowed = terms.allowed(game)
        self.state = rows.load(locked)
        self._catch_up()

    def apply(self, rule: Rule) -> None:
        """Apply a rule and write its changes; raises its refusal."""
        step = rule(self.state)
        if step.events or step.state != self.state:
            rows.save(self.row, self.state, step, self.at)
        self.state = step.state

    @property
    def running(self) -> models.ContestGame | None:
        return self.row.played.filter(ended_at=None).select_related("match").first()

    @property
    def living(self) -> frozenset[int]:
        """The users who live in the running game."""
        running = self.running
        found = None if running is None else standing([running.match_id]).get(running.match_id)
        return frozenset() if found is None else users_of(found, self._terms.living)

    def begin(self, user: int | None) -> Match:
        """Begin the next game with the ready users who may play together; ``user`` starts it, None:
        the site. Raises TooFewReady, NotBegun if a user may not play after all.
        """
        self._pass_by_who_is_away()
        company = Eligibility(self.state.ready, self.now)
        picked = games.pick(self.state.ready, self.allowed.most, company.objection)
        games.require_enough(self.state, self.allowed, picked, by_site=user is None)
        no = self.state.games + 1
        pledged = self._pledged()
        salts = dict(self.row.parties.values_list("user", "salt"))
        players = [(company.users[player], salts[player]) for player in picked.players]
        options = terms.options_of(self.game, self.state.settings)
        wanted = Seated(pledged, options, players, f"{self.row.name}, game {no}")
        (match,) = open_seated(self.game.slug, [wanted], self.now)
        self.row.played.create(no=no, match=match, began_at=as_datetime(self.at))
        # The next game's seed is committed before anybody gets ready for it.
        self.row.pledge = pledge(self.game.slug, self.now)
        self.apply(lambda now: games.begin(now, user, picked))
        rows.note(self.row, dict(picked.left_out))
        tell_later(match)
        return match

    def _pledged(self) -> Pledge:
        """Return the next game's pledged seed; one for older rules is replaced."""
        if self.row.pledge.rules_version != self.game.newest.version:
            drop(self.row.pledge, self.now)
            self.row.pledge = pledge(self.game.slug, self.now)
            # They were known before this seed.
            self.row.parties.update(salt="")
        return self.row.pledge

    def _catch_up(self) -> None:
        self._note_end()
        if self.state.is_open:
            master = self.state.master
            if master is not None and gone(self.now).filter(pk=master).exists():
                self.apply(replace_master)
            self.apply(lambda now: take_effect(now, self.allowed, self.at))
        self.start_by_site()

    def start_by_site(self) -> None:
        """Start a game for the site when the wanted number is ready. If that fails, make users
        unready who may not play with the others, so that it is tried once.
        """
        if not games.is_site_to_start(self.state):
            return
        self._pass_by_who_is_away()
        if not games.is_site_to_start(self.state):
            return
        try:
            with transaction.atomic():
                self.begin(None)
        except (TooFewReady, NotBegun):
            company = Eligibility(self.state.ready, self.now)
            picked = games.pick(self.state.ready, self.allowed.most, company.objection)
            self.apply(lambda now: games.leave_out(now, picked))
            rows.note(self.row, dict(picked.left_out))

    def _pass_by_who_is_away(self) -> None:
        away = away_among(self.state.ready, self.now.date())
        for user in [user for user in self.state.ready if user in away]:
            self.apply(partial(make_unready, user=user, reason="away"))

    def _note_end(self) -> None:
        running = self.running
        if running is None or running.match.is_live:
            return
        match = running.match
        found = standing([match.pk]).get(match.pk)
        absent, living = frozenset[int](), frozenset[int]()
        if found is not None:
            absent = users_of(found, self._terms.absent)
            living = users_of(found, self._terms.living)
        how, winners = _outcome(match)
        ended_at = instant(match.ended_at or self.now)
        rows.end_game(self.row, how, ended_at, living)
        self.apply(lambda now: games.end_game(now, how, winners, absent, ended_at))


def _outcome(match: Match) -> tuple[str, list[int]]:
    if match.status != Match.Status.OVER:
        return games.VOID, []
    won = match.seats.filter(result=Seat.Result.WON).order_by("no")
    winners = list(won.values_list("user_id", flat=True))
    return ("won" if winners else "drawn"), winners


def users_of(found: Snapshot, ask: Callable[[Any], Collection[int]]) -> frozenset[int]:
    """Return the users on the seats that ``ask`` names in a game, none before its start."""
    seats = ask(found.state.play) if found.state.play is not None else ()
    return frozenset(found.seats[no].user_id for no in seats if no in found.seats)


def tell_later(match: Match) -> None:
    # Not a partial: Django cannot name a partial in its log when it fails.
    transaction.on_commit(lambda: tell([match.pk]), robust=True)


def require_not_away(user_id: int, at: datetime) -> None:
    until = away_among([user_id], at.date()).get(user_id)
    if until is not None:
        day = f"{until.day} {until:%B %Y}"
        message = f"you have said that you are away until {day}: say first that you are back"
        refuse("contest/away", message, until=until.isoformat())


def gone(now: datetime) -> QuerySet[User]:
    """Return the users who are no contestmasters any more: absent for long, or closed."""
    since = now - timedelta(days=setting("contests.master_days"))
    return User.objects.filter(is_active=False) | not_seen_since(since)


class Eligibility:
    """The ready users by id, and the checks on them."""

    def __init__(self, users: Sequence[int], at: datetime) -> None:
        self.users = User.objects.in_bulk(users)
        self._at = at
        self._asked = FairPlayBatch()
        self._asked.expect(users)
        self._most = setting("tables.live_seats")

    def objection(self, user_id: int, others: Sequence[int]) -> str | None:
        """Return why a user may not begin a game with the others, for this user's eyes only; None
        if allowed.
        """
        user = self.users[user_id]
        if not user.is_active:
            return "your account is closed"
        if has_seats(user_id, self._most):
            return f"you sit at {self._most} tables, which is the most"
        try:
            company = [self.users[other] for other in others]
            require_fair_company(user, company, self._at, self._asked)
            require_no_cool_down(user_id, self._at, self._asked)
        except IllegalAction as refusal:
            return refusal.message
        return None
