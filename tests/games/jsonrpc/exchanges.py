"""Cases in text files: what programs send, what is answered, what they are told.

``## RULE [socket, http]`` begins a case, tried over each transport.  People are ann, bob and eve,
a guest; ann2 is a second program of ann, and ann/http her calls over HTTP.  Lines of a case:

    table {"best_of": 3}              the options, where they are not the usual ones
    ann, bob sit                      on seats 0 and 1; ``begin``: and get ready
    ann: sit [1] -> {"seat_id": 1}    a call and its result, or !! CODE TOKEN
    ann> TEXT -> ANSWER               a text and its answer or ``nothing``, or !! CODE TOKEN ID, or
                                      HTTP STATUS
    ann < ["player_sat", 0, "…"]      the next word of this name; [[…], […]]: with its whole batch
    ann heard [["player_sat", 0]]     all words after the last state
    ann state [["start_game"]]        the last state, which is one message
    ann leaves                        the end of its socket

In what is expected "…" is anything, as the name of a member any more of them, and "<name>" the
same each time.  In texts «x*65» is 65 times x, and «U+FEFF» a character.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from tests.games.jsonrpc.program import Program, seat, word_of

TRANSPORTS = ("socket", "http")
PEOPLE = {"ann": 0, "bob": 1, "eve": None}
TITLE = re.compile(r"## (?P<rule>.+) \[(?P<transports>[a-z, ]+)\]")
OPTIONS = re.compile(r"(?:table|duel) (\{.*\})")
STEP = re.compile(
    r"(?P<who>(?:(?:ann|bob|eve)(?:\d|/http)?(?:, )?)+)"
    r"(?P<verb>:|>| <| heard| state| sit$| begin$| leaves$) ?"
    r"(?P<text>.*?)(?: (?P<way>->|!!) (?P<answer>.*))?"
)
TIMES = re.compile(r"«(?P<unit>.+?)(?:\*(?P<times>\d+))?»")
ANYTHING = "…"
#: The notification with which a state begins, or which is one.
STATES = ("receive_state", "state")


#: Opens a table with these options (None: only for HTTP) and returns it: ``enter`` returns a
#: program of a player that was told the state, ``post`` the status and answer over HTTP, decoded.
Place = Callable[[dict[str, Any] | None], Awaitable[Any]]


class Case(NamedTuple):
    """A rule, tried over one transport: the numbered lines of one file."""

    file: str
    rule: str
    transport: str
    lines: tuple[tuple[int, str], ...]

    @property
    def id(self) -> str:
        return f"{self.rule} [{self.transport}]"


def cases(folder: Path) -> list[Case]:
    return [case for path in sorted(folder.rglob("*.txt")) for case in read_cases(path)]


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file; raises ValueError where no runner would execute a line."""
    found: list[tuple[str, str, list[tuple[int, str]]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if title := TITLE.fullmatch(line):
            found.append((title["rule"], title["transports"], []))
        elif line and not line.startswith("# "):
            # Over HTTP the calls themselves open duels.
            is_first = bool(found) and found[-1][1:] == ("socket", [])
            is_step = (is_first and OPTIONS.fullmatch(line)) or STEP.fullmatch(line)
            if not found or not is_step:
                raise ValueError(f"{path.name}:{number}: nobody executes {line!r}")
            found[-1][2].append((number, line))
    for rule, transports, lines in found:
        if not lines or not set(transports.split(", ")) <= set(TRANSPORTS):
            raise ValueError(f"{path.name}: nobody executes {rule!r}")
    return [
        Case(path.name, rule, transport, tuple(lines))
        for rule, transports, lines in found
        for transport in transports.split(", ")
    ]


async def play(case: Case, place: Place) -> "Exchange":
    """Play a case in a place; raises AssertionError at a line that comes out otherwise."""
    lines, options = list(case.lines), {}
    if given := OPTIONS.fullmatch(lines[0][1]):
        options, lines = json.loads(given[1]), lines[1:]
    is_http = case.transport == "http"
    exchange = Exchange(await place(None if is_http else options), is_http)
    for number, line in lines:
        step = STEP.fullmatch(line)
        assert step is not None
        try:
            await exchange.take(step)
        except (AssertionError, TimeoutError) as problem:
            raise AssertionError(f"{case.file}:{number}: {line}\n{problem!r}") from problem
    return exchange


class Exchange:
    """A case that is played: its programs, by name, and the values of its placeholders."""

    def __init__(self, room: Any, is_http: bool) -> None:
        self.room, self.is_http = room, is_http
        self.programs: dict[str, Program] = {}
        self.known: dict[str, Any] = {}

    async def take(self, step: re.Match[str]) -> None:
        """Take one step of the case, with each person that it names."""
        names, verb = step["who"].split(", "), step["verb"].strip()
        if verb in ("sit", "begin"):
            programs = [await self.program(name) for name in names]
            return await seat(*programs, is_beginning=verb == "begin")
        for name in names:
            if verb in (":", ">"):
                await self.say(name, verb, step)
            elif verb == "leaves":
                await self.programs.pop(name).line.close()
            else:
                pattern = json.loads(step["text"])
                self.require(pattern, await self.told(await self.program(name), verb, pattern))
        return None

    def require(self, pattern: Any, found: Any) -> None:
        assert fits(pattern, found, self.known), f"{found!r} instead of {pattern!r}"

    async def program(self, name: str) -> Program:
        """Return a person's program, which comes in when it is first named."""
        if name not in self.programs:
            self.programs[name] = await self.room.enter(PEOPLE[name[:3]])
        return self.programs[name]

    async def say(self, name: str, verb: str, step: re.Match[str]) -> None:
        text = TIMES.sub(repeated, step["text"])
        for placeholder, value in self.known.items():
            text = text.replace(placeholder, str(value))
        if verb == ":":
            method, _, params = text.partition(" ")
            text = f'{{"jsonrpc":"2.0","method":"{method}","params":{params or "[]"},"id":1}}'
        wanted = step["answer"] or '"…"'
        answer, status = await self.answer(name, text, wanted)
        if wanted.startswith("HTTP ") or wanted == "nothing":
            assert status == int(wanted.removeprefix("HTTP ").replace("nothing", "204"))
            return None
        assert status == 200
        answer = outcome(answer)
        if "error" in answer and answer["error"] == "1007 busy":
            await asyncio.sleep(0.1)
            return await self.say(name, verb, step)
        if step["way"] == "!!":
            code, token, *call_id = step["answer"].split()
            known_id = json.loads(call_id[0]) if call_id else 1 if verb == ":" else None
            self.require({"id": known_id, "error": f"{code} {token}"}, answer)
        elif verb == ":":
            self.require({"id": 1, "result": json.loads(wanted)}, answer)
        else:
            self.require(json.loads(wanted), answer)
        return None

    async def answer(self, name: str, text: str, wanted: str) -> tuple[Any, int]:
        """Send a text over the transport; return the answer and its status, 204 for none."""
        if self.is_http or name.endswith("/http"):
            status, answer = await self.room.post(text, PEOPLE[name[:3]])
            return answer, status
        one = await self.program(name)
        if wanted != "nothing":
            return await one.ask(text), 200
        await one.line.send(text)
        await one.settle()
        return None, 200 if one.answers else 204

    async def told(self, one: Program, verb: str, pattern: Any) -> Any:
        """Return what a program was told, as lists."""
        if verb == "<":
            is_batch = isinstance(pattern[0], list)
            word = await one.until(pattern[0][0] if is_batch else pattern[0])
            batches = [words for words in map(words_of, one.messages) if list(word) in words]
            return batches[-1] if is_batch else list(word)
        await one.settle()
        batches = [words_of(message) for message in one.messages]
        last = max(n for n, words in enumerate(batches) if words[:1] and words[0][0] in STATES)
        return batches[last] if verb == "state" else list(chain(*batches[last + 1 :]))


def words_of(message: list[dict[str, Any]]) -> list[list[Any]]:
    """Return the notifications of a message, each as a list."""
    return [list(word_of(each)) for each in message if "method" in each]


def repeated(found: re.Match[str]) -> str:
    """Return what «x*65» or «U+FEFF» stands for."""
    unit = found["unit"]
    unit = chr(int(unit.replace("U+", "0x"), base=0)) if unit.startswith("U+") else unit
    return unit * int(found["times"] or 1)


def outcome(answer: Any) -> Any:
    """Check that answers are as the standard says, and return them with errors in short."""
    if isinstance(answer, list):
        return [outcome(each) for each in answer]
    assert answer["jsonrpc"] == "2.0"
    assert answer.keys() in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"})
    if "result" in answer:
        return {"id": answer["id"], "result": answer["result"]}
    error = answer["error"]
    assert isinstance(error["message"], str)
    return {"id": answer["id"], "error": f"{error['code']} {error['data']['token']}"}


def fits(pattern: Any, found: Any, known: dict[str, Any]) -> bool:
    """Whether something is as expected; remembers what stands for a placeholder."""
    if pattern == ANYTHING:
        return True
    if isinstance(pattern, str) and re.fullmatch(r"<\w+>", pattern):
        return bool(known.setdefault(pattern, found) == found)
    if type(pattern) is not type(found):
        return False
    if isinstance(pattern, dict):
        names = pattern.keys() - {ANYTHING}
        are_there = names <= found.keys() if ANYTHING in pattern else names == found.keys()
        return are_there and all(fits(pattern[name], found[name], known) for name in names)
    if isinstance(pattern, list):
        return len(pattern) == len(found) and all(
            fits(*pair, known) for pair in zip(pattern, found, strict=True)
        )
    return bool(pattern == found)
