"""The name that a person knows a browser by, read from its User-Agent header."""

import re

# Most browsers also claim to be those further down.
_BROWSERS = [
    ("Edge", r"Edg(?:A|iOS)?/(\d+)"),
    ("Opera", r"OPR/(\d+)"),
    ("Firefox", r"(?:Firefox|FxiOS)/(\d+)"),
    ("Chrome", r"(?:Chrome|CriOS|HeadlessChrome|Chromium)/(\d+)"),
    ("Safari", r"Version/(\d+).*Safari/"),
]
_SYSTEMS = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("macOS", "Mac OS X|Macintosh"),
    ("ChromeOS", "CrOS"),
    ("Linux", "Linux"),
]
_LONGEST = 60


def browser_name(user_agent: str) -> str:
    """`Firefox 128 on Linux`; words of its own where it is none of those that are known."""
    for name, pattern in _BROWSERS:
        if version := re.search(pattern, user_agent):
            system = next((system for system, sign in _SYSTEMS if re.search(sign, user_agent)), "")
            return f"{name} {version[1]}" + (f" on {system}" if system else "")
    return user_agent[:_LONGEST] or "A browser"
