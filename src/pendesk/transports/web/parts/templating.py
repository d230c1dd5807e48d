"""Jinja, set up once: everything is escaped, and a name that is not there is an error, never a blank."""

import asyncio
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from pendesk import __version__, clock
from pendesk.domain.access import find_tool_set
from pendesk.domain.claim import sign_age
from pendesk.domain.limits import WORDS_CHARS, Limits
from pendesk.domain.mention import emphasize_mentions
from pendesk.domain.plain_text import without_markdown
from pendesk.domain.scope_rules import describe_rule, prose_of, read_rule
from pendesk.domain.search import split_and_flag_query_matches
from pendesk.transports.markdown.prose import PageMarkdown, render_guest_markdown, render_markdown, render_markdown_line
from pendesk.transports.web.parts import labels
from pendesk.transports.web.parts.activity_phrases import step_phrase, tool_phrase
from pendesk.transports.web.parts.assets import asset_url_path
from pendesk.transports.web.parts.browser_name import browser_name
from pendesk.transports.web.parts.card_html import CardHtml
from pendesk.transports.web.parts.control_effects import pause_effect, resume_effect, stop_effect
from pendesk.transports.web.parts.diff_html import visible
from pendesk.transports.web.parts.glossary import GLOSSARY
from pendesk.transports.web.parts.hidden_marks import mark_hidden_on_page
from pendesk.transports.web.parts.icons import ICON_SHAPES
from pendesk.transports.web.parts.navigation import PROJECT_TABS, SETTINGS, SIDEBAR

_UNITS = [(31_536_000, "y"), (2_592_000, "mo"), (604_800, "w"), (86_400, "d"), (3_600, "h"), (60, "m")]
_LENGTHS = [(86_400, "d"), (3_600, "h"), (60, "min")]
JUST_NOW_S = 45
HUES = 6  # .hue-0 to .hue-5 in controls.css
LABELS = (
    "WATCH_REASONS",
    "ACTION_STATES",
    "ACTIVITY_STATES",
    "AVAILABILITY",
    "CHECKS",
    "CURES",
    "HIDDEN",
    "CLAIM_STATES",
    "CONNECTION",
    "CRITERION_STATES",
    "DELIVERY_STATES",
    "EVIDENCE",
    "GROUPS",
    "INBOX_KINDS",
    "ITEM_DECISIONS",
    "MERGE_STATES",
    "PROJECT_STATES",
    "PROPOSAL_STATES",
    "PULL_REQUEST_STATES",
    "STALE_CODE",
    "WITHOUT_GROUP",
)


def _build_environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("pendesk.transports.web"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,  # templates change with the program; looking whether they did costs a call for each
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"asset": asset_url_path, "version": __version__, "find_tool_set": find_tool_set}
    environment.globals |= {"SIDEBAR": SIDEBAR, "PROJECT_TABS": PROJECT_TABS, "SETTINGS": SETTINGS}
    environment.filters |= _filters()
    environment.globals |= {name: getattr(labels, name) for name in LABELS} | {"GLOSSARY": GLOSSARY}
    environment.globals["ICON_SHAPES"] = ICON_SHAPES
    environment.globals["inline_css"] = ""  # pages for those who are not signed in link to theirs
    environment.globals["ui"] = environment.get_template(
        "parts/ui.html"
    ).module  # every template has the components at hand
    environment.globals["card_html"] = CardHtml(environment.get_template("parts/card.html"))
    return environment


def _filters() -> dict[str, Callable[..., Any]]:
    return {
        "time": render_relative_time_tag,
        "elapsed": render_elapsed_time_tag,
        "clock": render_clock_time_tag,
        "duration": format_duration,
        "markdown": render_markdown,
        "markdown_line": render_markdown_line,
        "initials": initials,
        "hue": hue,
        "day": format_day,
        "guest_markdown": render_guest_markdown,
        "words": lambda text: without_markdown(text[:WORDS_CHARS]),
        "pairs": select_options,
        "pieces": split_and_flag_query_matches,
        "browser_name": browser_name,
        "choices": select_options_from_labels,
        "label": label_text_or_code,
        "claim_label": claim_label,
        "tool_phrase": tool_phrase,
        "step_phrase": lambda step: step_phrase(step.event, step.tool),
        "pause_effect": pause_effect,
        "resume_effect": resume_effect,
        "stop_effect": stop_effect,
        "priority_label": labels.priority_label,
        "priority_choices": labels.priority_choices,
        "visible": visible,
        "with_mentions": emphasize_mentions,
        "without_rule": prose_of,
        "rule_words": lambda text: describe_rule(rule) if (rule := read_rule(text)) else "",
    }


