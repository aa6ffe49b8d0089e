"""Measure answers whose time must reveal nothing: the second table of ``./run hostile``."""

import statistics
import time
from collections.abc import Callable

from tests.faults.pages import Pages
from tests.faults.rig import Rig, Web

SAMPLES = 60
PASSWORD = "a long password"
#: The first answers are not counted.
WARM = 5


def medians(rig: Rig, web: Web) -> bool:
    """Print how long answers take that must not tell what is there; whether they tell nothing."""
    carl, dora, eve = rig.hand("people", names=["carl", "dora", "eve"], password=PASSWORD)
    owners = rig.hand("people", names=[f"owner{n}" for n in range(SAMPLES + WARM)])
    for user in (carl, *owners):
        rig.hand("confirm", user=user["id"])
    hidden = rig.hand("start_game", users=[carl["id"], dora["id"]], listed=False, spectators=False)
    guest, stranger = Pages(web.address), Pages(web.address)
    token, reset = guest.token("/accounts/login/"), guest.token("/accounts/password/reset/")
    form = {"login": eve["name"], "password": PASSWORD}
    stranger.post("/accounts/login/", form, stranger.token("/accounts/login/"))
    adding = stranger.token("/accounts/email/")

    def log_in(login: str) -> int:
        return guest.post("/accounts/login/", {"login": login, "password": "wrong"}, token)

    def ask_reset(address: str) -> int:
        return guest.post("/accounts/password/reset/", {"email": address}, reset)

    def add(address: str) -> int:
        return stranger.post("/accounts/email/", {"action_add": "1", "email": address}, adding)

    def look(name: str) -> int:
        return stranger.get(f"/tables/{name}/")[0]

    many = SAMPLES + WARM
    emails = ["carl@example.org"] * many, ["nobody@example.org"] * many
    of_owners = [f"{owner['name']}@example.org" for owner in owners]
    names = [hidden["public_id"]] * many, ["A" * len(hidden["public_id"])] * many
    head = ("must not differ", "status", "there: median ms", "not there", "may differ by")
    print(f"\n| {' | '.join(head)} |\n|{'---|' * len(head)}", flush=True)
    alike = [
        are_alike("a hidden game and an invented one (9)", 5, look, *names),
        are_alike("an address that is added (46)", 20, add,
                  of_owners, [f"nobody{n}@example.org" for n in range(many)]),
        are_alike("a wrong log-in by name (47)", 20, log_in, ["carl"] * many, ["nobody"] * many),
        are_alike("a wrong log-in by address (47)", 20, log_in, *emails),
        are_alike("a reset asked for (47)", 20, ask_reset, *emails),
    ]  # fmt: skip
    return all(alike)


def are_alike(
    title: str, most_apart: float, ask: Callable[[str], int], there: list[str], absent: list[str]
) -> bool:
    """Ask what is there and what is not, in turn; print a row, and say whether both look alike."""
    taken: tuple[list[float], list[float]] = ([], [])
    statuses: tuple[set[int], set[int]] = (set(), set())
    for number, pair in enumerate(zip(there, absent, strict=True)):
        for side in (0, 1) if number % 2 else (1, 0):
            begun = time.perf_counter()
            statuses[side].add(ask(pair[side]))
            if number >= WARM:
                taken[side].append(1000 * (time.perf_counter() - begun))
    first, second = (statistics.median(each) for each in taken)
    told = ", ".join(map(str, sorted(statuses[0] | statuses[1])))
    print(f"| {title} | {told} | {first:.1f} | {second:.1f} | {most_apart:.0f} |", flush=True)
    return abs(first - second) <= most_apart and statuses[0] == statuses[1]
