"""PAGES: every page there is. Their HTML, their fragments and their `.json` twins are built from this list."""

from pendesk.transports.web.pages import (
    action,
    agent_session,
    agents,
    board,
    brief,
    builds,
    card_list,
    document,
    documents,
    flow,
    home,
    insights,
    notes,
    project_messages,
    project_settings,
    projects,
    proposal,
    publish,
    review,
    revisions,
    search,
    sidebar,
    spec,
    specs,
    timeline,
)
from pendesk.transports.web.pages.settings import account, integrations, mcp, members, removal
from pendesk.transports.web.parts.templating import ENVIRONMENT
from pendesk.transports.web.parts.view import Page

PAGES: list[Page] = [
    home.PAGE,
    projects.PAGE,
    board.PAGE,
    flow.PAGE,
    card_list.PAGE,
    specs.PAGE,
    spec.PAGE,
    proposal.PAGE,
    publish.PAGE,
    builds.PAGE,
    documents.PAGE,
    document.PAGE,
    *notes.PAGES,
    *revisions.PAGES,
    *timeline.PAGES,
    *insights.PAGES,
    project_messages.PAGE,
    project_settings.PAGE,
    action.PAGE,
    search.PAGE,
    agents.PAGE,
    agent_session.PAGE,
    mcp.PAGE,
    account.PAGE,
    members.PAGE,
    *removal.PAGES,
    integrations.PAGE,
    review.PAGE,
    brief.PAGE,
    sidebar.PAGE,
]

# Templates link to a page only where it exists: {% if "/a/{ref}/review" in PATHS %}.
ENVIRONMENT.globals["PATHS"] = {page.path for page in PAGES}
