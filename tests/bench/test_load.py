"""The plan and the input of ``./run load``; tests/faults/test_load.py plays it."""

import pytest

from bench.load.__main__ import main
from bench.load.asking import SEATS
from bench.load.client import Place
from bench.load.plan import PROFILES, Plan, changed, shares

HERE = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["http://192.0.2.1:8000"], "--yes-this-is-mine"),
        ([HERE, "--arena", "-1"], "--arena must not be negative."),
        ([HERE, "--games", "poker"], "There is no table game poker"),
        ([HERE, "--think", "0"], "--think must be"),
        ([HERE, "--seconds", "nan"], "--seconds must be"),
        ([HERE, "--generators", "9"], "--generators must be"),
        ([HERE, "--matches", "0", "--spectators", "1"], "Spectators need a match"),
        ([HERE, "--lurkers", "90000000"], "open files"),
        ([f"{HERE}/lobby/"], "is not a site's address"),
        (["http://127.0.0.1:99999999"], "is not a site's address"),
        (["ftp://127.0.0.1"], "is not a site's address"),
        ([HERE], "No site answers at"),
        (["--web", "0"], "--web must be"),
        (["--towns", "-1"], "--towns must be"),
    ],
)
def test_load_refuses_bad_input_with_one_sentence(words, sentence, capsys) -> None:
    assert main(words) == 2
    said, problem = capsys.readouterr()
    assert sentence in problem
    assert (said, len(problem.splitlines())) == ("", 1)


@pytest.mark.parametrize("generators", [1, 3])
def test_load_shares_give_everybody_one_place_and_an_address(generators: int) -> None:
    plan = changed(Plan(matches=7, people=40, lurkers=9, train=6), {"generators": generators})
    accounts = [{"id": no, "cookie": "c", "token": ""} for no in range(plan.accounts)]
    parts = list(shares(plan, [Place("127.0.0.1", 1, "site")], accounts, "run-"))
    everybody = []
    for part in parts:
        everybody += part.people + part.fighters + part.lurkers + part.spectators + part.guests
        everybody += part.riders
    assert sorted(person.id for person in everybody if person.id) == list(range(1, plan.accounts))
    assert len({person.source for person in everybody}) == len(everybody)
    assert sum(len(part.games) for part in parts) == plan.matches
    for part in parts:
        assert len(part.people) >= sum(SEATS[game] for game in part.games)


def test_load_profiles_are_plans() -> None:
    assert all(changed(Plan(**profile), {}).sockets > 0 for profile in PROFILES.values())
