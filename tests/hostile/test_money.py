from dataclasses import replace
from datetime import timedelta

import pytest

from games.matches.processing import writing
from tests.games.journal_kit import kinds_of
from tests.games.table_kit import TableKit, new_user, running_table
from tests.hostile.kit import nothing_moves

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_hostile_31_a_choice_after_the_clock_is_too_late() -> None:
    kit = running_table()
    user = kit.on_turn()
    submission = kit.submission(user, kind="call")
    kit.now += timedelta(seconds=21)
    kit.beat()
    answer = writing.apply_batch([submission], kit.now).answers[0]
    assert (answer.error.code, kit.row.status) == ("stale", "over")
    assert "folded" in kinds_of(kit.match)


def test_hostile_30_nobody_attacks_themselves_who_is_out_or_not_there() -> None:
    people = [new_user() for _ in range(4)]
    kit = TableKit(*people, seats=4, target=3)
    kit.start()
    folded = kit.on_turn()
    kit.act(folded, kind="fold")
    kit.call_all()
    left = [user for user in people if user != folded]
    kit.act(left[2], kind="leave")
    kit.pass_time(31)  # One has left when the round is over.
    ann, spectator = left[0], new_user()
    seat_of = {user.pk: seat for seat, user in enumerate(people)}
    with nothing_moves():
        for target in (ann, folded, left[2]):
            for action in ({"kind": "attack", "weapon": "rock"}, {"kind": "mine"}):
                error = kit.answer(ann, **action, target=seat_of[target.pk]).error
                assert error.code == "action/bad_target"
        for target in (4, 39, -1, "bob", None):
            error = kit.answer(ann, kind="attack", weapon="rock", target=target).error
            assert error.code in ("action/bad_target", "bad_field")
        # Who has no seat here, and a table that is none.
        assert kit.answer(spectator, kind="attack", weapon="rock", target=0).error.code == (
            "action/not_seated"
        )
        stranger = kit.submission(ann, kind="attack", weapon="rock", target=1)
        nowhere = replace(stranger, match_id=2**31 - 1)
        assert writing.apply_batch([nowhere], kit.now).answers[0].error.code == "not_found"
