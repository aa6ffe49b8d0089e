import pytest
from django.utils import timezone

from accounts import devices
from games.mafia.agora.game import KNOWING
from games.mafia.agora.rules.roles import MAFIA, Role
from games.matches.models import SealedRead
from games.reads.scoring import score_ended
from tests.games.mafia.agora.kit import TownKit, everybody_else_acts, town
from tests.games.match_kit import new_user
from tests.games.reads.kit import answer, seal

pytestmark = pytest.mark.django_db


def lynch(kit: TownKit, seat: int) -> None:
    while kit.play.stage == "night":
        kit.run_out()
    for user in kit.alive:
        if kit.play.stage == "day" and kit.row.is_live:
            kit.act(user, kind="vote", choice=seat)


@pytest.mark.plain
@pytest.mark.parametrize("role", [Role.CITIZEN, Role.SHERIFF, Role.DETECTIVE, Role.AGENT])
def test_agora_the_dead_seal_reads_and_only_at_the_end_it_is_decided_who_knew(role):
    kit = town(9)
    user = kit.user_of(role)
    own = kit.seat(user)
    lynch(kit, own)
    sealed = seal(user, kit, 1, *(no for no in range(9) if no != own))
    assert sealed["seats"] == [no for no in range(9) if no != own]
    read = SealedRead.objects.get()
    assert (read.hidden, read.knew) == (3, None), "the same for every role"
    kit.end()
    score_ended()
    assert SealedRead.objects.get().knew is (role in KNOWING)


@pytest.mark.plain
def test_agora_a_saved_citizen_knew_something():
    kit = town(9)
    saved, other, *_ = (c.no for c in kit.play.citizens if c.role == Role.CITIZEN)
    kit.act(kit.user_of(Role.DOCTOR), kind="choose", target=saved)
    kit.act(kit.user_of(Role.MAFIOSO), kind="choose", target=saved)
    kit.run_out()
    lynch(kit, saved)
    seal(kit.people[saved], kit)
    lynch(kit, other)
    seal(kit.people[other], kit)
    kit.end()
    score_ended()
    knew = dict(SealedRead.objects.values_list("user", "knew"))
    assert knew == {kit.people[saved].pk: True, kit.people[other].pk: False}


@pytest.mark.plain
def test_agora_revealed_dead_are_not_asked_and_hidden_ones_are():
    for reveals in (True, False):
        kit, watcher = town(9, reveal_on_death=reveals), new_user("watcher")
        mafioso = kit.seat(kit.user_of(Role.MAFIOSO))
        lynch(kit, mafioso)
        asked = answer(watcher, kit)[1]["seats"]
        assert (mafioso in asked) is not reveals
        seal(watcher, kit)
        hidden = SealedRead.objects.get(match=kit.match).hidden
        assert hidden == sum(c.role in MAFIA for c in kit.play.citizens if c.no in asked)
        kit.end()
        score_ended()
        assert SealedRead.objects.get(match=kit.match).score == 0


@pytest.mark.plain
def test_agora_who_was_replaced_is_a_player_still_for_company_and_for_the_score():
    kit = town(7, substitutes=True, phase_seconds=600)
    seat = kit.seat(kit.user_of(Role.CITIZEN))
    everybody_else_acts(kit, seat)
    old, friend = kit.people[seat], new_user("friend")
    kit.people[seat] = new_user("new")
    kit.act(kit.people[seat], kind="take_over", seat=seat)
    assert answer(friend, kit)[1]["seats"]
    for no, user in enumerate((old, friend)):
        address = f"198.51.100.{no}"
        devices.note(user_id=user.pk, token="t" * 43, address=address, at=timezone.now())
    assert answer(friend, kit)[1]["error"]["code"] == "forbidden"
    seal(old, kit)
    kit.end()
    assert not kit.row.is_live
    score_ended()
    assert SealedRead.objects.get().knew