def render_relative_time_tag(iso_time: str, css_class: str = "") -> Markup:
    """An ISO time as people say it; the exact one on hover. The page's script keeps it true."""
    at = datetime.fromisoformat(iso_time)
    seconds = clock.now_us() / clock.MICROSECONDS - at.timestamp()
    return Markup('<time datetime="{}" title="{}" class="{}" data-relative>{}</time>').format(
        iso_time, format_exact_time_utc(iso_time), css_class, format_relative_time(seconds)
    )


def render_elapsed_time_tag(iso_time: str) -> Markup:
    """How long ago it began, as a length of time. The page's script lets it grow."""
    seconds = clock.now_us() / clock.MICROSECONDS - datetime.fromisoformat(iso_time).timestamp()
    return Markup('<time datetime="{}" title="{}" data-elapsed>{}</time>').format(
        iso_time, format_exact_time_utc(iso_time), format_elapsed(seconds)
    )


def render_clock_time_tag(iso_time: str) -> Markup:
    """The time of day; the page's script shows that of the reader."""
    text = datetime.fromisoformat(iso_time).astimezone(UTC).strftime("%H:%M UTC")
    return Markup('<time datetime="{}" title="{}" data-clock>{}</time>').format(
        iso_time, format_exact_time_utc(iso_time), text
    )


def claim_label(seen_at: str, state: str, limits: Limits) -> str:
    """The name of a claim's label: one that is alive says by its tone how long nothing was heard."""
    seen_us = clock.parse_iso_time_us(seen_at) if seen_at and state == "live" else None
    age = sign_age(seen_us, clock.now_us(), limits) if seen_us is not None else "fresh"
    return state if age == "fresh" else age


def format_elapsed(seconds: float) -> str:
    """As times.js does: "40 s", "4 min", "3 h", "2 d"."""
    seconds = max(0, seconds)
    size, unit = next(((size, unit) for size, unit in _LENGTHS if seconds >= size), (1, "s"))
    return f"{int(seconds // size)} {unit}"


def format_duration(milliseconds: int) -> str:
    if milliseconds < 1_000:
        return f"{milliseconds} ms"
    seconds = milliseconds / 1_000
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"


def format_exact_time_utc(iso_time: str) -> str:
    return datetime.fromisoformat(iso_time).astimezone(UTC).strftime("%a %d %b %Y, %H:%M:%S UTC")


def format_relative_time(seconds_ago: float) -> str:
    ahead, seconds_ago = seconds_ago < 0, abs(seconds_ago)
    if seconds_ago < JUST_NOW_S:
        return "soon" if ahead else "just now"
    size, unit = next(((size, unit) for size, unit in _UNITS if seconds_ago >= size), (60, "m"))
    age = f"{max(1, round(seconds_ago / size))}{unit}"
    return f"in {age}" if ahead else f"{age} ago"


def format_day(iso_day: str) -> str:
    """A due date as people say it; its year only where it is another one."""
    day = date.fromisoformat(iso_day)
    this_year = datetime.fromtimestamp(clock.now_us() / clock.MICROSECONDS, UTC).year
    return f"{day.day} {day:%b}" + (f" {day.year}" if day.year != this_year else "")


def initials(name: str) -> str:
    words = name.split()
    return (words[0][:1] + (words[-1][:1] if len(words) > 1 else "")).upper() if words else "?"


def hue(name: str) -> int:
    """The colour of a person or an agent: the same on every page and every server."""
    return sum(name.encode()) % HUES


def select_options(values: list[Any]) -> list[tuple[str, str]]:
    """For a choice: (value, text) of plain words, or of records that have a pid and a name."""
    return [(value, value) if isinstance(value, str) else (value.pid, value.name) for value in values]


def label_text_or_code(code: str, labels_by_code: Mapping[str, labels.Label]) -> str:
    """A mirror of another server may have codes that are new to this one."""
    return labels_by_code[code].text if code in labels_by_code else code


def select_options_from_labels(labels_by_code: Mapping[str, labels.Label]) -> list[tuple[str, str]]:
    """(value, text) for a select."""
    return [(value, label.text) for value, label in labels_by_code.items()]


ENVIRONMENT = _build_environment()


def render(template: str, **data: Any) -> str:
    """A template without Markdown."""
    return mark_hidden_on_page(ENVIRONMENT.get_template(template).render(**data))


async def render_with_markdown(template: str, *, in_thread: bool = False, **data: Any) -> str:
    """A template with Markdown; one that has much else to render does so in a thread."""
    prose = PageMarkdown()

    def run() -> str:
        with prose.collect_render_jobs():
            return ENVIRONMENT.get_template(template).render(**data)

    page = await prose.fill_placeholders(await asyncio.to_thread(run) if in_thread else run())
    return await asyncio.to_thread(mark_hidden_on_page, page) if in_thread else mark_hidden_on_page(page)
