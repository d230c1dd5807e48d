"""Input as callers write it."""

import pytest
from msgspec import inspect

from pendesk.domain.status_words import StatusWord
from pendesk.operations.operation import AnyOperation
from pendesk.operations.registry import OPERATIONS, TOOLS
from pendesk.transports.mcp.schemas import input_schema


def status_types(operation: AnyOperation) -> list[type[StatusWord]]:
    info = inspect.type_info(operation.input)
    assert isinstance(info, inspect.StructType)
    kinds = [kind for field in info.fields for kind in _members(field.type)]
    return [kind.cls for kind in kinds if isinstance(kind, inspect.EnumType) and issubclass(kind.cls, StatusWord)]


def _members(kind: inspect.Type) -> list[inspect.Type]:
    if isinstance(kind, inspect.Metadata):
        return _members(kind.type)
    return (
        [member for part in kind.types for member in _members(part)] if isinstance(kind, inspect.UnionType) else [kind]
    )


def test_no_status_of_an_action_is_taken_that_knows_no_synonyms():
    taking = {operation.name for operation in OPERATIONS if status_types(operation)}
    assert {"create_task", "update_task", "list_tasks", "update_progress", "complete_agent_run"} <= taking
    assert {"list_actions", "update_action", "list_cards"} <= taking


def test_the_schema_shows_the_plain_words_alone():
    for operation in TOOLS:
        for kind in status_types(operation):
            assert sorted(kind) == sorted(input_schema(operation)["properties"]["status"]["enum"])


@pytest.mark.parametrize(("word", "status"), [("in-progress", "in_progress"), ("Completed", "done"), ("todo", "todo")])
async def test_a_synonym_gives_what_the_word_gives(desk, ada, project, word, status):
    for initial in ("todo", "done"):
        await desk.call(ada, "create_task", project_id="PEN", label="x", status=initial)
    for operation in ("list_tasks", "get_project"):
        answers = [await desk.call(ada, operation, project_id="PEN", status=written) for written in (word, status)]
        assert answers[0] == answers[1]
        assert len(answers[0]["tasks"]) == (0 if status == "in_progress" else 1)
