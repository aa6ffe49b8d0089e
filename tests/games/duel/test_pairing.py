from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts import devices
from accounts.models import Relation, User
from accounts.people import relate
from accounts.services import freeze
from economy.errors import InsufficientPoints
from economy.models import Transfer
from games.duel import challenges, pairing
from games.engine.errors import NotInPhase, StaleAction
from games.engine.facts import Instant, as_datetime, instant
from games.matches import services as matches
from games.matches.journal.loading import match_cache
from games.matches.journal.replay import replay_match
from games.matches.models import Match, RatingChange, Seat, WebProcess
from games.matches.processing import outage, participants, repair, writing
from games.matches.processing.batch import DEADLINE
from games.matches.processing.bots import ensure_bots
from games.matches.processing.submissions import Submission
from games.matches.queries import selectors
from games.matches.queries.own import read_own
from games.notices import attention
from games.realtime.presence import keep_presence
from tests.at_once import all_at_once
from tests.games.duel.kit import DuelKit
from tests.games.match_kit import bell_of, new_user
from tests.refusals import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

QUICK = {"best_of": 5, "no_ties": True, "stake": 0, "rated": True}


@pytest.fixture(autouse=True)
def _heartbeat(db: None) -> None:
    outage.open_process()


def act(user: object, match: Match, **action: object) -> object:
    number = match.entries.count()
    submission = Submission(match.pk, action, f"pairing-{number:04d}", user.pk)
    return writing.apply_batch([submission]).answers[0].error


def status(match: Match) -> str:
    match.refresh_from_db()
    return match.status


def pass_countdown(match: Match) -> str:
    """Run the clock of a match out; return its status."""
    match.refresh_from_db()
    WebProcess.objects.update(beat_at=match.due_at)
    writing.apply_batch([Submission(match.pk, DEADLINE, "deadline")], match.due_at)
    return status(match)


def accept(user: object, match: Match) -> None:
    act(user, match, kind="sit", seat=1)
    act(user, match, kind="ready", configuration=1)
    pass_countdown(match)


def later(match: Match, seconds: float, *there: int) -> datetime:
    """Return a later instant, at which a web process lives that saw pages of these seats."""
    keep_presence({match.pk: {"seats": [0], "there": list(there), "watching": 0}})
    at = as_datetime(match.at_ms) + timedelta(seconds=seconds)
    WebProcess.objects.update(beat_at=at)
    Seat.objects.filter(match=match).update(seen_at=at)
    return at


def leave_for_a_while(match: Match) -> None:
    Seat.objects.filter(match=match).update(seen_at=timezone.now() - timedelta(seconds=40))


def readiness(match: Match) -> list[bool]:
    return [seat.ready for seat in selectors.snapshot_of(match).state.seats]


def people(count: int) -> list[User]:
    return [new_user() for _ in range(count)]


def begun(first: User, second: User) -> Match:
    pairing.pair_quick(user=first)
    match = pairing.pair_quick(user=second)
    assert pass_countdown(match) == "running"
    return match


def sitters(match: Match) -> list[int]:
    return list(Seat.objects.filter(match=match).order_by("no").values_list("user", flat=True))


def challenged(**options: object) -> tuple[User, User, Match]:
    ann, bob = people(2)
    return ann, bob, challenges.challenge(challenger=ann, name=bob.username, options=options)


@pytest.mark.plain
def test_quick_duel_waits_alone_and_starts_without_another_press_when_two_have_pressed() -> None:
    ann, bob = people(2)
    waiting = pairing.pair_quick(user=ann)
    assert (sitters(waiting), waiting.mark) == ([ann.pk], "quick")
    options = selectors.snapshot_of(waiting).state.options
    assert {name: getattr(options, name) for name in QUICK} == QUICK
    found = pairing.pair_quick(user=bob)
    assert found.pk == waiting.pk
    assert (sitters(found), readiness(found)) == ([ann.pk, bob.pk], [True, True])
    assert status(found) == "open", "there are 3 s to see who has come"
    assert found.wake_at == found.due_at == as_datetime(Instant(found.at_ms + 3_000))
    # Any process that finds its instant passed begins it.
    match_cache.forget()
    WebProcess.objects.update(beat_at=found.due_at)
    repair.catch_up(found.due_at)
    assert status(found) == "running"
    assert found.is_rated
    assert replay_match(found).is_same


