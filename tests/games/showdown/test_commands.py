"""Typed commands become the actions of the buttons, or a sentence that says what is wrong."""

from typing import Any

import pytest

from economy.units import Unit
from games.engine.errors import NotInPhase, NotInStock
from games.engine.facts import SPECTATOR, Instant, SeatNo
from games.matches.queries.commands import answer, confirmation, parse
from games.showdown.commands import COMMANDS, PRICE_LIST, PURCHASE, STOCK
from games.showdown.rules.state import TableState
from games.text import typed as grammar
from games.text.typed import Action, Query, SideCommand
from tests.games.sample_views import ACTIONS, NOON, RULES, game_view, start, table_view

OPEN = table_view(1)


def in_a_round(seats: int = 4) -> TableState:
    """Return a game in its first round, after everybody has checked."""
    state = start(seats).state
    while RULES.view(state, SPECTATOR)["stage"] == "betting":
        seat = RULES.pending_seats(state)[0]
        state = RULES.apply(state, seat, ACTIONS.made_of({"kind": "call"}), NOON).state
    return state


def typed(text: str, view: dict[str, Any]) -> dict[str, Any]:
    """Return the action that a line becomes."""
    command = parse(text, view)
    assert isinstance(command, Action)
    return command.action


def view_on_turn() -> dict[str, Any]:
    """Return the view of whose turn it is after somebody raised by 4."""
    state = start(3).state
    raised = ACTIONS.made_of({"kind": "raise_by", "amount": 4})
    state = RULES.apply(state, RULES.pending_seats(state)[0], raised, NOON).state
    return game_view(state, RULES.pending_seats(state)[0])


# Every command ---------------------------------------------------------------------------

PLAIN = ["call", "fold", "reset", "lock", "unlock", "stand", "unready", "rematch"]


@pytest.mark.parametrize("kind", PLAIN)
@pytest.mark.parametrize("change", [str.lower, str.upper, str.title])
def test_commands_plain_words_in_any_case(kind: str, change: Any) -> None:
    assert parse("!" + change(kind), OPEN) == Action({"kind": kind})


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("!atk r tessio", {"kind": "attack", "weapon": "rock", "target": 0}),
        ("!ATK P TESSIO", {"kind": "attack", "weapon": "paper", "target": 0}),
        ("!attack s tessio", {"kind": "attack", "weapon": "scissors", "target": 0}),
        ("!atk o tessio", {"kind": "attack", "weapon": "boulder", "target": 0}),
        ("!atk w tessio", {"kind": "attack", "weapon": "wall", "target": 0}),
        ("!atk b tessio", {"kind": "attack", "weapon": "twin_blades", "target": 0}),
        ("!atk l tessio", {"kind": "attack", "weapon": "sling", "target": 0}),
        ("!atk m tessio", {"kind": "attack", "weapon": "mask", "target": 0}),
        ("!atk h tessio", {"kind": "attack", "weapon": "shuriken", "target": 0}),
        ("!atk blades tessio", {"kind": "attack", "weapon": "twin_blades", "target": 0}),
        ("!atk Twin_Blades tessio", {"kind": "attack", "weapon": "twin_blades", "target": 0}),
        ("!atk reset", {"kind": "reset"}),
        ("!Atk RESET", {"kind": "reset"}),
        ("!rock tessio", {"kind": "attack", "weapon": "rock", "target": 0}),
        ("!paper tessio", {"kind": "attack", "weapon": "paper", "target": 0}),
        ("!scissors tessio", {"kind": "attack", "weapon": "scissors", "target": 0}),
        ("!boulder tessio", {"kind": "attack", "weapon": "boulder", "target": 0}),
        ("!wall tessio", {"kind": "attack", "weapon": "wall", "target": 0}),
        ("!blades tessio", {"kind": "attack", "weapon": "twin_blades", "target": 0}),
        ("!sling tessio", {"kind": "attack", "weapon": "sling", "target": 0}),
        ("!mask tessio", {"kind": "attack", "weapon": "mask", "target": 0}),
        ("!shuriken tessio", {"kind": "attack", "weapon": "shuriken", "target": 0}),
        ("!combine r p", {"kind": "combine", "first": "rock", "second": "paper"}),
        ("!COMBINE Scissors s", {"kind": "combine", "first": "scissors", "second": "scissors"}),
        ("!add PAPER", {"kind": "add", "weapon": "paper"}),
        ("!add r", {"kind": "add", "weapon": "rock"}),
        ("!mine tessio", {"kind": "mine", "target": 0}),
        ("!raise 7", {"kind": "raise_by", "amount": 7}),
        ("!bot", {"kind": "add_bot"}),
        ("!unbot tessio", {"kind": "remove_bot", "seat": 0}),
        ("!check", {"kind": "call"}),
    ],
)
def test_commands_become_actions(text: str, action: dict[str, Any]) -> None:
    assert parse(text, OPEN) == Action(action)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("!status", Query("status")),
        ("!stock", Query("stock")),
        ("!help", Query("help")),
        ("!help me please", Query("help")),
        ("!buy", SideCommand(PRICE_LIST, {}, is_guests=True, changes=False)),
        ("!buy rock", SideCommand(PURCHASE, {"unit": Unit.ROCK, "quantity": 1})),
        ("!BUY Paper 5", SideCommand(PURCHASE, {"unit": Unit.PAPER, "quantity": 5})),
        ("!buy SCISSORS 99", SideCommand(PURCHASE, {"unit": Unit.SCISSORS, "quantity": 99})),
        ("!buy landmine 2", SideCommand(PURCHASE, {"unit": Unit.LANDMINE, "quantity": 2})),
    ],
)
def test_commands_that_are_no_actions(text: str, command: Any) -> None:
    assert parse(text, OPEN) == command


