import gzip
from datetime import UTC, timedelta

import pytest
from django.urls import reverse
from post_office.models import Email

from accounts.models import User
from economy.units import Unit
from games import registry
from games.api.operations import allowances
from games.engine.draws import commitment
from games.matches.models import Match
from games.proofs.commitments import sequence
from games.showdown.shopping import buy_weapon
from tests.accounts.kit import confirm
from tests.games.duel.kit import DuelKit
from tests.games.table_kit import TableKit, new_user
from tests.hostile.kit import browser

pytestmark = pytest.mark.django_db
REASON = "the operator had his reasons"


def test_hostile_39_no_page_holds_a_secret_of_others() -> None:
    ann, bob = new_user(), new_user()
    buy_weapon(user_id=ann.pk, unit=Unit.LANDMINE, quantity=1, action_id="shopping-01")
    kit = TableKit(ann, bob, seats=2)
    kit.start()
    kit.call_all()
    urls = [reverse(name, args=[kit.match.public_id]) for name in ("table", "table_log")]

    def seen() -> list[str]:
        pages = [client.get(url) for client in (browser(bob), browser()) for url in urls]
        return [page.content.decode() for page in pages]

    before = seen()
    kit.act(ann, kind="mine", target=1)
    kit.act(ann, kind="attack", weapon="paper", target=1)
    after = seen()
    for text in (*before, *after):
        assert kit.row.seed not in text
        assert kit.row.seed_commitment in text
    views = [[part for part in text.split() if '"phase"' in part] for text in before]
    assert views == [[part for part in text.split() if '"phase"' in part] for text in after]


def test_hostile_42_games_are_told_by_no_mail(settings) -> None:
    """Nor by a push: there is none. What waits in the bell is a fixed text of each game."""
    settings.EMAIL_BACKEND = "post_office.EmailBackend"
    people = [new_user(), new_user()]
    for user in people:
        user.email = f"{user.username}@example.org"
        user.save()
        confirm(user)
    table = TableKit(*people, seats=2, target=3)
    table.start()
    table.play_to_the_end()
    duel = DuelKit(*people)
    duel.now = table.now
    duel.start()
    duel.throw("rock", "paper")
    assert not Email.objects.exists()
    for game in registry.tables():
        assert all("{" not in text for text in game.speech.notices.values())


def test_hostile_71_every_commitment_is_listed_with_what_became_of_it():
    over, void, running, hidden = (
        TableKit(new_user(), new_user(), seats=2, **more)
        for more in ({}, {}, {}, {"listed": False})
    )
    for kit in (over, void, running):
        kit.start()
    over.act(over.people[0], kind="leave")
    void.void("the operator had his reasons")
    rows = {match.seed_commitment: match for match in Match.objects.all()}
    days = {match.opened_at.astimezone(UTC).date().isoformat() for match in rows.values()}
    told = [browser().get(reverse("seeds", args=[day, 0])).json() for day in days]
    listed = {each["commitment"]: each for day in told for each in day["matches"]}
    assert set(listed) == set(rows)
    assert sum(day["count"] for day in told) == len(rows) == 4
    for promise, each in listed.items():
        match = rows[promise]
        assert each["status"] == match.status
        assert each["seed"] == (None if match.is_live or not match.listed else match.seed)
        assert (
            match.is_live or commitment(match.seed, match.public_id, match.rules_version) == promise
        )
    of = {kit.match.seed_commitment: kit for kit in (over, void, running, hidden)}
    assert {listed[p]["status"] for p in of} == {"over", "void", "running", "open"}
    assert listed[void.match.seed_commitment]["void_reason"] == REASON
    assert listed[hidden.match.seed_commitment]["public_id"] is None
    for wrong in (("yesterday", 0), ("9999-12-31", 0), ("2026-11-22", 10**30)):
        assert browser().get(reverse("seeds", args=wrong)).status_code == 404


def test_hostile_71_seed_of_an_unlisted_match_is_for_its_players_alone() -> None:
    over, void = (TableKit(new_user(), new_user(), seats=2, listed=False) for _ in range(2))
    for kit in (over, void):
        kit.start()
    over.act(over.people[0], kind="leave")
    reason = "a private word"
    void.void(reason)
    sequence(over.now, is_whole=True)
    sequence(over.now + timedelta(days=2), is_whole=True)
    day = over.row.opened_at.astimezone(UTC).date().isoformat()
    staff = User.objects.create_superuser("boss")
    pages = [
        reverse("seeds", args=[day, 0]),
        reverse("log_day", args=[day]),
        f"/api/v1/commitments/{day}/seeds",
        f"/api/v1/commitments/{day}",
    ]
    for viewer in (None, new_user(), over.people[0], staff):
        for page in pages:
            allowances.clear()
            answer = browser(viewer).get(page)
            assert answer.status_code == 200, page
            body = answer.getvalue()
            told = (gzip.decompress(body) if page.endswith(".gz") else body).decode()
            for kit in (over, void):
                is_of_seeds = page.endswith("/seeds")
                assert (kit.match.seed_commitment in told) is not is_of_seeds
                assert kit.row.seed not in told
                assert kit.match.public_id not in told
            assert reason not in told
        allowances.clear()
        proof = browser(viewer).get(reverse("match_proof", args=[over.match.public_id]))
        assert (proof.status_code == 200) is (viewer in over.people), viewer
