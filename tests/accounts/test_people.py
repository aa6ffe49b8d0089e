from functools import partial

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from accounts import people
from accounts.models import Relation
from accounts.people import Kind
from tests.at_once import all_at_once
from tests.games.match_kit import new_user

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_block_ends_the_follows_of_both_and_bars_new_ones() -> None:
    ann, bob = new_user("ann"), new_user("bob")
    people.relate(user_id=ann.pk, other_id=bob.pk, kind=Kind.FOLLOW)
    people.relate(user_id=bob.pk, other_id=ann.pk, kind=Kind.FOLLOW)
    people.relate(user_id=ann.pk, other_id=bob.pk, kind=Kind.BLOCK)
    assert not Relation.objects.filter(kind=Kind.FOLLOW).exists()
    for one, other in ((ann, bob), (bob, ann)):
        assert people.apart_from(one.pk) == {other.pk}
        with pytest.raises(ValidationError) as refused:
            people.relate(user_id=one.pk, other_id=other.pk, kind=Kind.FOLLOW)
        assert refused.value.code == "apart"
    people.unrelate(user_id=ann.pk, other_id=bob.pk, kind=Kind.BLOCK)
    people.relate(user_id=bob.pk, other_id=ann.pk, kind=Kind.FOLLOW)
    assert list(people.people_of(bob.pk, Kind.FOLLOW)) == [ann]


@pytest.mark.plain
@pytest.mark.django_db(transaction=True)
def test_relations_of_a_kind_are_limited_also_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST", 3)
    ann, *others = (new_user() for _ in range(11))

    def follow(other_id: int, kind: Kind = Kind.FOLLOW) -> str:
        try:
            people.relate(user_id=ann.pk, other_id=other_id, kind=kind)
        except ValidationError as refused:
            return str(refused.code)
        return ""

    codes = all_at_once([partial(follow, other.pk) for other in others])
    assert sorted(codes) == [""] * 3 + ["limit"] * 7
    assert Relation.objects.count() == 3
    again = [follow(other.pk) for other in others]
    assert again == codes, "who is followed is followed, and no other"
    assert follow(others[0].pk, Kind.MUTE) == ""
    assert Kind.MUTE in people.relations_to(ann.pk, others[0].pk)


@pytest.mark.plain
def test_chat_is_unheard_by_those_who_muted_the_author_and_on_both_sides_of_a_block() -> None:
    ann, bob, cid = (new_user() for _ in range(3))
    people.relate(user_id=ann.pk, other_id=bob.pk, kind=Kind.MUTE)
    people.relate(user_id=bob.pk, other_id=cid.pk, kind=Kind.BLOCK)
    found = people.unheard_by({ann.pk, bob.pk, cid.pk})
    assert found == {ann.pk: set(), bob.pk: {ann.pk, cid.pk}, cid.pk: {bob.pk}}


def test_a_picture_is_chosen_among_those_of_the_site() -> None:
    ann, client = new_user("ann"), Client()
    client.force_login(ann)
    page = reverse("avatar")
    assert client.post(page, {"avatar": "../../x"}).status_code == 422
    assert client.post(page, {"avatar": "stapler"}).status_code == 302
    assert b"avatars.svg#stapler" in client.get(reverse("profile", args=[ann.username])).content
    client.post(page, {"avatar": ""})
    ann.refresh_from_db()
    assert ann.avatar == ""