@pytest.mark.plain
@pytest.mark.parametrize("is_there", [True, False], ids=["visible page", "hidden page"])
def test_quick_duel_starts_while_the_waiting_page_is_visible(is_there: bool) -> None:
    ann, bob = people(2)
    match = pairing.pair_quick(user=ann)
    at = later(match, 60, *([0] if is_there else []))
    assert pairing.pair_quick(user=bob, at=at).pk == match.pk
    assert readiness(match) == [is_there, True]
    match.refresh_from_db()
    due_at = as_datetime(instant(at)) + timedelta(seconds=3 if is_there else 60)
    assert match.due_at == due_at


def test_quick_duel_of_a_page_that_was_hidden_in_the_countdown_asks_again() -> None:
    ann, bob = people(2)
    match = pairing.pair_quick(user=ann)
    at = later(match, 60, 0)
    # What a killed process reported does not count.
    WebProcess.objects.update(beat_at=at - timedelta(seconds=7))
    assert selectors.there([match.pk], at) == {}
    WebProcess.objects.update(beat_at=at)
    assert selectors.there([match.pk], at) == {match.pk: {0}}
    pairing.pair_quick(user=bob, at=at)
    assert readiness(match) == [True, True]
    match.refresh_from_db()
    at = later(match, 3.1)
    assert repair.fire_due([match.pk], at).snapshots
    assert readiness(match) == [False, True]
    pairing.pair_quick(user=ann, at=at)
    assert readiness(match) == [True, True], "a press is as good as a visible page"


@pytest.mark.plain
def test_quick_duel_with_a_bot_asks_nobody() -> None:
    ensure_bots()
    ann = new_user()
    match = pairing.pair_quick(user=ann)
    bot = Submission(match.pk, {"kind": "add_bot"}, "pairing-bot", ann.pk)
    writing.submit(bot, later(match, 21))
    assert (status(match), match.is_rated) == ("running", False)
    assert not selectors.match_view(selectors.snapshot_of(match), None)["match"]["rated"]


def test_quick_duel_two_minutes_after_the_press_one_is_asked_again() -> None:
    ann, bob = people(2)
    match = pairing.pair_quick(user=ann)
    before = selectors.snapshot_of(match).state.lapses_at
    act(ann, match, kind="ready", configuration=1, salt_hash="5a" * 32)
    assert selectors.snapshot_of(match).state.lapses_at == before, "the page gives it by itself"
    at = later(match, 121, 0)
    assert repair.fire_due([match.pk], at).snapshots
    assert (readiness(match), sitters(match)) == ([False, False], [ann.pk])
    assert pairing.pair_quick(user=bob, at=at).pk == match.pk
    assert readiness(match) == [False, True]
    act(ann, match, kind="ready", configuration=1)
    assert readiness(match) == [True, True]


def test_quick_duel_who_is_there_is_found_before_who_has_waited_longer() -> None:
    ann, bob = people(2)
    first = pairing.pair_quick(user=ann)
    relate(user_id=ann.pk, other_id=bob.pk, kind=Relation.Kind.BLOCK)
    second = pairing.pair_quick(user=bob)
    at = later(first, 60)
    Seat.objects.filter(match=second).update(seen_at=at)
    keep_presence({second.pk: {"seats": [0], "there": [0], "watching": 0}})
    WebProcess.objects.update(beat_at=at)
    found = [pairing.pair_quick(user=user, at=at).pk for user in people(2)]
    assert found == [second.pk, first.pk]


@pytest.mark.plain
def test_quick_duel_not_now_costs_nothing_and_the_other_one_is_found_by_the_next() -> None:
    ann, bob, cat = people(3)
    match = pairing.pair_quick(user=ann)
    pairing.pair_quick(user=bob)
    before = Transfer.objects.count()
    assert act(ann, match, kind="stand") is None
    assert (status(match), sitters(match)) == ("open", [bob.pk])
    assert (Transfer.objects.count(), pairing.pair_quick(user=cat).pk) == (before, match.pk)
    assert pass_countdown(match) == "running"


