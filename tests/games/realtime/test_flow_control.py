import pytest

from games.realtime.view_socket import UNSEEN_VIEWS, FlowControl

NOW = "2026-11-22T12:00:00.000Z"


def lagging() -> FlowControl:
    shown = FlowControl()
    for no in range(UNSEEN_VIEWS):
        assert shown.offer(b'{"view":%d}' % no, NOW) is not None
    assert shown.offer(b'{"view":"one more"}', NOW) is None
    return shown


def test_flow_control_gives_a_client_up_that_lags_for_long(clock) -> None:
    shown = lagging()
    clock.now += 14
    assert not shown.is_lost()
    clock.now += 2
    assert shown.is_lost()


@pytest.mark.parametrize("is_as_before", [False, True])
def test_flow_control_keeps_a_client_that_has_caught_up(clock, is_as_before: bool) -> None:
    shown = lagging()
    if is_as_before:
        # Nothing is held back any more.
        assert shown.offer(b'{"view":%d}' % (UNSEEN_VIEWS - 1), NOW) is None
        assert shown.seen(UNSEEN_VIEWS, NOW) is None
    else:
        assert "one more" in shown.seen(UNSEEN_VIEWS, NOW)
    clock.now += 20
    assert not shown.is_lost()
