from games.realtime.flow_control import UNSEEN_VIEWS, FlowControl

NOW = "2026-11-22T12:00:00.000Z"


def lagging() -> FlowControl:
    """Return a window that holds back a view, because its client has confirmed none."""
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


def test_flow_control_sends_what_was_held_back_to_a_client_that_has_caught_up(clock) -> None:
    shown = lagging()
    sent = shown.seen(UNSEEN_VIEWS, NOW)
    assert sent is not None
    assert "one more" in sent
    clock.now += 20
    assert not shown.is_lost()


def test_flow_control_keeps_a_client_that_has_caught_up_though_it_was_shown_the_same_again(
    clock,
) -> None:
    shown = lagging()
    # Things are as they were before: nothing is held back any more.
    assert shown.offer(b'{"view":%d}' % (UNSEEN_VIEWS - 1), NOW) is None
    assert shown.seen(UNSEEN_VIEWS, NOW) is None
    clock.now += 20
    assert not shown.is_lost()
