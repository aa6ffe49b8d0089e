from concurrent.futures import ThreadPoolExecutor

from games.realtime.hub import Hub, Room


def test_presence_counts_the_other_processes_until_they_report_nobody() -> None:
    with ThreadPoolExecutor(1) as executor:
        hub = Hub(executor, lambda snapshot: None)
        room = hub.rooms[1] = Room()
        hub.set_elsewhere({1: {"seats": [2], "watching": 3}, 7: {"seats": [0], "watching": 1}})
        assert room.viewers().everywhere == {"seats": [2], "watching": 3}
        hub.set_elsewhere({})
        assert room.viewers().everywhere == {"seats": [], "watching": 0}