@pytest.mark.plain
def test_quick_duel_a_missed_first_throw_calls_it_off_unrated_once_in_a_row() -> None:
    ann, bob = people(2)
    for number, reason in enumerate(("missed", "wins", "missed")):
        match = begun(ann, bob)
        act(bob, match, kind="throw", hand="rock")
        assert (pass_countdown(match) == "over") is (reason == "missed")
        while match.status == "running":
            act(bob, match, kind="throw", hand="rock")
            pass_countdown(match)
        assert selectors.snapshot_of(match).state.play.result.reason == reason, number
        assert RatingChange.objects.filter(match=match).exists() is (reason == "wins")
        assert replay_match(match).is_same
    # A player who came is not warned for the one who did not.
    match = begun(bob, cat := new_user())
    act(cat, match, kind="throw", hand="rock")
    pass_countdown(match)
    assert selectors.snapshot_of(match).state.play.result.reason == "missed"


def test_quick_duel_cannot_be_made_of_a_table_by_hand_and_closes_for_quiet_at_no_cost() -> None:
    ann = new_user()
    with refuses("action/bad_option"):
        matches.open_match(opened_by=ann, options={**QUICK, "quick": True}, game="duel")
    before = Transfer.objects.count()
    match = pairing.pair_quick(user=ann)
    repair.fire_due([match.pk], later(match, 16 * 60))
    assert (status(match), Transfer.objects.count()) == ("closed", before)
    assert pairing.pair_quick(user=ann).pk != match.pk


@pytest.mark.plain
def test_quick_duel_pressed_again_leads_to_the_same_one() -> None:
    ann, bob = people(2)
    first = pairing.pair_quick(user=ann)
    assert pairing.pair_quick(user=ann).pk == first.pk
    act(ann, first, kind="unready")
    assert pairing.pair_quick(user=ann).pk == first.pk
    assert selectors.snapshot_of(first).state.seats[0].ready
    pairing.pair_quick(user=bob)
    first.refresh_from_db()
    start_at = first.due_at
    assert pairing.pair_quick(user=ann).pk == first.pk
    first.refresh_from_db()
    assert first.due_at == start_at, "the countdown does not begin anew"
    pass_countdown(first)
    assert (pairing.pair_quick(user=ann).pk, Match.objects.count()) == (first.pk, 1)


def test_quick_duel_takes_the_one_who_has_waited_longest_and_is_still_there() -> None:
    rows = []
    for user in people(3):
        options = pairing.quick_options()
        match = matches.open_match(opened_by=user, options=options, game="duel", mark="quick")
        act(user, match, kind="sit", seat=0)
        act(user, match, kind="ready", configuration=1)
        rows.append(match)
    leave_for_a_while(rows[0])
    assert pairing.pair_quick(user=new_user()).pk == rows[1].pk


@pytest.mark.plain
def test_quick_duel_leaves_the_own_waiting_one_for_a_partner() -> None:
    """Both wait, since one had been away; when that one is back, the other goes over."""
    ann, bob = people(2)
    first = pairing.pair_quick(user=ann)
    leave_for_a_while(first)
    second = pairing.pair_quick(user=bob)
    assert second.pk != first.pk
    Seat.objects.filter(match=first).update(seen_at=timezone.now())
    assert (pairing.pair_quick(user=bob).pk, sitters(second)) == (first.pk, [])


def test_quick_duel_passes_over_tables_that_are_not_quick() -> None:
    ann, bob, cat, dan = people(4)
    changed = matches.open_match(opened_by=ann, options=QUICK, game="duel", mark="quick")
    ordinary = DuelKit(bob, **QUICK).match
    for user, match in ((ann, changed), (bob, ordinary)):
        act(user, match, kind="sit", seat=0)
        act(user, match, kind="ready", configuration=1)
    found = pairing.pair_quick(user=cat)
    assert found.pk not in (changed.pk, ordinary.pk)
    assert sitters(found) == [cat.pk]
    act(cat, found, kind="unready")
    assert pairing.pair_quick(user=dan).pk == found.pk, "who is there is asked again anyway"


@pytest.mark.plain
def test_quick_duel_is_not_played_with_ones_own_second_account() -> None:
    ann, bob = people(2)
    for user in (ann, bob):
        devices.note(user_id=user.pk, token="t" * 43, address="", at=timezone.now())
    first, second = pairing.pair_quick(user=ann), pairing.pair_quick(user=bob)
    assert first.pk != second.pk
    assert pairing.pair_quick(user=new_user()).pk == first.pk


