"""GET /insights and /p/{key}/insights: how the work goes."""

from typing import Any

from pendesk.transports.web.parts.view import Page, View

SPANS = (7, 30, 90, 365)
WIDTH, HEIGHT = 720, 220
TICKS = 4


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
    most = _round_up_to_axis_maximum(max([1, *(day.scope for day in days)]))
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
        "ticks": [(most * tick // TICKS, HEIGHT - HEIGHT * tick / TICKS) for tick in range(TICKS + 1)],
    }


def _round_up_to_axis_maximum(highest: int) -> int:
    """To a number that the ticks divide."""
    size = TICKS
    while size < highest:
        size *= 2
    while size - size // 4 >= highest and size // 4 % TICKS == 0:
        size -= size // 4
    return size


PAGES = [
    Page("/insights", "insights.html", load),
    Page("/p/{key}/insights", "project_insights.html", load_project_insights),
]
