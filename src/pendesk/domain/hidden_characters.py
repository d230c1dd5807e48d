"""Characters that show nothing, or turn the order of what follows: a text may say by them what no person sees.

One rule for all: people and agents read a mark in their place, the preview of a build names them, and what guests and
imports bring loses them. What writing needs is none of them: a joiner within a Persian or Indic word or an emoji, the
selector that makes a symbol an emoji or chooses the form of an ideograph, one mark of direction in a text that is
written from right to left, and the three flags that are made of tags.
"""

import re
import unicodedata
from collections import Counter

NAMED = 3  # kinds of characters that a remark names

# Controls but tab and line ends; soft hyphen; marks of direction; fillers, joiners and blanks without width; selectors;
# marks of annotation, shorthand and music; tags.
_CLASS = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff"
)
_ANY = re.compile(f"[{_CLASS}]")
_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_RIGHT_TO_LEFT = re.compile("[\u0590-\u05ff\u0600-\u061b\u061d-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
# Scripts whose words have joiners in them: Arabic to Sinhala, Myanmar, Khmer, Mongolian.
_JOINED = "\u0600-\u061b\u061d-\u0dff\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1810-\u18af"
_SYMBOL = "#*0-9\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
_IDEOGRAPH = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_FLAG_TAGS = "|".join(
    "".join(chr(0xE0000 + ord(letter)) for letter in region) + "\U000e007f" for region in ("gbeng", "gbsct", "gbwls")
)
_NEEDED = re.compile(
    f"(?<=\U0001f3f4)(?:{_FLAG_TAGS})"
    f"|(?<=[{_JOINED}])[\u200c\u200d](?=[{_JOINED}])"
    f"|(?<=[{_SYMBOL}])[\ufe0e\ufe0f](?:\u200d(?=[{_SYMBOL}]))?(?![\ufe00-\ufe0f])"
    f"|(?<=[{_SYMBOL}])\u200d(?=[{_SYMBOL}])"
    f"|(?<=[{_IDEOGRAPH}])[\ufe00-\ufe02\U000e0100-\U000e01ef](?![{_CLASS}])"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f](?![\u180b-\u180f])"
)
_SINGLE_DIRECTION = re.compile(f"(?<![{_CLASS}])[\u061c\u200e\u200f](?![{_CLASS}])")


def has_hidden(text: str) -> bool:
    return _ANY.search(text) is not None and bool(hidden_runs(text))


def has_turning(text: str) -> bool:
    """Whether something in it turns the order in which it is shown."""
    return _TURNING.search(text) is not None


def hidden_runs(text: str) -> list[tuple[int, int]]:
    """Where they are, as (start, end); those that stand together are one."""
    if not _ANY.search(text):
        return []
    needed = {place for match in _NEEDED.finditer(text) for place in range(*match.span())}
    if _RIGHT_TO_LEFT.search(text):
        needed |= {match.start() for match in _SINGLE_DIRECTION.finditer(text)}
    runs: list[tuple[int, int]] = []
    for match in _ANY.finditer(text):
        place = match.start()
        if place in needed:
            continue
        if runs and runs[-1][1] == place:
            runs[-1] = (runs[-1][0], place + 1)
        else:
            runs.append((place, place + 1))
    return runs


def split_at_hidden(text: str) -> list[tuple[str, bool]]:
    """The text in pieces, each with whether it is a run of hidden characters."""
    pieces: list[tuple[str, bool]] = []
    at = 0
    for start, end in hidden_runs(text):
        pieces += [(text[at:start], False), (text[start:end], True)]
        at = end
    return [(piece, is_hidden) for piece, is_hidden in [*pieces, (text[at:], False)] if piece]


def mark_of_run(run: str) -> str:
    """The first by its number, and how many follow: a long run must not become a longer text."""
    return f"U+{ord(run[0]):04X}" + (f" +{len(run) - 1}" if len(run) > 1 else "")


def mark_hidden(text: str) -> str:
    """As agents and terminals get it."""
    if not _ANY.search(text):
        return text
    return "".join(f"[{mark_of_run(piece)}]" if is_hidden else piece for piece, is_hidden in split_at_hidden(text))


def remove_hidden(text: str) -> str:
    """Until none is left: what stood on both sides of one may be hidden only once it is gone."""
    while runs := hidden_runs(text):
        kept, at = [], 0
        for start, end in runs:
            kept.append(text[at:start])
            at = end
        text = "".join([*kept, text[at:]])
    return text


def name_of(character: str) -> str:
    return unicodedata.name(character, "control or unassigned character").lower()


def describe_hidden(text: str) -> str:
    """Which ones, and how many of each: "U+200B zero width space (2)"; empty where there are none.

    First those that turn the order of the text, for one is enough to mislead.
    """
    counts = Counter(character for start, end in hidden_runs(text) for character in text[start:end])
    worst_first = sorted(counts.most_common(), key=lambda kind: not has_turning(kind[0]))
    words = [f"U+{ord(character):04X} {name_of(character)} ({count})" for character, count in worst_first[:NAMED]]
    if len(counts) > NAMED:
        words.append(f"{len(counts) - NAMED} more kinds")
    return ", ".join(words)
