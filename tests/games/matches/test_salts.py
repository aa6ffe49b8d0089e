"""Salts in the journal: none that was acknowledged is lost, and every game replays with them."""

import pytest

from games.engine.draws import hash_of_salt, salted
from games.engine.errors import NotInPhase
from games.engine.structs import canonical
from games.matches.journal.replay import replay_match
from games.matches.models import Entry, LogLeaf, Match, Pledge
from games.matches.queries.commitments import counts_of
from games.matches.services.commitments import sequence
from tests.games.contests.kit import ContestKit
from tests.games.duel.kit import DuelKit
from tests.games.table_kit import TableKit, new_user

pytestmark = pytest.mark.django_db

SALTS = ("a1" * 32, "b2" * 32)


def promise_all(kit: DuelKit | TableKit, *salts: str) -> None:
    """Make everybody ready with the hash of a salt."""
    for user, salt in zip(kit.people, salts or SALTS, strict=True):
        kit.act(user, kind="ready", configuration=1, salt_hash=hash_of_salt(salt))


def following(kit: DuelKit) -> DuelKit:
    """Return the next game at the table, for which both have promised their salts."""
    kit.act(kit.bob, kind="rematch", salt_hash=hash_of_salt(SALTS[1]))
    made = DuelKit.of(kit.row.successor, kit.ann, kit.bob, now=kit.now)
    made.act(kit.ann, kind="ready", configuration=1, salt_hash=hash_of_salt(SALTS[0]))
    return made


def reveal_all(kit: DuelKit | TableKit, *salts: str) -> None:
    for user, salt in zip(kit.people, salts or SALTS, strict=True):
        kit.act(user, kind="reveal", salt=salt)


@pytest.mark.both_databases
def test_salts_are_in_no_view_then_in_the_journal_and_the_game_replays_with_them() -> None:
    kit = TableKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    promise_all(kit)
    assert kit.view(kit.people[0])["you"]["salt_hash"] == hash_of_salt(SALTS[0])
    assert kit.view(kit.people[1])["you"]["may"].count("reveal") == 1
    kit.act(kit.people[0], kind="reveal", salt=SALTS[0])
    for viewer in (None, *kit.people):
        assert SALTS[0] not in canonical(kit.view(viewer))
    kit.act(kit.people[1], kind="reveal", salt=SALTS[1])
    kit.pass_time(5.0)
    assert kit.row.status == Match.Status.RUNNING
    state = kit.snapshot.state.play
    assert state.seed == salted(kit.row.seed, list(enumerate(SALTS)))
    kit.play_to_the_end()
    assert replay_match(kit.row).is_same
    texts = "".join(Entry.objects.filter(match=kit.row).values_list("facts", flat=True))
    assert '"kind":"salts_frozen"' in texts


@pytest.mark.both_databases
def test_salts_are_asked_for_once_the_opening_is_in_the_public_log(settings) -> None:
    settings.DEAL_AFTER_LOG = True
    kit = DuelKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    promise_all(kit)
    for _ in range(2):
        assert "reveal" not in kit.view(kit.ann)["you"]["may"]
        with pytest.raises(NotInPhase, match="wait for the public log"):
            kit.act(kit.ann, kind="reveal", salt=SALTS[0])
        kit.pass_time(1.0)
    sequence(kit.now)
    kit.pass_time(1.0)
    assert "reveal" in kit.view(kit.ann)["you"]["may"]
    reveal_all(kit)
    assert kit.row.status == Match.Status.RUNNING
    kit.win(kit.ann)
    assert replay_match(kit.row).is_same
    # The next game at the table asks as soon as its own opening is there.
    after = following(kit)
    assert "reveal" not in after.view(kit.ann)["you"]["may"]
    sequence(after.now)
    after.pass_time(1.0)
    reveal_all(after)
    assert after.row.status == Match.Status.RUNNING


def test_salts_that_do_not_come_make_unready_and_nobody_pays() -> None:
    kit = DuelKit(new_user("ann"), new_user("bob"))
    kit.seat_everybody()
    promise_all(kit)
    kit.act(kit.ann, kind="reveal", salt=SALTS[0])
    kit.pass_time(10.0)
    assert kit.row.status == Match.Status.OPEN
    assert [seat["ready"] for seat in kit.view()["seats"]] == [True, False]
    assert "salt_missing" in kit.kinds
    promise_all(kit, *SALTS[::-1])
    reveal_all(kit, *SALTS[::-1])
    assert kit.row.status == Match.Status.RUNNING
    kit.win(kit.ann)
    for _ in range(2):
        sequence(kit.now)
    closed = LogLeaf.objects.get(commitment=kit.row.seed_commitment, kind="closed")
    assert (closed.aborted, '"aborted":2,' in closed.text) == (2, True)
    assert counts_of(closed.day)["aborted"] == 2
    # Those of a rematch come with the call and with readiness.
    after = following(kit)
    reveal_all(after)
    assert after.row.status == Match.Status.RUNNING
    assert after.snapshot.state.salts == tuple(enumerate(SALTS))
    after.win(kit.ann)
    assert replay_match(after.row).is_same


def test_salts_of_a_contest_come_with_readiness_after_the_commitment() -> None:
    kit = ContestKit(3, wanted=3)
    promised = kit.row.pledge.seed_commitment
    salts = [f"{no}f" * 32 for no in range(3)]
    for user, salt in zip(kit.people, salts, strict=True):
        kit.do("make_ready", user, salt=salt)
    match = kit.game.row
    assert match.seed_commitment == promised
    assert kit.game.snapshot.state.salts == tuple(enumerate(salts))
    assert replay_match(match).is_same
    kit.row.refresh_from_db()
    assert kit.row.pledge.seed_commitment != promised
    assert not kit.row.parties.exclude(salt="").exists()


@pytest.mark.plain
def test_salts_of_a_contest_that_are_none_or_nonsense_or_before_its_log_count_as_none(settings):
    kit = ContestKit(3, wanted=3)
    kit.do("make_ready", kit.people[0], salt="nonsense")
    kit.do("make_ready", kit.people[1], salt="ab" * 32)
    kit.do("make_unready", kit.people[1])
    kit.ready()
    assert kit.game.snapshot.state.salts == ()
    settings.DEAL_AFTER_LOG = True
    kit = ContestKit(3, wanted=3)
    kit.do("make_ready", kit.people[0], salt="1f" * 32)
    sequence(kit.now)
    for no in (1, 2):
        kit.do("make_ready", kit.people[no], salt=f"{no}f" * 32)
    assert kit.game.snapshot.state.salts == ((1, "1f" * 32), (2, "2f" * 32))


@pytest.mark.plain
def test_a_pledge_is_dropped_with_its_contest_and_the_log_says_so() -> None:
    kit = ContestKit(3, is_master=True)
    pledged = Pledge.objects.get(contest=kit.row)
    kit.do("close", kit.founder)
    sequence(kit.now)
    sequence(kit.now)
    leaf = LogLeaf.objects.get(commitment=pledged.seed_commitment, outcome="dropped")
    assert '"outcome":"dropped"' in leaf.text
