"""The texts of a brief, field by field: what two briefs are compared by."""

from typing import Any

from pendesk.store.builds import BriefTexts


def brief_texts_by_field_name(texts: BriefTexts) -> dict[str, Any]:
    """The texts of a brief under the names that the agent knows them by."""
    spec = {f"spec.{name}": value for name, value in texts.spec.items() if name not in ("id", "revision")}
    action = {f"action.{name}": value for name, value in texts.action.items()}
    return spec | action | ({"plan.approach": texts.plan["approach"]} if texts.plan else {})
