"""A person who sees nothing: the accessibility tree is all output, and keys are all input."""

import re
import time
from dataclasses import dataclass
from typing import Any

from tests.boot import PATIENCE
from tests.e2e.player import Player

#: The roles of live regions.
LIVE = ("log", "status", "alert")
#: More than any page has stops.
MOST_TABS = 200


@dataclass(frozen=True, slots=True)
class Node:
    """One node of the tree: its words are its name, or else the text below it."""

    role: str
    words: str
    is_focused: bool
    is_pressed: bool
    is_off: bool


class Ears:
    """Reads one page by its accessibility tree, as Chromium gives it to a screen reader."""

    def __init__(self, player: Player) -> None:
        self.page = player.page
        self._session = player.context.new_cdp_session(player.page)

    def tree(self) -> list[Node]:
        """Return all nodes that a screen reader gets, in the order of the page."""
        given = self._session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in given}
        return [_node(node, by_id) for node in given if not node.get("ignored")]

    def find(self, role: str, words: str) -> list[Node]:
        return [
            node
            for node in self.tree()
            if re.fullmatch(role, node.role) and re.search(words, node.words)
        ]

    def wait(self, role: str, words: str, seconds: float = PATIENCE) -> Node:
        """Wait until such a node is there."""
        return self._until(lambda: self.find(role, words), f"{role} {words!r}", seconds)[0]

    def hear(self, words: str, seconds: float = PATIENCE) -> None:
        """Wait until a live region says this."""
        self._until(lambda: re.findall(words, self.said()), f"to hear {words!r}", seconds)

    def said(self) -> str:
        """Return what the live regions hold."""
        return "\n".join(node.words for node in self.tree() if node.role in LIVE)

    def focused(self) -> Node:
        """Return the innermost node with the focus; one without words while it is nowhere."""
        nowhere = Node("", "", is_focused=False, is_pressed=False, is_off=False)
        return next((node for node in reversed(self.tree()) if node.is_focused), nowhere)

    def wait_for_focus(self, role: str, words: str, seconds: float = PATIENCE) -> str:
        """Wait until the focus is on such a node, without a key; return its words."""

        def look() -> list[Node]:
            node = self.focused()
            return [node] if re.fullmatch(role, node.role) and re.search(words, node.words) else []

        return self._until(look, f"focus on {role} {words!r}", seconds)[0].words

    def go_to(self, role: str, words: str) -> Node:
        """Press Tab until the focus is on such a node."""
        self.wait(role, words)
        for _ in range(MOST_TABS):
            node = self.focused()
            if node.role == role and re.search(words, node.words):
                return node
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {role} {words!r}")

    def try_to_press(self, words: str) -> None:
        """Press a button, unless it is not there, is off, or goes before a Tab gets to it."""
        for _ in range(MOST_TABS):
            node = self.focused()
            if node.role == "button" and re.search(words, node.words):
                return self.page.keyboard.press("Enter")
            if all(node.is_off for node in self.find("button", words)):
                return None
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no Tab leads to {words!r}")

    def press(self, words: str, role: str = "button") -> None:
        """Go to a button or link and press Enter."""
        self.go_to(role, words)
        self.page.keyboard.press("Enter")

    def _until(self, look: Any, what: str, seconds: float) -> list[Node]:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := look():
                return list(found)
            self.page.wait_for_timeout(50)
        heard = [node for node in self.tree() if node.words and "Text" not in node.role]
        lines = "\n".join(f"{node.role}: {node.words[:160]}" for node in heard)
        raise AssertionError(f"not there: {what}\nfocus: {self.focused()}\n{lines}")


def _text(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> str:
    if node["role"]["value"] == "StaticText":
        return str(node.get("name", {}).get("value", ""))
    below = (by_id[each] for each in node.get("childIds", ()) if each in by_id)
    return " ".join(filter(None, (_text(each, by_id) for each in below)))


def _node(node: dict[str, Any], by_id: dict[str, dict[str, Any]]) -> Node:
    role = str(node["role"]["value"])
    name = str(node.get("name", {}).get("value", ""))
    properties = {one["name"]: one["value"].get("value") for one in node.get("properties", ())}
    return Node(
        role=role,
        # Of a live region its text is what is said, not its name.
        words=" ".join(_text(node, by_id).split()) if role in LIVE else name,
        is_focused=bool(properties.get("focused")),
        is_pressed=properties.get("pressed") == "true",
        is_off=bool(properties.get("disabled")),
    )
