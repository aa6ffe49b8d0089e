from games.realtime import limits
from games.realtime.limits import Bucket, LruDict


def test_last_users_drops_the_user_who_was_active_longest_ago(monkeypatch) -> None:
    monkeypatch.setattr(limits, "MOST_USERS", 2)
    values = LruDict[list[str]](list)
    values.of(1).append("first")
    values.of(2).append("second")
    values.of(1).append("third")
    assert (values.of(3), list(values), values.of(1)) == ([], [1, 3], ["first", "third"])
    assert values.of(2) == []


def test_bucket_says_when_it_has_a_token_again(clock) -> None:
    bucket = Bucket(2, 3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    assert bucket.pause == 0.5
    clock.now += 0.25
    assert not bucket.take()
    assert bucket.pause == 0.25
    clock.now += 0.25
    assert bucket.take()
