"""Cases in text files: what programs send, what is answered, what they are told.

``## RULE [socket, http]`` begins a case, tried over each transport.  People are ann, bob and eve,
a guest; ann2 is a second program of ann.  Lines of a case:

    duel {"best_of": 3}               the options, where they are not the usual ones
    ann, bob sit                      on seats 0 and 1; ``begin``: and get ready
    ann: sit [1] -> {"seat_id": 1}    a call and its result, or !! CODE TOKEN
    ann> TEXT -> ANSWER               a text and its answer or ``nothing``, or !! CODE TOKEN ID
    ann < ["player_sat", 0, "…"]      the next word of this name; [[…], […]]: with its whole batch
    ann heard [["player_sat", 0]]     all words after the last state
    ann state [["start_game"]]        the last state, which is one batch

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

from tests.games.duel.conformance.program import Program, seat

FOLDER = Path(__file__).parent / "cases"
TRANSPORTS = ("socket", "http")
PEOPLE = {"ann": 0, "bob": 1, "eve": None}
TITLE = re.compile(r"## (?P<rule>.+) \[(?P<transports>[a-z, ]+)\]")
STEP = re.compile(
    r"(?P<who>(?:(?:ann|bob|eve)\d?(?:, )?)+)(?P<verb>:|>| <| heard| state| sit$| begin$) ?"
    r"(?P<text>.*?)(?: (?P<way>->|!!) (?P<answer>.*))?"
)
TIMES = re.compile(r"«(?P<unit>.+?)(?:\*(?P<times>\d+))?»")
ANYTHING = "…"
#: The notification with which a state begins.
STATE = "receive_state"


#: Opens a duel with these options (None: only for HTTP) and returns it: ``enter`` returns a
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


def cases() -> list[Case]:
    return [case for path in sorted(FOLDER.rglob("*")) for case in read_cases(path)]


def read_cases(path: Path) -> list[Case]:
    """Return the cases of a file; raises ValueError where no runner would execute a line."""
    found: list[tuple[str, str, list[tuple[int, str]]]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if title := TITLE.fullmatch(line):
            found.append((title["rule"], title["transports"], []))
        elif line and not line.startswith("# "):
            # Over HTTP the calls themselves open duels.
            is_first = bool(found) and found[-1][1:] == ("socket", [])
            is_step = (is_first and line.startswith("duel {")) or STEP.fullmatch(line)
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
    if lines[0][1].startswith("duel "):
        options = json.loads(lines.pop(0)[1].removeprefix("duel "))
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
        if step["answer"] == "nothing":
            assert await self.answer(name, text, is_answered=False) is None
            return
        answer = outcome(await self.answer(name, text))
        while "error" in answer and answer["error"] == "1007 busy":
            await asyncio.sleep(0.1)
            answer = outcome(await self.answer(name, text))
        if step["way"] == "!!":
            code, token, *call_id = step["answer"].split()
            known_id = json.loads(call_id[0]) if call_id else 1 if verb == ":" else None
            self.require({"id": known_id, "error": f"{code} {token}"}, answer)
        elif verb == ":":
            self.require({"id": 1, "result": json.loads(step["answer"] or '"…"')}, answer)
        else:
            self.require(json.loads(step["answer"]), answer)

    async def answer(self, name: str, text: str, *, is_answered: bool = True) -> Any:
        """Send a text over the transport and return the answer to it, or None."""
        if self.is_http:
            status, answer = await self.room.post(text, PEOPLE[name[:3]])
            assert status == (200 if is_answered else 204), status
            return answer
        one = await self.program(name)
        if is_answered:
            answer = await one.ask(text)
        else:
            await one.line.send(text)
            await one.settle()
            answer = one.answers or None
        one.answers.clear()
        return answer

    async def told(self, one: Program, verb: str, pattern: Any) -> Any:
        """Return what a program was told, as lists."""
        if verb == "<":
            is_batch = isinstance(pattern[0], list)
            word = await one.until(pattern[0][0] if is_batch else pattern[0])
            batches = [words for words in map(words_of, one.messages) if list(word) in words]
            return batches[-1] if is_batch else list(word)
        await one.settle()
        batches = [words_of(message) for message in one.messages]
        last = max(n for n, words in enumerate(batches) if words[:1] and words[0][0] == STATE)
        return batches[last] if verb == "state" else list(chain(*batches[last + 1 :]))


def words_of(message: list[dict[str, Any]]) -> list[list[Any]]:
    """Return the notifications of a message, each as a list."""
    return [[w["method"], *w.get("params", [])] for w in message if "method" in w]


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
