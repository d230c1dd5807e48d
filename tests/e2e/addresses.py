"""Every page of the app, each at an address of the furnished desk."""

from typing import Any

from playwright.sync_api import Page

from pendesk.transports.web.pages.registry import PAGES

# HRB-2 has an open question, HRB-3 waits for a review.
REFS = {"/a/{ref}/review": "HRB-3"}
# As people come to them: with something to find, with nothing there.
OTHERS = [
    "/search?q=store",
    "/p/HRB?q=nothing+fits",
    "/p/HRB/list?area=none",
    "/p/NONE",
    "/specs/{spec}/publish?action=HRB-2",
]


def addresses(page: Page, url: str) -> list[str]:
    def read(path: str) -> Any:
        return page.request.get(f"{url}{path}").json()

    rest = "/api/v1/projects/HRB"
    spec = read(f"{rest}/specs")["specs"][0]["refCode"]
    drafted = {"spec_id": spec, "summary": "As an agent would put it.", "results": ["One result instead of all"]}
    names = {
        "key": "HRB",
        "proposal": page.request.post(f"{url}/api/v1/drafts/spec", data=drafted).json()["pid"],
        "spec": spec,
        "plan": read(f"/specs/{spec}.json")["spec"]["plans"][0]["pid"],
        "document": read(f"{rest}/documents")["documents"][0]["refCode"],
        "note": read(f"{rest}/notes")["notes"][0]["refCode"],
        "agent_session": next(
            session["pid"] for agent in read("/agents.json")["at_work"]["agents"] for session in agent["sessions"]
        ),
        "member": read("/api/v1/members")["members"][1]["userId"],
    }
    paths = [page.path for page in PAGES if page.path != "/sidebar"] + OTHERS
    return [path.format(ref=REFS.get(path, "HRB-2"), **names) for path in paths]
