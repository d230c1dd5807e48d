"""list_available_specs: what there is to do for the caller."""

from collections import Counter
from itertools import groupby
from typing import Any

from pendesk.domain.access import Role, Scope
from pendesk.domain.action import status_for_agents
from pendesk.domain.availability import Availability
from pendesk.domain.limits import (
    ACTIONS_PER_SPEC_LISTED,
    LABEL_LISTED_CHARS,
    OTHER_ACTIONS_LISTED,
    SPECS_PER_PAGE,
    SUMMARY_LISTED_CHARS,
)
from pendesk.operations.actions.action_fields import AssigneeResult, assignee_results
from pendesk.operations.availability import AvailabilityFields, RelatedAction, availability_fields
from pendesk.operations.building.nothing_free import more_others_notice, no_slot_notice, nothing_free_notice
from pendesk.operations.building.open_work import (
    CLAIMABLE,
    OpenWork,
    free_other_actions_by_project_key,
    load_open_work,
    load_other_actions,
)
from pendesk.operations.building.you import You, describe_caller, held_by_user
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, parse_cursor_after_id
from pendesk.operations.session_news import NewsItem, unread_news
from pendesk.operations.truncate import fits_token_limit
from pendesk.store import actions, builds, specs


class ListAvailableSpecs(Input):
    cursor: PageCursor | None = None


class ActionRow(AvailabilityFields, kw_only=True):
    pid: str
    ref_code: str
    label: str
    area: str
    status: str
    claimed_by: str | None
    assignee: AssigneeResult | None = None
    due: str | None = None


class SpecRow(Output):
    """done: how many more actions are done."""

    pid: str
    title: str
    summary: str
    actions: list[ActionRow]
    done: int = 0
    more_actions: bool = False


class OtherActions(Output):
    """more: how many more of the project are free; they are listed once these are taken."""

    project_key: str
    actions: list[ActionRow]
    more: int = 0


class AvailableSpecs(Output):
    you: You
    specs: list[SpecRow]
    other_actions: list[OtherActions] = []
    notice: str | None = None
    next_cursor: str | None = None
    news: list[NewsItem] = []


def run(call: Call, args: ListAvailableSpecs) -> AvailableSpecs:
    work = load_open_work(call)
    spec_ids, next_cursor = _page_of_spec_ids(list(work.actions_by_spec_id), parse_cursor_after_id(args.cursor))
    others = load_other_actions(call) if args.cursor is None else []
    you = describe_caller(call, held_by_user(call))
    free_others = free_other_actions_by_project_key(call, others)
    answer = AvailableSpecs(
        you=you,
        specs=_spec_rows(call, work, spec_ids),
        other_actions=_other_actions(call, others[:OTHER_ACTIONS_LISTED], free_others),
        notice=_notice(call, you, work, others, free_others.total()) if args.cursor is None else None,
        next_cursor=next_cursor,
        news=unread_news(call),
    )
    while not fits_token_limit(answer):
        _drop_last_spec_or_action(answer)
    return answer


def _notice(call: Call, you: You, work: OpenWork, others: list[RelatedAction], free_others: int) -> str | None:
    states = {action.availability for action in [*work.actions, *others]}
    if states.isdisjoint(CLAIMABLE):
        return nothing_free_notice(call, work)
    if not you.slots and Availability.CHANGES_REQUESTED not in states:
        return no_slot_notice(call, you)
    return more_others_notice(free_others, others[:OTHER_ACTIONS_LISTED])


def _page_of_spec_ids(spec_ids: list[str], after_id: str) -> tuple[list[str], str | None]:
    """A cursor is the last spec of the page before, wherever it stands now."""
    start = spec_ids.index(after_id) + 1 if after_id in spec_ids else 0
    page = spec_ids[start : start + SPECS_PER_PAGE]
    return page, page[-1] if len(spec_ids) > start + SPECS_PER_PAGE else None


def _drop_last_spec_or_action(answer: AvailableSpecs) -> None:
    """A spec less on this page; of the only one, an action less."""
    if len(answer.specs) > 1:
        answer.specs.pop()
        answer.next_cursor = answer.specs[-1].pid
    elif answer.specs and answer.specs[0].actions:
        answer.specs[0].actions.pop()
        answer.specs[0].more_actions = True
    else:
        _drop_last_other_action(answer)


