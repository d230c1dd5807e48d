"""Every text of a snapshot that agents will read, under the name that a person knows it by."""

from collections.abc import Iterator
from typing import Any

from pendesk.domain.action import ref_code
from pendesk.domain.readiness import DraftedText
from pendesk.operations.specs.build_snapshot import BuildSnapshot
from pendesk.store.engine.json_text import from_json


def drafted_texts(project_key: str, snapshot: BuildSnapshot) -> list[DraftedText]:
    shared = from_json(snapshot.build.snapshot)
    texts = [*_spec_texts(shared["spec"]), DraftedText("The approach", shared["plan"]["approach"])]
    for action, built in zip(snapshot.published, snapshot.actions, strict=True):
        texts += _action_texts(from_json(built.snapshot), ref_code(project_key, action.ref_number))
    return texts


def _spec_texts(spec: dict[str, Any]) -> Iterator[DraftedText]:
    yield DraftedText("The title", spec["title"])
    yield DraftedText("The summary", spec["summary"])
    yield from _numbered("Result", spec["results"])
    yield from _numbered("Condition", spec["conditions"])
    yield from _numbered("Boundary", spec["boundaries"])
    yield from _numbered("The name of attachment", [attachment["name"] for attachment in spec["attachments"]])


def _action_texts(action: dict[str, Any], ref: str) -> Iterator[DraftedText]:
    yield DraftedText("The label", action["label"], ref)
    yield DraftedText("The description", action["description"], ref)
    yield DraftedText("The area", action["area"], ref)
    yield from _numbered("Path", action["paths"], ref)
    yield from _numbered("Criterion", [criterion["text"] for criterion in action["criteria"]], ref)


def _numbered(name: str, texts: list[str], ref: str | None = None) -> Iterator[DraftedText]:
    return (DraftedText(f"{name} {number}", text, ref) for number, text in enumerate(texts, 1))
