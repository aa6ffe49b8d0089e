"""The preview card of a finished match or round, drawn by Pillow in the site's own font."""

import io
import math
import threading
import time
from collections import OrderedDict, deque
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings
from django.http import HttpResponse
from PIL import Image, ImageDraw, ImageFont

SIZE: Final = (1200, 630)
#: Pixels of the wooden rail around the felt, and of the space inside.
RAIL, SPACE = 26, 64
#: The largest and the smallest size of the headline, and its most lines.
LARGEST, SMALLEST, LINES = 96, 48, 3
FELT: Final = ((31, 107, 81), (15, 58, 44))
WOOD, BRASS, TEXT, GOLD = "#5a3f28", "#e0ab4a", "#f3efe2", "#ffd27a"
#: How long a card, or a page whose address has its digest, may be cached, in seconds.
KEPT: Final = 86_400
#: The most cards that a process draws in these seconds, and the most that it keeps.
BURST, SECONDS, MOST = 20, 10.0, 64
#: The size of the playing card, and its colours.
BADGE: Final = (250, 340)
PAPER, INK = "#fbf6e6", "#1a1305"


class CardText(NamedTuple):
    headline: str
    players: str
    game: str
    #: The word and the figure on the playing card at the right, if there is one.
    badge: tuple[str, str] | None = None


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
    size, lines = _fitted(text.headline, width - (BADGE[0] + SPACE if text.badge else 0))
    top = (SIZE[1] - len(lines) * size * 1.12) / 2
    for number, line in enumerate(lines):
        at = (RAIL + SPACE, top + number * size * 1.12)
        draw.text(at, line, font=_font(size, 800), fill=TEXT)
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


def _fitted(text: str, width: int) -> tuple[int, list[str]]:
    """Return the largest size at which a text fits, and its lines."""
    for size in range(LARGEST, SMALLEST, -8):
        lines = _wrapped(text, width, size)
        if len(lines) <= LINES and all(_width(line, size) <= width for line in lines):
            return size, lines
    return SMALLEST, [
        _cut(line, width, SMALLEST) for line in _wrapped(text, width, SMALLEST)[:LINES]
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