def _drop_last_other_action(answer: AvailableSpecs) -> None:
    last = answer.other_actions[-1]
    last.more += last.actions.pop().availability == Availability.FREE
    if not last.actions:
        answer.other_actions.pop()


def _spec_rows(call: Call, work: OpenWork, spec_ids: list[str]) -> list[SpecRow]:
    shown = {
        spec_id: [action for action in work.actions_by_spec_id[spec_id] if _is_shown(action)] for spec_id in spec_ids
    }
    listed = [action for actions_of_spec in shown.values() for action in actions_of_spec[:ACTIONS_PER_SPEC_LISTED]]
    page = specs.by_ids(call.tx, spec_ids)
    build_ids = [spec.build_id for spec in page if spec.build_id is not None]
    # What the newest build has dropped may still be someone's work: it reads as it stands.
    left_out = [action.standing.id for action in listed if not action.standing.published]
    texts = actions.labels_and_areas_by_id(call.tx, left_out) | builds.labels_and_areas(call.tx, build_ids)
    done = builds.done_counts_by_build_id(call.tx, build_ids)
    rows = _action_rows(call, listed, texts)
    return [
        SpecRow(
            pid=spec.id,
            title=spec.title,
            summary=spec.summary[:SUMMARY_LISTED_CHARS],
            actions=[rows[action.standing.id] for action in shown[spec.id][:ACTIONS_PER_SPEC_LISTED]],
            done=done.get(spec.build_id or "", 0),
            more_actions=len(shown[spec.id]) > ACTIONS_PER_SPEC_LISTED,
        )
        for spec in sorted(page, key=lambda spec: spec_ids.index(spec.id))
    ]


def _is_shown(action: RelatedAction) -> bool:
    return action.availability != Availability.NOT_READY


def _other_actions(call: Call, others: list[RelatedAction], free_by_key: Counter[str]) -> list[OtherActions]:
    rows = _action_rows(
        call, others, actions.labels_and_areas_by_id(call.tx, [action.standing.id for action in others])
    )
    unlisted = free_by_key - Counter(
        action.standing.project_key for action in others if action.availability == Availability.FREE
    )
    by_project = sorted(others, key=lambda action: action.standing.project_key)
    return [
        OtherActions(project_key=key, actions=[rows[action.standing.id] for action in of_project], more=unlisted[key])
        for key, of_project in groupby(by_project, key=lambda action: action.standing.project_key)
    ]


def _action_rows(
    call: Call, related: list[RelatedAction], label_and_area_by_id: dict[str, tuple[str, str]]
) -> dict[str, ActionRow]:
    fields = availability_fields(call, related)
    assigned = assignee_results(call, [action.standing.assignee for action in related], with_pid=False)
    return {
        action.standing.id: _action_row(
            action,
            *label_and_area_by_id[action.standing.id],
            fields[action.standing.id] | {"assignee": assigned.get(action.standing.assignee)},
        )
        for action in related
    }


def _action_row(action: RelatedAction, label: str, area: str, fields: dict[str, Any]) -> ActionRow:
    row = action.standing
    return ActionRow(
        pid=row.id,
        ref_code=row.ref,
        label=label[:LABEL_LISTED_CHARS],
        area=area,
        status=status_for_agents(row.state),
        claimed_by=action.live_holder_id,
        due=row.due_on,
        **fields,
    )


OPERATION = Operation(
    name="list_available_specs",
    title="List available work",
    description=(
        "What you can work on, in the order to take it: go on with what is `mine`, then `changes_requested`, then "
        "claim_action one that is `free`, while `you` has slots, which all agents of your user share. `blocked` names "
        "in waitsFor what comes first. Start here, and come back after a submission or a 409. Where moreActions is "
        "true, get_spec lists the rest. If nothing is free, notice says why: tell the user."
    ),
    input=ListAvailableSpecs,
    output=AvailableSpecs,
    scope=Scope.SPECS_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
