"""The preview card of a finished match or round, drawn by Pillow in the site's own font."""

import io
import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpResponse
from PIL import Image, ImageDraw, ImageFont

SIZE: Final = (1200, 630)
#: Pixels of the wooden rail around the felt, and of the space inside.
RAIL, SPACE = 26, 64
#: The largest size of a headline for each of its most lines, its smallest size, and these lines.
LARGEST, SMALLEST, LINES = 32, 48, 3
FELT: Final = ((31, 107, 81), (15, 58, 44))
WOOD, BRASS, TEXT, GOLD = "#5a3f28", "#e0ab4a", "#f3efe2", "#ffd27a"
#: How long a card, or a page whose address has its digest, may be cached, in seconds.
KEPT: Final = 86_400
#: The most cards that a process draws in these seconds, and the most that it keeps.
BURST, SECONDS, MOST = 20, 10.0, 64
#: The size of the playing card, and its colours.
BADGE: Final = (250, 340)
PAPER, INK = "#fbf6e6", "#1a1305"
#: The houses of a town in 48 by 80, with the corner of the window of 12 by 14, as sky.js has them.
HOUSES: Final = (
    ((2, 80, 2, 42, 24, 20, 46, 42, 46, 80), (18, 48)),
    ((6, 80, 6, 30, 10, 30, 10, 22, 16, 22, 16, 30, 42, 30, 42, 80), (18, 42)),
    ((4, 80, 4, 50, 14, 50, 14, 26, 24, 8, 34, 26, 34, 50, 44, 50, 44, 80), (18, 30)),
    ((2, 80, 2, 46, 14, 30, 34, 30, 46, 46, 46, 80), (18, 50)),
    ((8, 80, 8, 34, 24, 24, 30, 28, 30, 14, 36, 14, 36, 32, 40, 34, 40, 80), (18, 44)),
)
WALL, LIT, DARK = "#060912", "#ffe08a", "#232c47"
#: The widest house, and the times by which houses are drawn too large, for smooth edges.
WIDEST, FINE = 108, 4


class CardText(NamedTuple):
    headline: str
    players: str
    game: str
    #: The word and the figure on the playing card at the right, if there is one.
    badge: tuple[str, str] | None = None
    #: Of a town, whether the light is on in each house.
    windows: Sequence[bool] = ()


class TooManyCards(Exception):
    """This process has drawn enough cards for the moment."""


class Cards:
    """The last cards of this process, by subject and digest, with a limit on drawing."""

    def __init__(self, burst: int = BURST, most: int = MOST) -> None:
        self._most = most
        #: Instants of the monotonic clock at which the last cards were drawn.
        self._drawn_at = deque([-math.inf] * burst, burst)
        self._held: OrderedDict[tuple[str, str], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, subject: str, digest: str, text: CardText) -> bytes:
        """Return a card as a JPEG picture; raises TooManyCards."""
        key = (subject, digest)
        with self._lock:
            if key not in self._held:
                now = time.monotonic()
                if now - self._drawn_at[0] < SECONDS:
                    raise TooManyCards
                self._drawn_at.append(now)
                self._held[key] = drawn(text)
            self._held.move_to_end(key)
            while len(self._held) > self._most:
                self._held.popitem(last=False)
            return self._held[key]


cards: Final = Cards()


def card_answer(subject: str, digest: str, text: CardText) -> HttpResponse:
    """Return a card as an answer; 429 for too many. ``digest``: of all that the card says."""
    try:
        picture = cards.of(subject, digest, text)
    except TooManyCards:
        return HttpResponse(status=429, headers={"Retry-After": "2"})
    response = HttpResponse(picture, content_type="image/jpeg")
    response["Cache-Control"] = f"public, max-age={KEPT}"
    response["ETag"] = f'"{digest}"'
    return response