def test_commands_ready_carries_the_options_that_were_seen() -> None:
    assert parse("!ready", OPEN) == Action({"kind": "ready", "configuration": 3})


def test_commands_sit_takes_the_first_free_seat_with_the_purse_on_offer() -> None:
    view = table_view(None, ("tessio", None, "bob", None))
    assert parse("!sit", view) == Action({"kind": "sit"})
    assert parse("!sit 25", view) == Action({"kind": "sit", "purse": 25})


def test_commands_raise_alone_is_the_smallest_allowed() -> None:
    view = view_on_turn()
    assert parse("!raise", view) == Action({"kind": "raise_by", "amount": 4})
    view["game"]["you"]["raise_min"] = 2  # all in below the smallest raise
    assert parse("!raise", view) == Action({"kind": "raise_by", "amount": 2})


def test_commands_raise_alone_without_a_turn_is_left_to_the_rules() -> None:
    assert parse("!raise", OPEN) == Action({"kind": "raise_by", "amount": 1})
    assert typed("!raise", game_view(in_a_round(), None))["kind"] == "raise_by"


def test_commands_leave_gives_up_a_running_game_and_else_the_seat() -> None:
    assert parse("!leave", game_view(in_a_round(), 1)) == Action({"kind": "leave"})
    assert parse("!leave", game_view(in_a_round(), None)) == Action({"kind": "stand"})
    assert parse("!leave", OPEN) == Action({"kind": "stand"})


def test_commands_actions_are_read_by_the_rules() -> None:
    """The engine accepts the actions of typed commands in a round."""
    state = in_a_round()
    for text in (
        "!combine r r",
        "!boulder tes",
        "!atk s TOM",
        "!wall bobby",
        "!atk reset",
        "!lock",
    ):
        if text.startswith("!wall"):
            text = text.replace("wall", "paper")
        action = typed(text, game_view(state, 1))
        state = RULES.apply(state, SeatNo(1), ACTIONS.made_of(action), Instant(NOON + 1)).state
    assert game_view(state, 1)["game"]["you"]["locked"]


# Names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("word", "seat"),
    [("tessio", 0), ("TE", 0), ("bobby", 2), ("bobb", 2), ("bob", 1), ("BOB", 1), ("to", 3)],
)
def test_commands_names_may_be_shortened_and_a_whole_name_wins(word: str, seat: int) -> None:
    view = table_view(None, ("tessio", "bob", "Bobby", "tom"))
    assert typed(f"!rock {word}", view)["target"] == seat


def test_commands_a_short_name_means_an_opponent_before_oneself() -> None:
    view = table_view(3)  # tom
    assert typed("!rock t", view)["target"] == 0  # tessio
    assert typed("!rock tom", view)["target"] == 3  # for the rules to refuse


def test_commands_an_ambiguous_name_lists_the_candidates() -> None:
    with pytest.raises(grammar.AmbiguousPlayer, match="“bo” could be bob or Bobby") as refusal:
        parse("!rock bo", table_view(0))
    assert refusal.value.code == "command/ambiguous_player"
    assert refusal.value.detail["candidates"] == "bob or Bobby"


@pytest.mark.parametrize("word", ["x", "bobbyy", "essio", "2"])
def test_commands_an_unknown_name_is_said(word: str) -> None:
    with pytest.raises(grammar.UnknownPlayer, match=f"“{word}”") as refusal:
        parse(f"!mine {word}", OPEN)
    assert refusal.value.code == "command/unknown_player"


