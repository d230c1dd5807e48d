"""GET /proposals/{proposal}: what an agent drafted, beside the present text, item by item."""

from typing import Any, NamedTuple

from pendesk.domain.limits import TEXT_CHARS
from pendesk.transports.web.parts.field_names import FIELD_NAMES
from pendesk.transports.web.parts.view import Page, View

# Fields of one line; the others are edited in a text area.
ONE_LINE = frozenset({"title", "action", "label", "area"})


class ProposalSection(NamedTuple):
    """A field of a spec or plan, or an action with what belongs to it."""

    title: str
    head: Any
    items: list[Any]


async def load(view: View) -> dict[str, Any]:
    proposal = await view.call("get_proposal", draft_id=view.path_param("proposal"))
    return {
        "proposal": proposal,
        "sections": _sections(proposal.items),
        "names": FIELD_NAMES,
        "one_line": sorted(ONE_LINE),
        "labels": {item.id: item.text for item in proposal.items if item.field == "action"},
        "text_chars": TEXT_CHARS,
    }


def _sections(items: list[Any]) -> list[ProposalSection]:
    """In the order of the items. What stays the same is shown only where it names the action that is changed."""
    sections: dict[str, ProposalSection] = {}
    for item in items:
        if item.field == "action":
            sections[item.id] = ProposalSection(item.text, item, [])
        elif item.change != "same":
            key = item.parent or item.field
            sections.setdefault(key, ProposalSection(FIELD_NAMES.get(key, key), None, [])).items.append(item)
    return [section for section in sections.values() if section.items or section.head.change != "same"]


PAGE = Page("/proposals/{proposal}", "proposal.html", load)
