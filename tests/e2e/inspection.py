"""What can be wrong with a page that is on the screen."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Boxes that stick out of the window, and boxes that hide a part of their own text.
CLIPPED = """() => {
  const found = [];
  const above = function* (el) { for (let up = el; up; up = up.parentElement) yield up; };
  const scrolls = (el) => ["auto", "scroll"].includes(getComputedStyle(el).overflowX);
  const isForEars = (el) => [...above(el)].some((up) => getComputedStyle(up).clipPath !== "none");
  const isFree = (el) => [...above(el.parentElement)].some(scrolls);
  for (const el of document.querySelectorAll("body *")) {
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (el.closest(".skip, svg, noscript") || isForEars(el) || isFree(el)) continue;
    const box = el.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) continue;
    const text = (el.textContent || "").trim().slice(0, 30);
    const word = `${el.tagName.toLowerCase()}.${el.className} "${text}"`;
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${word}`);
    const style = getComputedStyle(el);
    const cuts = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
    if (cuts && el.scrollWidth > el.clientWidth + 1) found.push(`cut: ${word}`);
  }
  return found;
}"""

#: Fields without any name that a person or a screen reader could find.
NAMELESS = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
  .filter((field) => !field.labels.length && !field.matches("[aria-label], [aria-labelledby]"))
  .map((field) => field.name || field.id)"""

_axe = Axe()


def clipped(page: Page) -> list[str]:
    """Return the elements that do not fit, by their boxes: a page may hide that it is wider."""
    found: list[str] = page.evaluate(CLIPPED)
    return found


def nameless(page: Page) -> list[str]:
    """Return the fields without a label."""
    found: list[str] = page.evaluate(NAMELESS)
    return found


def barriers(page: Page) -> list[str]:
    """Return what axe calls serious or critical."""
    answer: dict[str, Any] = _axe.run(page).response
    return [
        f"{rule['id']}: {', '.join(str(node['target'][0]) for node in rule['nodes'][:3])}"
        for rule in answer["violations"]
        if rule["impact"] in ("serious", "critical")
    ]
