"""Hidden characters in the rows of an import: removed before they are staged, for nobody here has seen them."""

from typing import Any

from pendesk.domain.hidden_characters import has_hidden, remove_hidden
from pendesk.store.engine.json_text import from_json, to_json
from pendesk.store.portable.tables import Table

NOTHING_LEFT = "(only hidden characters)"


class HiddenCharacterRemover:
    """For the rows of one import, in their order: documents come before the comments on them."""

    def __init__(self) -> None:
        self._body_before_by_document_id: dict[str, str] = {}

    def clean_row(self, table: Table, row: dict[str, Any]) -> list[str]:
        """The names of the columns that had some; the row is changed."""
        before = dict(row)
        for name, column in table.columns.items():
            if isinstance(row[name], str):
                row[name] = _clean_json(row[name]) if column.shape is not None else clean_text(row[name])
        changed = [name for name in table.columns if row[name] != before[name]]
        if table.name == "documents" and "body" in changed:
            self._body_before_by_document_id[row["id"]] = before["body"]
        if table.name == "comments" and row["passage_start"] is not None:
            body = self._body_before_by_document_id.get(row["document_id"], "")
            row["passage_start"] -= len(head := body[: row["passage_start"]]) - len(remove_hidden(head))
        return changed


def clean_text(text: str) -> str:
    return (remove_hidden(text) or NOTHING_LEFT) if has_hidden(text) else text


def _clean_json(text: str) -> str:
    """Its characters may be written as escapes."""
    if text.isascii() and "\\u" not in text:
        return text
    value = from_json(text)
    cleaned = _clean_value(value)
    return text if cleaned == value else to_json(cleaned)


def _clean_value(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, list):
        return [_clean_value(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(name): _clean_value(item) for name, item in value.items()}
    return value
