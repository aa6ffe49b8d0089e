import pytest

from tests.faults.rig import Hand, Rig

pytestmark = [pytest.mark.processes, pytest.mark.slow, pytest.mark.fault_profile]

SEED = "c4" * 32
BEGIN = "2026-11-21T12:00:00+00:00"


def test_replay_gives_the_same_bytes_under_two_hash_seeds(rig: Rig) -> None:
    played = []
    for number in ("1", "2"):
        hand = Hand(rig.var / f"hash-{number}.log", rig.environment | {"PYTHONHASHSEED": number})
        try:
            names = [f"player{number}-{n}" for n in range(4)]
            played.append(hand("play_game", names=names, seed=SEED, at=BEGIN, target=3))
        finally:
            hand.close()
    one, other = rig.hand("texts", matches=played)
    assert len(one[1]) > 500
    assert one == other
    for number in ("1", "2"):
        said = rig.manage("replay_match", PYTHONHASHSEED=number)
        assert "2 matches replayed to the same bytes" in said
    rig.manage("audit_ledger", "--whole")
    assert rig.alarms() == []
