"""GET /insights and /p/{key}/insights: how the work goes."""

from collections.abc import Callable
from datetime import date
from typing import Any

from pendesk.transports.web.parts.view import Page, View

SPANS = (7, 30, 90, 365)
WIDTH, HEIGHT = 720, 220
TICKS = 5
DATES = 7
_DATED: list[Callable[[date], bool]] = [
    lambda _day: True,
    lambda day: day.weekday() == 0,
    lambda day: day.weekday() == 0 and day.toordinal() // 7 % 2 == 0,
    lambda day: day.day == 1 and day.month % 2 == 1,
]


async def load(view: View) -> dict[str, Any]:
    digits = view.query_param("days")
    days = int(digits) if digits and digits.isdigit() and int(digits) in SPANS else 30
    insights = await view.call("get_insights", project_id=view.request.path_params.get("key"), days=days)
    return {"insights": insights, "days": days, "spans": SPANS, "chart": build_burn_up_chart_data(insights.days)}


async def load_project_insights(view: View) -> dict[str, Any]:
    project = await view.call("get_project", project_id=view.path_param("key"))
    return {"project": project, **await load(view)}


def build_burn_up_chart_data(days: list[Any]) -> dict[str, Any]:
    """Two lines over the days, as SVG wants them."""
    ticks = count_ticks(max(day.scope for day in days))
    most = ticks[-1]
    step = WIDTH / max(1, len(days) - 1)

    def line(values: list[int]) -> str:
        return " ".join(
            f"{number * step:.1f},{HEIGHT - HEIGHT * value / most:.1f}" for number, value in enumerate(values)
        )

    done = line([day.done for day in days])
    return {
        "width": WIDTH,
        "height": HEIGHT,
        "scope": line([day.scope for day in days]),
        "done": done,
        "area": f"0,{HEIGHT} {done} {WIDTH},{HEIGHT}",
        "ticks": [(value, HEIGHT - HEIGHT * value / most) for value in ticks],
        "dates": [(days[number].day, f"{number * step:.1f}") for number in date_ticks([day.day for day in days])],
    }


def count_ticks(highest: int) -> list[int]:
    """From zero to the highest or a little more, in steps that people count in: 1, 2, 5, 10, 20, 50."""
    step = next(
        digit * 10**zeros
        for zeros in range(highest.bit_length() + 1)
        for digit in (1, 2, 5)
        if digit * 10**zeros * TICKS >= highest
    )
    return list(range(0, max(1, -(-highest // step)) * step + 1, step))


def date_ticks(days: list[str]) -> list[int]:
    """Which of the days have their date below: all of them, Mondays, every other Monday, or the first of months."""
    dates = [date.fromisoformat(day) for day in days]
    choices = [[number for number, day in enumerate(dates) if rule(day)] for rule in _DATED]
    return next((chosen for chosen in choices if len(chosen) <= DATES), choices[-1])


PAGES = [
    Page("/insights", "insights.html", load),
    Page("/p/{key}/insights", "project_insights.html", load_project_insights),
]
