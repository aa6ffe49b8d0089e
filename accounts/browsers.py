"""Names of browsers for people: "Firefox on Windows"."""

from typing import Final

#: A mark in a browser's User-Agent, and the browser's name. Most also claim to be Chrome or Safari,
#: so the first that is found counts. Own lines: two words do not justify a library's rules of 1 MB.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Macintosh", "Mac"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def name_of_browser(user_agent: str) -> str:
    """Return a browser's name and system, in this module's words alone.
    >>> name_of_browser("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox on Linux'
    """
    browser = next((name for mark, name in _BROWSERS if mark in user_agent), "Unknown browser")
    system = next((name for mark, name in _SYSTEMS if mark in user_agent), "")
    return f"{browser} on {system}" if system else browser
