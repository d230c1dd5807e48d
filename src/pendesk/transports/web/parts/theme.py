"""The theme that a browser has chosen: a cookie that the page's script writes, so the first paint is right."""

from starlette.requests import Request

COOKIE = "pendesk_theme"
THEMES = ("light", "dark")


def theme_of(request: Request) -> str:
    theme = request.cookies.get(COOKIE, "")
    return theme if theme in THEMES else "system"
