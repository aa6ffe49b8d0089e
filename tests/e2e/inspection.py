"""What can be wrong with a page that is on the screen."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

#: Boxes that stick out of the window, and boxes that hide a part of their own text.
CLIPPED = """() => {
  const found = [];
  const scrolls = (el) => ["auto", "scroll"].includes(getComputedStyle(el).overflowX);
  const isFree = (el) => { for (let up = el.parentElement; up; up = up.parentElement) if (scrolls(up)) return true; return false; };
  const isForEars = (el) => { for (let up = el; up; up = up.parentElement) if (getComputedStyle(up).clipPath !== "none") return true; return false; };
  for (const el of document.querySelectorAll("body *")) {
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (el.closest(".skip, svg, noscript") || isForEars(el) || isFree(el)) continue;
    const box = el.getBoundingClientRect();
    if (box.width < 1 || box.height < 1) continue;
    const word = `${el.tagName.toLowerCase()}.${el.className} "${(el.textContent || "").trim().slice(0, 30)}"`;
    if (box.left < -1 || box.right > innerWidth + 1) found.push(`outside: ${word}`);
    const style = getComputedStyle(el);
    const cuts = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
    if (cuts && el.scrollWidth > el.clientWidth + 1) found.push(`cut: ${word}`);
  }
  return found;
}"""

#: Fields without any name that a person or a screen reader could find.
NAMELESS = """() => [...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
  .filter((field) => !field.labels.length && !field.getAttribute("aria-label") && !field.getAttribute("aria-labelledby"))
  .map((field) => field.name || field.id)"""

_axe = Axe()


def clipped(page: Page) -> list[str]:
    """Return the elements that do not fit, told by their boxes: a page may hide that it is wider."""
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
