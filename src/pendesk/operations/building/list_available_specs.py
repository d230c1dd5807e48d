"""list_available_specs: what there is to do for the caller."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import ref_code, status_for_agents
from pendesk.domain.limits import (
    ACTIONS_PER_SPEC_LISTED,
    LABEL_LISTED_CHARS,
    SPECS_LOOKED_AT,
    SPECS_PER_PAGE,
    SUMMARY_LISTED_CHARS,
)
from pendesk.domain.project import Spec
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.operations.session_news import NewsItem, unread_news
from pendesk.operations.truncate import fits_token_limit
from pendesk.store import specs
from pendesk.store.engine.json_text import from_json


class ListAvailableSpecs(Input):
    cursor: PageCursor | None = None


class ActionRow(Output):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None


class SpecRow(Output):
    pid: str
    title: str
    summary: str
    actions: list[ActionRow]
    more_actions: bool = False


class AvailableSpecs(Output):
    specs: list[SpecRow]
    next_cursor: str | None = None
    news: list[NewsItem] = []


def available_specs_with_project_keys(call: Call, after_spec_id: str, limit: int) -> list[tuple[Spec, str]]:
    """Specs with their project's key. What cannot be claimed is passed over, at worst every open action of them all."""
    if specs.count_specs_of_participant(call.tx, call.actor.user_id, SPECS_LOOKED_AT + 1) > SPECS_LOOKED_AT:
        call.require_worker_thread()
    return specs.available_specs_and_project_keys(call.tx, call.actor.user_id, after_spec_id, limit)


def run(call: Call, args: ListAvailableSpecs) -> AvailableSpecs:
    available = available_specs_with_project_keys(call, parse_cursor_after_id(args.cursor), SPECS_PER_PAGE + 1)
    page, next_cursor = page_and_next_cursor(available, SPECS_PER_PAGE, lambda entry: entry[0].id)
    rows = [_spec_row(call, spec, key) for spec, key in page]
    answer = AvailableSpecs(specs=rows, next_cursor=next_cursor, news=unread_news(call))
    while not fits_token_limit(answer):
        _drop_last_spec_or_action(answer)
    return answer


def _drop_last_spec_or_action(answer: AvailableSpecs) -> None:
    """A spec less on this page; of the only one, an action less."""
    if len(answer.specs) > 1:
        answer.specs.pop()
        answer.next_cursor = answer.specs[-1].pid
    else:
        answer.specs[0].actions.pop()
        answer.specs[0].more_actions = True


def _spec_row(call: Call, spec: Spec, project_key: str) -> SpecRow:
    assert spec.build_id is not None
    rows = specs.action_rows_of_build_with_holder(call.tx, spec.build_id, 0, ACTIONS_PER_SPEC_LISTED + 1)
    listed = []
    for pid, number, snapshot, state, holder, _position in rows[:ACTIONS_PER_SPEC_LISTED]:
        texts = from_json(snapshot)
        listed.append(
            ActionRow(
                pid=pid,
                ref_code=ref_code(project_key, number),
                label=texts["label"][:LABEL_LISTED_CHARS],
                area=texts["area"],
                status=status_for_agents(state),
                claimed_by=holder,
            )
        )
    return SpecRow(
        pid=spec.id,
        title=spec.title,
        summary=spec.summary[:SUMMARY_LISTED_CHARS],
        actions=listed,
        more_actions=len(rows) > ACTIONS_PER_SPEC_LISTED,
    )


OPERATION = Operation(
    name="list_available_specs",
    title="List available work",
    description=(
        "What you can work on now: published specs you take part in, with their actions. Start here, and come back "
        "after a submission or a 409. Pick an action that is not-started and not claimed, then call claim_action. "
        "Where moreActions is true, get_spec lists the rest. If there is nothing, all is done, claimed or waiting: "
        "tell the user."
    ),
    input=ListAvailableSpecs,
    output=AvailableSpecs,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