def drawn(text: CardText) -> bytes:
    picture = _felt().copy()
    draw = ImageDraw.Draw(picture)
    width = SIZE[0] - 2 * (RAIL + SPACE)
    place = (RAIL + SPACE, RAIL + SPACE)
    draw.text(place, "Rock & Racket", font=_font(34, 700), fill=GOLD)
    if text.badge is not None:
        _draw_badge(draw, *text.badge)
    town = _town(text.windows, width)
    room = width - (BADGE[0] + SPACE if text.badge else 0)
    size, lines = _fitted(text.headline, room, LINES - bool(town.height))
    top = (SIZE[1] - town.height - len(lines) * size * 1.12) / 2
    for number, line in enumerate(lines):
        at = (RAIL + SPACE, top + number * size * 1.12)
        draw.text(at, line, font=_font(size, 800), fill=TEXT)
    picture.paste(town, (RAIL + SPACE, SIZE[1] - RAIL - SPACE - 54 - town.height), town)
    foot = _cut(f"{text.game} · {text.players}", width, 34)
    draw.text((RAIL + SPACE, SIZE[1] - RAIL - SPACE - 34), foot, font=_font(34, 500), fill=TEXT)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=88)
    return file.getvalue()


def _draw_badge(draw: ImageDraw.ImageDraw, word: str, figure: str) -> None:
    left, top = SIZE[0] - RAIL - SPACE - BADGE[0], (SIZE[1] - BADGE[1]) // 2
    box = (left, top, left + BADGE[0], top + BADGE[1])
    draw.rounded_rectangle(box, radius=26, fill=PAPER, outline=BRASS, width=4)
    middle = left + BADGE[0] / 2
    for text, size, share in ((figure, 76, 0.36), (word, 40, 0.74)):
        fitted = next(each for each in range(size, 16, -4) if _width(text, each) <= BADGE[0] - 32)
        draw.text((middle, top + BADGE[1] * share), text, INK, _font(fitted, 800), "mm")


def _town(windows: Sequence[bool], width: int) -> Image.Image:
    """Return the houses of a town beside each other; an empty picture for none."""
    step = min(WIDEST, width // max(1, len(windows)))
    size, scale = (step * len(windows), bool(windows) * step * 80 // 48), FINE * step / 48
    town = Image.new("RGBA", (FINE * size[0], FINE * size[1]))
    draw = ImageDraw.Draw(town)
    for no, is_lit in enumerate(windows):
        walls, (x, y) = HOUSES[(no * 3 + 1) % len(HOUSES)]
        for place, colour in (
            (walls, WALL),
            ((x, y, x + 12, y, x + 12, y + 14, x, y + 14), LIT if is_lit else DARK),
        ):
            xs, ys = place[::2], place[1::2]
            draw.polygon(
                [(scale * (48 * no + px), scale * py) for px, py in zip(xs, ys, strict=True)],
                fill=colour,
            )
    return town.resize(size) if windows else town


@cache
def _felt() -> Image.Image:
    picture = Image.new("RGB", SIZE, WOOD)
    draw = ImageDraw.Draw(picture)
    inner = SIZE[1] - 2 * RAIL
    for row in range(inner):
        share = row / inner
        colour = tuple(
            round(above + (below - above) * share)
            for above, below in zip(*FELT, strict=True)
        )  # fmt: skip
        draw.line((RAIL, RAIL + row, SIZE[0] - RAIL, RAIL + row), fill=colour)
    box = (RAIL, RAIL, SIZE[0] - RAIL, SIZE[1] - RAIL)
    draw.rectangle(box, outline=BRASS, width=3)
    return picture


@cache
def _font(size: int, weight: int) -> ImageFont.FreeTypeFont:
    path = settings.STATICFILES_DIRS[0] / "vendor/fonts/bricolage-grotesque.woff2"
    font = ImageFont.truetype(path, size)
    font.set_variation_by_axes([weight])
    return font


def _fitted(text: str, width: int, most: int) -> tuple[int, list[str]]:
    """Return the largest size at which a text fits in ``most`` lines, and its lines."""
    for size in range(LARGEST * most, SMALLEST, -8):
        lines = _wrapped(text, width, size)
        if len(lines) <= most and all(_width(line, size) <= width for line in lines):
            return size, lines
    return SMALLEST, [
        _cut(line, width, SMALLEST) for line in _wrapped(text, width, SMALLEST)[:most]
    ]


def _wrapped(text: str, width: int, size: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and _width(longer, size) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def _cut(text: str, width: int, size: int) -> str:
    if _width(text, size) <= width:
        return text
    while text and _width(f"{text}…", size) > width:
        text = text[:-1]
    return f"{text}…"


def _width(text: str, size: int) -> float:
    return _font(size, 800).getlength(text)
