from dataclasses import dataclass

from games.realtime.sessions import Stamp
from games.realtime.socket_registry import SocketRegistry


@dataclass(eq=False)
class Somebody:
    address: str
    stamp: Stamp | None = None


def test_socket_registry_counts_who_is_there_and_forgets_who_has_gone() -> None:
    stamp = Stamp("session", 7, "ann", "hash")
    ann, again, guest = Somebody("a", stamp), Somebody("b", stamp), Somebody("a")
    crowd = SocketRegistry()
    for socket in (ann, again, guest):
        crowd.add(socket)
    assert (len(crowd), crowd.count_from("a"), crowd.count_from("c")) == (3, 2, 0)
    assert set(crowd.of_user(7)) == {ann, again}
    for socket in crowd:
        crowd.discard(socket)
        crowd.discard(socket)
    assert (len(crowd), crowd.count_from("a"), crowd.of_user(7), crowd._addresses) == (0, 0, [], {})
    assert crowd._of_user == {}
