"""One socket at one duel, as in tutorials: one transaction per action, then a group message."""

from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncJsonWebsocketConsumer
from django.db import transaction

from bench.baseline.models import Match, MatchEvent

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


class DuelConsumer(AsyncJsonWebsocketConsumer):
    """A player or a spectator."""

    async def connect(self) -> None:
        """Enter the match's group and show the state."""
        self.match_id = self.scope["url_route"]["kwargs"]["pk"]
        self.user, self.revision = self.scope["user"], 0
        self.seat, state = await self._load()
        self.group = f"match-{self.match_id}"
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.match_changed({"state": state})

    async def disconnect(self, code: int) -> None:
        """Leave the group."""
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: dict[str, Any], **kwargs: Any) -> None:
        """Store the throw, notify the group, acknowledge."""
        if content["type"] != "act":
            return
        hand = content["action"]["hand"]
        state = await self._throw(content["id"], content["phase"], hand)
        if state is None:
            await self.send_json({"type": "error", "id": content["id"], "code": "stale"})
            return
        await self.channel_layer.group_send(self.group, {"type": "match.changed", "state": state})
        await self.send_json({"type": "ack", "id": content["id"], "repeated": False})

    async def match_changed(self, event: dict[str, Any]) -> None:
        """Send the new state as this viewer may see it."""
        state, self.revision = event["state"], self.revision + 1
        own = state["hands"][self.seat] if self.seat is not None else None
        may_throw = self.seat is not None and own is None
        view = {
            "phase": state["throw"],
            "match": {"status": "running"},
            "you": {"seat": self.seat},
            "game": {
                "stage": "throwing",
                "wins": state["wins"],
                "in": [hand is not None for hand in state["hands"]],
                "throws": state["throws"],
                "you": {"hand": own, "legal": ["throw"] if may_throw else []},
            },
        }
        await self.send_json({"type": "view", "revision": self.revision, "view": view})

    @database_sync_to_async
    def _load(self) -> tuple[int | None, dict[str, Any]]:
        match = Match.objects.get(pk=self.match_id)
        seats = {match.first_id: 0, match.second_id: 1}
        return seats.get(self.user.pk), match.state

    @database_sync_to_async
    def _throw(self, action_id: str, number: int, hand: str) -> dict[str, Any] | None:
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=self.match_id)
            state = match.state
            if self.seat is None or state["throw"] != number or state["hands"][self.seat]:
                return None
            state["hands"][self.seat] = hand
            data = {"seat": self.seat, "hand": hand}
            MatchEvent.objects.create(match=match, actor=self.user, action_id=action_id, data=data)
            if all(state["hands"]):
                _reveal(state)
            match.save()
        return state


def _reveal(state: dict[str, Any]) -> None:
    one, two = state["hands"]
    if one != two:
        state["wins"][0 if BEATS[one] == two else 1] += 1
    state["throws"] = [*state["throws"], [one, two]][-20:]
    state["hands"], state["throw"] = [None, None], state["throw"] + 1