def test_commands_free_seats_have_no_name() -> None:
    with pytest.raises(grammar.UnknownPlayer):
        parse("!rock n", table_view(0, ("tessio", None, None, "tom")))


# What is wrong ---------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["!flod", "!", "! fold", "fold", "", "!__class__", "!atk\u0130"])
def test_commands_unknown_ones_point_to_help(text: str) -> None:
    with pytest.raises(grammar.UnknownCommand, match="!help") as refusal:
        parse(text, OPEN)
    assert refusal.value.code == "command/unknown"


@pytest.mark.parametrize(
    "text",
    [
        "!atk", "!atk r", "!atk x bob", "!atk r bob now", "!rock", "!rock bob tom", "!combine r",
        "!combine r o", "!combine r p s", "!add", "!add boulder", "!add landmine", "!mine",
        "!raise x", "!raise 0", "!raise -5", "!raise +5", "!raise 1.5", "!raise 1e3", "!raise ٣",
        "!raise 9999999999999", "!raise 1 2", "!fold now", "!sit x", "!sit 0", "!buy gun",
        "!buy rock 0", "!buy rock x", "!buy rock 1 1", "!ready 3", "!lock it", "!status all",
    ],
)  # fmt: skip
def test_commands_wrong_words_are_answered_with_the_right_form(text: str) -> None:
    with pytest.raises(grammar.BadUsage) as refusal:
        parse(text, OPEN)
    assert refusal.value.code == "command/usage"
    usage = str(refusal.value.detail["usage"])
    assert usage.startswith("!")
    assert usage in str(refusal.value)


# The table -------------------------------------------------------------------------------


def test_commands_names_are_unique_and_every_row_is_filled() -> None:
    names = [name for entry in COMMANDS for name in entry.names]
    assert len(names) == len(set(names))
    for entry in COMMANDS:
        assert entry.usage.startswith(f"!{entry.names[0]}")
        assert entry.about


def test_commands_of_the_rule_book_are_all_there() -> None:
    book = (
        "status stock buy add combine atk mine raise call fold rock paper scissors boulder wall "
        "blades sling mask shuriken lock unlock sit stand ready unready leave help"
    )
    names = {name for entry in COMMANDS for name in entry.names}
    assert set(book.split()) <= names


# Answers ---------------------------------------------------------------------------------


def test_commands_help_lists_every_form_in_groups_with_what_is_possible_first() -> None:
    text = answer(Query("help"), OPEN)
    assert all(text.count(f"{entry.usage}: ") == 1 for entry in COMMANDS)
    headings = [line for line in text.splitlines() if line.endswith(":")]
    groups = ["You can now:", "Any time:", "At the table:", "In the betting:", "In a round:"]
    assert headings == sorted(headings, key=groups.index)
    assert set(headings) == set(groups)
    now = text.partition("Any time:")[0]
    assert "!ready" in now
    assert "!fold" not in now
    betting = answer(Query("help"), view_on_turn()).partition("Any time:")[0]
    assert "!fold" in betting
    assert "!ready" not in betting


def test_commands_of_other_sites_are_understood_or_a_near_one_is_named() -> None:
    view = view_on_turn()
    price = view["game"]["you"]["call_amount"]
    assert price == 4
    with pytest.raises(grammar.BadUsage, match="there are 4 to call"):
        parse("!check", view)
    assert parse("!bet 5", view) == Action({"kind": "raise_by", "amount": 5})
    most = view["game"]["you"]["raise_max"]
    assert parse("!allin", view) == Action({"kind": "raise_by", "amount": most})
    assert parse("!shop", OPEN) == parse("!buy", OPEN)
    assert parse("!twin bob", OPEN) == parse("!blades bob", OPEN)
    assert parse("/help", OPEN) == Query("help")
    with pytest.raises(grammar.UnknownCommand, match="Did you mean !rock"):
        parse("!rok bob", OPEN)
    with pytest.raises(grammar.UnknownCommand, match=r"no command “!xyzzy”\. !help"):
        parse("!xyzzy", OPEN)


def test_commands_status_names_the_winner_of_each_pot() -> None:
    view = game_view(in_a_round(2), 0)
    pots = [
        {"amount": 6, "tax": 0, "shares": {"0": 6}},
        {"amount": 10, "tax": 1, "shares": {"0": 4, "1": 5}},
    ]
    view["game"] |= {"stage": "over", "result": {"winners": [0], "pots": pots}}
    lines = answer(Query("status"), view).splitlines()
    assert lines[1:3] == ["Main pot of 6: tessio 6.", "Side pot 1 of 10: tessio 4 and bob 5."]


