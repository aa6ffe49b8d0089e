import pytest

from games.engine.errors import NotInPhase
from games.engine.facts import SeatNo
from games.matches.queries.commands import is_command, parse
from games.showdown.commands import COMMANDS
from games.text.typed import Action
from tests.games.sample_views import ACTIONS, NOON, RULES, in_a_round, table_view
from tests.games.showdown.contract import CONTRACT
from tests.refusals import refuses

OPEN = table_view(1)


def test_commands_of_the_rule_book_are_all_there() -> None:
    book = (
        "status stock buy add combine atk mine raise call fold rock paper scissors boulder wall "
        "blades sling mask shuriken lock unlock sit stand ready unready leave help"
    )
    names = {name for entry in COMMANDS for name in entry.names}
    assert set(book.split()) <= names


def test_commands_say_what_was_meant_and_raise_what_is_left() -> None:
    view = CONTRACT.views()["betting"]
    with refuses("command/usage", match="there are 4 to call"):
        parse("!check", view)
    view["game"]["you"]["raise_min"] = 2  # all in below the smallest raise
    assert parse("!raise", view) == Action({"kind": "raise_by", "amount": 2})
    with refuses("command/unknown", match="Did you mean !rock"):
        parse("!rok bob", OPEN)
    with refuses("command/unknown", match=r"no command “!xyzzy”\. !help"):
        parse("!xyzzy", OPEN)
    with refuses("command/ambiguous_player", match="“bo” could be bob or Bobby"):
        parse("!rock bo", table_view(0))


@pytest.mark.plain
def test_commands_call_players_as_posts_do_and_take_the_marks_of_other_keyboards() -> None:
    view = table_view(0)
    meant = parse("!rock bobby", view)
    for line in ("!rock @Bobby", "!rock Bobby,", "/rock @bobby:", "!rock @bobb."):
        assert parse(line, view) == meant
    for mark in "\uff01\ufe57\uff0f":
        assert parse(f"{mark}rock bobby", view) == meant
        assert is_command(f"{mark}rock bobby", view), "never published"
    for nobody in ("@", ",", "@@bobby", "@zed"):
        with refuses("command/unknown_player"):
            parse(f"!rock {nobody}", view)


def test_commands_refusals_speak_of_weapons_by_their_names() -> None:
    state = in_a_round(2)
    attack = ACTIONS.made_of({"kind": "attack", "weapon": "twin_blades", "target": 1})
    with refuses("action/not_in_stock", match=r"^you have no Twin Blades left to choose$"):
        RULES.apply(state, SeatNo(0), attack, NOON)
    with pytest.raises(NotInPhase, match="the betting is over"):
        RULES.apply(state, SeatNo(0), ACTIONS.made_of({"kind": "call"}), NOON)
