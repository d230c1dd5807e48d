"""PAGES: every page there is. Their HTML, their parts and their `.json` twins are made from this list."""

from pendesk.transports.web import board, card_list, flow, home, insights, projects, rail, timeline
from pendesk.transports.web.view import Page

PAGES: list[Page] = [
    home.PAGE,
    projects.PAGE,
    board.PAGE,
    flow.PAGE,
    card_list.PAGE,
    *timeline.PAGES,
    *insights.PAGES,
    rail.PAGE,
]