def test_commands_refusals_speak_of_weapons_by_their_names() -> None:
    state = in_a_round(2)
    attack = ACTIONS.made_of({"kind": "attack", "weapon": "twin_blades", "target": 1})
    with pytest.raises(NotInStock, match=r"^you have no Twin Blades left to choose$"):
        RULES.apply(state, SeatNo(0), attack, NOON)
    with pytest.raises(NotInPhase, match="the betting is over"):
        RULES.apply(state, SeatNo(0), ACTIONS.made_of({"kind": "call"}), NOON)


def test_commands_stock_tells_permanent_temporary_and_chosen() -> None:
    state = in_a_round(2)
    attack = ACTIONS.made_of({"kind": "attack", "weapon": "rock", "target": 1})
    state = RULES.apply(state, SeatNo(0), attack, NOON).state
    text = answer(Query("stock"), game_view(state, 0, stock={"landmine": 2}))
    assert text.splitlines() == [
        "You have 100 points. Your stash: 2 Landmine.",
        "In this game: 2 Rock, 3 Paper, 3 Scissors.",
        "Chosen: Rock on bob.",
    ]


def test_commands_stock_before_a_game_and_for_spectators() -> None:
    assert answer(Query("stock"), OPEN) == "You have 100 points. Your stash: nothing."
    assert parse("!stock", table_view(None)) == SideCommand(STOCK, {}, changes=False)


def test_commands_status_before_a_game_tells_who_is_ready() -> None:
    text = answer(Query("status"), table_view(0, ("tessio", "bob", None)))
    assert text.splitlines() == [
        "Back Room No. 7: no game is running.",
        "tessio: purse 50, ready.",
        "bob: purse 50, not ready.",
    ]


def test_commands_status_of_the_betting_tells_pot_and_turn() -> None:
    view = view_on_turn()
    assert "It is your turn: 4 to call." in answer(Query("status"), view)
    other = view | {"game": view["game"] | {"you": None}}
    assert "'s turn." in answer(Query("status"), other)


def test_commands_status_of_a_round_tells_points_and_own_choices() -> None:
    text = answer(Query("status"), game_view(in_a_round(2), 0))
    assert text.startswith("Round 1, first to 5 victory points. 2 points in the pot.")
    assert "bob: 0 victory points, 1 in the pot." in text
    assert "You have 9 weapons: 3 Rock, 3 Paper, 3 Scissors." in text
    assert text.endswith("You have not locked in.")


def test_commands_status_after_a_game_tells_who_took_it() -> None:
    state = start(2).state
    seat = RULES.pending_seats(state)[0]
    state = RULES.apply(state, seat, ACTIONS.made_of({"kind": "fold"}), NOON).state
    text = answer(Query("status"), game_view(state, None))
    assert ("it went to bob" in text) != ("it went to tessio" in text)
    assert "folded" in text


def test_commands_status_after_a_void_game() -> None:
    text = answer(Query("status"), game_view(RULES.void(start(2).state).state, None))
    assert text.startswith("The game was called off")


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ({"kind": "attack", "weapon": "sling", "target": 2}, "You attack Bobby with a Sling."),
        ({"kind": "attack", "weapon": "paper", "target": 0}, "You attack tessio with Paper."),
        ({"kind": "combine", "first": "rock", "second": "paper"}, "You make a Sling."),
        ({"kind": "combine", "first": "scissors", "second": "scissors"}, "You make Twin Blades."),
        (
            {"kind": "add", "weapon": "rock"},
            "You bring in a Rock from your stash. Others only see that you added something.",
        ),
        ({"kind": "mine", "target": 0}, "You plant a landmine under tessio. Only you know."),
        ({"kind": "raise_by", "amount": 4}, "You raise 4."),
        ({"kind": "sit", "seat": 1, "purse": 80}, "You sit down with 80 points."),
        ({"kind": "remove_bot", "seat": 0}, "You send tessio away."),
        ({"kind": "call"}, "You check."),
    ],
)
def test_commands_confirmations(action: dict[str, Any], words: str) -> None:
    assert confirmation(action, OPEN) == words


def test_commands_confirmation_of_a_call_names_the_amount() -> None:
    assert confirmation({"kind": "call"}, view_on_turn()) == "You call 4."


def test_commands_every_action_that_can_be_typed_has_a_confirmation() -> None:
    lines = [
        "!rock tessio", "!atk reset", "!combine r r", "!add r", "!mine tessio", "!raise 1", "!call",
        "!fold", "!lock", "!unlock", "!stand", "!ready", "!unready", "!bot", "!rematch",
    ]  # fmt: skip
    for line in lines:
        assert confirmation(typed(line, OPEN), OPEN) not in ("", "Done.")
    assert confirmation({"kind": "leave"}, OPEN) == "You give up this game."
