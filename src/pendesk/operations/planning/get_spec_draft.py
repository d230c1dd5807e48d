"""get_spec_draft: a spec as people edit it now, which may be ahead of what is published."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.project import Attachment
from pendesk.operations.fields import SpecId
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.planning.add_participant import Participant, participants
from pendesk.operations.planning.find import find_project, find_spec
from pendesk.operations.planning.list_actions import ActionRow, action_row
from pendesk.operations.planning.results import PlanResult, SpecResult, plan_result, spec_result
from pendesk.store import actions, attachments, plans


class GetSpecDraft(Input):
    spec_id: SpecId


class AttachmentRow(Output):
    pid: str
    name: str
    media_type: str
    size_bytes: int


class SpecDraft(SpecResult):
    project_key: str
    build_id: str | None
    plans: list[PlanResult]
    actions: list[ActionRow]
    participants: list[Participant]
    attachments: list[AttachmentRow]


def run(call: Call, asked: GetSpecDraft) -> SpecDraft:
    spec = find_spec(call, asked.spec_id)
    project = find_project(call, spec.project_id)
    told = spec_result(spec)
    planned = actions.of_plan(call.tx, spec.active_plan_id) if spec.active_plan_id else []
    return SpecDraft(
        **{name: getattr(told, name) for name in told.__struct_fields__},
        project_key=project.key,
        build_id=spec.build_id,
        plans=[plan_result(plan, spec) for plan in plans.of_spec(call.tx, spec.id)],
        actions=[action_row(action, project.key) for action in planned],
        participants=participants(call, spec.id).participants,
        attachments=[_attachment(one) for one in attachments.of_spec(call.tx, spec.id)],
    )


def _attachment(one: Attachment) -> AttachmentRow:
    return AttachmentRow(pid=one.id, name=one.name, media_type=one.media_type, size_bytes=one.size_bytes)


OPERATION = Operation(
    name="get_spec_draft",
    title="Read a spec's draft",
    description=(
        "A spec as it is being written: texts, plans, the active plan's actions, participants, attachments, and the "
        "build that is published. get_spec shows what agents see instead. Refused: 404 no such spec."
    ),
    input=GetSpecDraft,
    output=SpecDraft,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.READ,
    run=run,
)