@pytest.mark.plain
def test_a_block_keeps_two_apart_in_quick_duels_and_challenges_and_does_not_tell_whose() -> None:
    ann, bob, cid = people(3)
    first = pairing.pair_quick(user=ann)
    relate(user_id=ann.pk, other_id=bob.pk, kind=Relation.Kind.BLOCK)
    assert pairing.pair_quick(user=bob).pk != first.pk
    assert pairing.pair_quick(user=cid).pk == first.pk
    refusals = []
    for one, other in ((ann, bob), (bob, ann)):
        with refuses("action/keeps_apart") as refused:
            challenges.challenge(challenger=one, name=other.username, options={})
        refusals.append(refused.value.message.replace(other.username, "?"))
        assert challenges.suggestions(one, other.username) == []
    assert len(set(refusals)) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("count", [1, 2, 6])
def test_quick_duel_pairs_all_who_press_at_once_and_one_in_many_tabs_with_nobody(count: int):
    for _ in range(4 if count > 1 else 1):
        users = people(count)
        calls = [lambda user=user: pairing.pair_quick(user=user) for user in users]
        found = all_at_once(calls if count > 1 else calls * 5)
        pks = {match.pk for match in found}
        assert len(pks) == max(count // 2, 1)
        assert {match.status for match in Match.objects.filter(pk__in=pks)} == {"open"}
        assert all(len(sitters(match)) == min(count, 2) for match in found)


def test_challenge_waits_in_the_bell_and_is_played_by_the_two_alone() -> None:
    ann, bob, cat = new_user("ann"), new_user("bob"), new_user("cat")
    options = {"best_of": 3, "stake": 10}
    match = challenges.challenge(challenger=ann, name=bob.username.upper(), options=options)
    assert not match.listed
    assert selectors.lobby()["duel"] == []
    (need,) = bell_of(bob.pk)
    assert need["what"] == f"{ann.username} challenges you to a duel"
    assert need["url"] == f"/duels/{match.public_id}/"
    assert attention.affairs_of([bob.pk])[bob.pk].match_ids == {match.pk}
    assert bell_of(cat.pk) == []
    view = selectors.match_view(selectors.snapshot_of(match), None)
    assert view["match"]["challenge"] == {"from": ann.username, "to": bob.username}
    error = act(cat, match, kind="sit", seat=1)
    assert isinstance(error, participants.NotInvited)
    assert error.code == "action/not_invited"
    assert act(bob, match, kind="sit", seat=1) is None
    needs = [[need["what"] for need in bell_of(user.pk)] for user in (ann, bob)]
    assert needs == [[], ["Get ready"]], "the challenger stays ready"
    assert act(bob, match, kind="ready", configuration=1) is None
    assert (status(match), pass_countdown(match)) == ("open", "running")
    assert [need["what"] for need in bell_of(ann.pk)] == ["Throw"]
    # The rematch is for the same two.
    act(bob, match, kind="resign")
    assert act(ann, match, kind="rematch") is None
    match.refresh_from_db()
    following = match.successor
    assert (following.invited_id, following.opened_by_id) == (bob.pk, ann.pk)
    assert sitters(following) == [ann.pk, bob.pk]


@pytest.mark.plain
def test_challenge_is_declined_and_withdrawn_once_before_the_start_and_has_no_seat_for_a_bot():
    ann, bob, match = challenged()
    for user in (ann, new_user()):
        with pytest.raises(participants.NotInvited):
            challenges.decline_challenge(user=user, match=match)
    for _ in range(2):
        challenges.decline_challenge(user=bob, match=match)
    assert (status(match), match.void_reason) == ("closed", "declined")
    assert (match.entries.filter(action_id="declined").count(), bell_of(bob.pk)) == (1, [])
    log = selectors.match_view(selectors.snapshot_of(match), None)["log"]
    assert log[-1]["text"] == "The challenge is declined."
    ann, bob, match = challenged()
    act(ann, match, kind="stand")
    assert bell_of(bob.pk) == [], "it is out of the bell once the challenger has gone"
    ann, bob, match = challenged()
    with pytest.raises(participants.NotInvited):
        challenges.withdraw_challenge(user=bob, match=match)
    challenges.withdraw_challenge(user=ann, match=match)
    assert [challenges.standing_challenges(read_own(user.pk)) for user in (ann, bob)] == [[], []]
    ann, bob, match = challenged(stake=10)
    accept(bob, match)
    for answer, user in ((challenges.withdraw_challenge, ann), (challenges.decline_challenge, bob)):
        with pytest.raises(NotInPhase):
            answer(user=user, match=match)
    assert status(match) == "running"
    ensure_bots()
    ann, _, match = challenged()
    assert isinstance(act(ann, match, kind="add_bot"), participants.NotInvited)
    may = selectors.match_view(selectors.snapshot_of(match), 0)["you"]["may"]
    assert "stand" in may
    assert "add_bot" not in may


def accepted(user: User, match: Match, revision: int = 1) -> None:
    challenges.accept_challenge(user=user, match=match, revision=revision, salt={})


@pytest.mark.plain
def test_standing_challenge_names_its_terms_to_both_until_it_is_answered() -> None:
    ann, bob, match = challenged(best_of=3, stake=20, clock_seconds=86_400, rated=False)
    for user, other in ((bob, ann), (ann, bob)):
        (one,) = challenges.standing_challenges(read_own(user.pk))
        assert (one.other, one.is_own, one.revision) == (other.username, user is ann, 1)
        assert one.terms == "best of 3, 20 points, 1 d a throw, ties count for both"
    assert challenges.standing_challenges(read_own(new_user().pk)) == []
    accepted(bob, match)
    assert [challenges.standing_challenges(read_own(user.pk)) for user in (ann, bob)] == [[], []]
    assert pass_countdown(match) == "running"
    ann, bob, _ = challenged()
    for one, other in ((ann, new_user()), (bob, ann)):
        challenges.challenge(challenger=one, name=other.username, options={})
    found = challenges.standing_challenges(read_own(ann.pk))
    assert [one.is_own for one in found] == [False, True, True]
    assert found[0].other == bob.username


def test_challenge_is_accepted_for_the_terms_that_were_shown_or_not_at_all() -> None:
    ann, bob, match = challenged(stake=10, rated=False)
    act(ann, match, kind="configure", stake=90)
    with pytest.raises(StaleAction):
        accepted(bob, match)
    assert sitters(match) == [ann.pk]
    with pytest.raises(participants.NotInvited):
        accepted(new_user(), match, revision=2)
    DuelKit(bob, new_user(), stake=60).start()
    with pytest.raises(InsufficientPoints):
        accepted(bob, match, revision=2)
    assert sitters(match) == [ann.pk]


@pytest.mark.plain
def test_challenge_of_nobody_oneself_a_bot_or_a_frozen_account_is_refused() -> None:
    ensure_bots()
    ann, bob = people(2)
    freeze(user_id=bob.pk, reason="we are looking into it")
    for name, code in (
        ("nobody-like-this", "action/unknown_player"),
        ("", "action/unknown_player"),
        (ann.username, "action/oneself"),
        ("Lefty_Malone", "action/plays_no_duels"),
        (bob.username, "action/plays_no_duels"),
    ):
        with refuses(code):
            challenges.challenge(challenger=ann, name=name, options={})
    bob.refresh_from_db()
    for refused_ in (
        lambda: challenges.challenge(challenger=bob, name=ann.username, options={}),
        lambda: pairing.pair_quick(user=bob),
    ):
        with refuses("forbidden", match="frozen"):
            refused_()
    assert not Match.objects.exists()


def test_challenge_that_cannot_be_paid_or_is_no_duel_opens_nothing() -> None:
    ann, bob = people(2)
    DuelKit(ann, bob, stake=60).start()
    for options, code in (
        ({"stake": 100}, "ledger/insufficient_points"),
        ({"best_of": 2}, "action/bad_option"),
    ):
        with refuses(code):
            challenges.challenge(challenger=ann, name=bob.username, options=options)
    assert Match.objects.count() == 1


@pytest.mark.plain
def test_challenge_by_a_part_of_a_name_finds_the_only_one_or_names_those_it_could_be() -> None:
    ann = new_user("anna")
    bob = User.objects.create_user("Bobby_Tables", password="a long password")
    assert challenges.find_opponent(ann, "tabl") == bob
    User.objects.create_user("Bobby_Bones", password="a long password")
    with refuses("action/several_players") as refused:
        challenges.find_opponent(ann, "bobby")
    assert refused.value.detail["candidates"] == "Bobby_Bones and Bobby_Tables"
    assert challenges.find_opponent(ann, "bobby_tables") == bob
    with refuses("action/unknown_player"):
        challenges.find_opponent(ann, "b")
    assert challenges.suggestions(ann, "tab") == ["Bobby_Tables"]
    assert challenges.suggestions(ann, "") == []
