import math

import pytest

from bench import report
from bench.goals import AT_LEAST, AT_MOST, Goal
from bench.stats import middle, percentile, ratio, spread
from bench.tally import Tally


def test_bench_percentile_is_a_value_that_was_measured():
    for share, value in ((0.0, 1), (0.01, 1), (0.5, 50), (0.99, 99), (1.0, 100)):
        assert percentile(range(100, 0, -1), share) == value
    assert math.isnan(percentile([], 0.5))


def test_bench_middle_leaves_out_what_no_run_has_and_is_not_moved_by_one_bad_run():
    runs = [{"rate": 10.0, "p99": math.nan}, {"rate": 900.0, "p99": math.nan}, {"rate": 12.0}]
    assert middle(runs) == {"rate": 12.0}


def test_bench_spread_is_a_share_of_the_middle():
    assert spread([{"rate": 8.0}, {"rate": 10.0}, {"rate": 11.0}], "rate") == pytest.approx(0.3)
    assert math.isnan(spread([], "rate"))


def test_bench_ratio_has_no_meaning_without_something_to_compare_with():
    assert [ratio(3.0, other) for other in (None, 0.0, math.nan, 2.0)] == [None, None, None, 1.5]


def test_bench_goal_compares_two_setups_of_one_run():
    goal = Goal("t", ("duel", "one"), "rate", AT_LEAST, 2.0, ("duel", "two"))
    results = {("duel", "one"): {"rate": 30.0}, ("duel", "two"): {"rate": 10.0}}
    assert goal.reached(results) == 3.0
    assert goal.is_met(3.0)
    assert not goal.is_met(1.9)
    assert goal.reached({("duel", "one"): {"rate": 30.0}}) is None
    assert Goal("t", ("idle", "one"), "kib", AT_MOST, 40).is_met(40)


def test_bench_report_puts_ratios_first_and_hides_what_is_nothing():
    runs = {
        ("duel", "one"): [{"rate": 10.0, "refused": 0.0}],
        ("duel", "two"): [{"rate": 25.0, "refused": 0.0}],
        ("idle", "one"): [{"kib_a_socket": 30.0}],
    }
    text = report.scenario("duel", "throws", runs)
    assert "| two   | 2.50" in text
    assert "refused" not in text
    assert "KiB" not in text
    assert report.scenario("sweep", "none", runs) == ""


def test_bench_tally_counts_only_while_it_is_open():
    tally = Tally()
    tally.count(0.0)
    tally.is_open = True
    tally.count(0.0)
    tally.refuse("busy")
    told = {"rate": 0.5, "server_us": 500_000, "server_busy": 0.25, "refused": 1}
    assert told.items() <= tally.figures(2.0, {"server": 0.5}).items()
    assert tally.everything == 2
