"""PAGES: every page there is. Their HTML, their parts and their `.json` twins are made from this list."""

from pendesk.transports.web import board, home, projects, rail
from pendesk.transports.web.view import Page

PAGES: list[Page] = [
    home.PAGE,
    projects.PAGE,
    board.PAGE,
    rail.PAGE,
]
