"""GET /a/{ref}/brief: what an agent reads when it takes the action up, for people; the drawer shows it too."""

from typing import Any

import msgspec

from pendesk.operations.operation import encode_json
from pendesk.transports.web.parts.view import Page, View

# As the page calls the sections that an agent knows by their place in the answer.
SECTIONS = {
    "action.acceptanceCriteria": "acceptance criteria",
    "action.description": "description",
    "action.paths": "paths",
    "answeredClarifications": "answered questions",
    "handOver.untrusted.commits": "commits of earlier holders",
    "openClarifications": "open questions",
    "plan.approach": "approach of the plan",
    "review.items": "requested changes",
    "review.summary": "summary of the review",
    "siblingActions": "other actions in this plan",
    "spec.attachments": "attachments",
    "spec.boundaries": "boundaries",
    "spec.conditions": "conditions",
    "spec.results": "results",
    "spec.summary": "summary of the spec",
}


async def load(view: View) -> dict[str, Any]:
    brief = await view.call("preview_brief", action_id=view.path_param("ref"))
    return {
        "brief": brief,
        "brief_text": format_brief_as_json(brief),
        "criterion_texts": {criterion.id: criterion.text for criterion in brief.action.acceptance_criteria},
        "left_out": [_section_name(position) for position in brief.cut],
    }


def _section_name(cut_position: str) -> str:
    """With a number where it is begun."""
    path, colon, _ = cut_position.partition(":")
    return f"the rest of the {SECTIONS.get(path, path)}" if colon else SECTIONS.get(path, path)


def format_brief_as_json(brief: Any) -> str:
    """The JSON that an agent gets, with line breaks for people."""
    return msgspec.json.format(encode_json(brief), indent=2).decode()


PAGE = Page("/a/{ref}/brief", "brief.html", load)
