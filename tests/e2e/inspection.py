"""Checks of a page on the screen."""

import os
from collections.abc import Sequence

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

#: Screenshots go into this directory; no test looks at them.
DIRECTORY = os.environ.get("E2E_PICTURES")
SIZES = ((390, 844), (1280, 800))
THREE_SIZES = ((390, 844), (1366, 650), (1280, 800))
SET_THEME = "(theme) => { document.documentElement.dataset.theme = theme; }"

#: Boxes that stick out of the window, boxes that hide a part of their own text, and buttons
#: narrower than their words.
CLIPPED = """() => {
  const found = [];
  const look = (el) => {
    const style = getComputedStyle(el);
    // What is for ears alone is skipped with all that is in it.
    if (el.matches(".skip, svg, noscript") || style.clipPath !== "none") return;
    const isCutOnPurpose = style.textOverflow === "ellipsis";
    const box = el.getBoundingClientRect();
    const isSeen = el.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (isSeen && box.width >= 1 && box.height >= 1) {
      const text = (el.textContent || "").trim().slice(0, 30);
      const word = `${el.tagName.toLowerCase()}.${el.className} "${text}"`;
      if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${word}`);
      const cuts = ["hidden", "clip"].includes(style.overflowX) && !isCutOnPurpose;
      const isNarrow = el.scrollWidth > el.clientWidth + 1;
      if (cuts && isNarrow) found.push(`cut: ${word}`);
      if (isNarrow && el.matches(".btn:not(.btn-icon)")) found.push(`spills: ${word}`);
    }
    // What scrolls, or ends in an ellipsis, may hold something wider than the window.
    const mayHoldMore = isCutOnPurpose || ["auto", "scroll"].includes(style.overflowX);
    if (!mayHoldMore) [...el.children].forEach(look);
  };
  [...document.body.children].forEach(look);
  return found;
}"""

#: Words that are broken between two letters because their box is too narrow.
TORN = """() => {
  const found = [];
  const short = "h1, h2, h3, b, small, .btn, .chip, .mode-card span";
  for (const el of document.querySelectorAll(short)) {
    if (!el.checkVisibility() || el.closest("bdi, [hidden]")) continue;
    for (const node of [...el.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)) {
      for (const { 0: word, index } of node.data.matchAll(/[^\\s\\-\u2013\u00ad\u200b]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1 && word.length <= 14) found.push(`torn: ${word}`);
      }
    }
  }
  return found;
}"""

#: Fields without any name that a person or a screen reader could find.
NAMELESS = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
  .filter((field) => !field.labels.length && !field.matches("[aria-label], [aria-labelledby]"))
  .map((field) => field.name || field.id)"""

#: Fields with letters below 16 pixels, into which Safari zooms on phones.
SMALL_FIELDS = """() => [...document.querySelectorAll("input, select, textarea")]
  .filter((field) => !field.matches("[type=checkbox], [type=radio], [type=range], [type=hidden]"))
  .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
  .map((field) => `small letters: ${field.name || field.id || field.className}`)"""

#: What Preact draws again where a browser's translator would replace the texts.
TRANSLATED = """() => [...document.querySelectorAll("body *")]
  .filter((place) => place.__k && place.translate && !place.matches("[data-post]"))
  .map((place) => `translated: ${place.tagName} ${place.id}`)"""

#: What axe calls serious or critical, by its usual rules and two more; the answer holds nothing
#: else, because it crosses processes.
#: Of what axe can load beforehand its rules for a page use media, not style sheets.
BARRIERS = """async (rules) => {
  const on = { enabled: true };
  const more = { "label-content-name-mismatch": on, "target-size": on };
  // The impact of what a rule finds is the rule's: what would be left out below is not looked for.
  const isGrave = ({ impact }) => ["serious", "critical"].includes(impact);
  for (const rule of axe._audit.rules) if (!isGrave(rule)) more[rule.id] = { enabled: false };
  // A bar that stays at the foot hides a part of any page, and of targets below it.
  const bars = document.querySelectorAll(".bottom-nav, .done-bar, .toasts");
  for (const bar of bars) bar.style.setProperty("position", "static");
  const { violations } = await axe.run({
    ...(rules ? { runOnly: rules } : { rules: more }),
    resultTypes: ["violations"],
    preload: { assets: ["media"] },
  });
  for (const bar of bars) bar.style.removeProperty("position");
  const grave = violations.filter(isGrave);
  return grave.map(({ id, nodes }) =>
    `${id}: ${nodes.slice(0, 3).map(({ target }) => target[0]).join(", ")}`);
}"""


def take(page: Page, name: str, *, is_whole: bool = False) -> None:
    """Take a picture of the window, or of the whole page, if they are wanted."""
    if DIRECTORY is not None:
        page.screenshot(path=f"{DIRECTORY}/{name}.png", full_page=is_whole)


def clipped(page: Page) -> list[str]:
    """Return the elements that do not fit, by their boxes: a page may hide that it is wider."""
    return list(page.evaluate(CLIPPED))


def torn(page: Page) -> list[str]:
    return list(page.evaluate(TORN))


def small_fields(page: Page) -> list[str]:
    return list(page.evaluate(SMALL_FIELDS))


def translated(page: Page) -> list[str]:
    return list(page.evaluate(TRANSLATED))


def nameless(page: Page) -> list[str]:
    return list(page.evaluate(NAMELESS))


def barriers(page: Page, *rules: str) -> list[str]:
    """Return what axe calls serious or critical, by its usual rules or these; loads axe once."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    return list(page.evaluate(BARRIERS, list(rules) or None))


def wrong_in_all_looks(
    page: Page, name: str, sizes: Sequence[tuple[int, int]] = SIZES,
    *, set_theme: str = SET_THEME, allowed: tuple[str, ...] = (),
) -> list[str]:  # fmt: skip
    """Return what sticks out or bars the way in both themes; ``allowed`` are beginnings of that."""
    # Colours that still change are no theme's.
    page.emulate_media(reduced_motion="reduce")
    wrong = [f'no label: "{field}"' for field in nameless(page)]
    # In another theme only the colours differ.
    for theme, rules in (("dark", ()), ("light", ("color-contrast",))):
        page.evaluate(set_theme, theme)
        for width, height in sizes:
            page.set_viewport_size({"width": width, "height": height})
            take(page, f"{name}-{theme}-{width}", is_whole=sizes is SIZES)
            wrong += [f"{each} in {theme} at {width}" for each in clipped(page)]
            wrong += small_fields(page) if width < 400 else translated(page)
        wrong += barriers(page, *rules)
    return [f"{name}: {each}" for each in wrong if not each.startswith(allowed)]
