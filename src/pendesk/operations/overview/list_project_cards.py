"""list_project_cards: the projects, each with how far it is, what waits for people, and who is at work in it."""

from pendesk.domain.access import Role, Scope
from pendesk.domain.limits import PAGE_ROWS, SUMMARY_LISTED_CHARS, WORKERS_SHOWN
from pendesk.domain.project import Project
from pendesk.operations.operation import Call, Input, Kind, Operation, Output
from pendesk.operations.paging import PageCursor, page_and_next_cursor, parse_cursor_after_id
from pendesk.store import project_cards, projects


class ListProjectCards(Input):
    cursor: PageCursor | None = None


class Worker(Output):
    name: str
    kind: str


class ProjectCard(Output):
    """total: of its actions but those that were dropped. in_progress: with those whose changes were requested. waiting:
    what stands in everybody's inbox. at_work: the first of at_work_count who hold something.
    """

    pid: str
    key: str
    name: str
    description: str
    state: str
    total: int
    done: int
    in_progress: int
    in_review: int
    waiting: int
    at_work_count: int
    at_work: list[Worker]


class ProjectCards(Output):
    projects: list[ProjectCard]
    next_cursor: str | None = None


def run(call: Call, args: ListProjectCards) -> ProjectCards:
    rows = projects.page(call.tx, parse_cursor_after_id(args.cursor), PAGE_ROWS + 1)
    page, next_cursor = page_and_next_cursor(rows, PAGE_ROWS, lambda project: project.id)
    return ProjectCards(projects=_to_cards(call, page), next_cursor=next_cursor)


def _to_cards(call: Call, page: list[Project]) -> list[ProjectCard]:
    ids = [project.id for project in page]
    tallies, in_work = project_cards.made_and_closed(call.tx, ids), project_cards.in_work(call.tx, ids)
    waiting = project_cards.waiting(call.tx, call.limits)
    workers: dict[str, list[Worker]] = {}
    for project_id, name, kind in project_cards.at_work(call.tx, ids):
        workers.setdefault(project_id, []).append(Worker(name=name, kind=kind))
    return [
        ProjectCard(
            pid=project.id,
            key=project.key,
            name=project.name,
            description=project.description[:SUMMARY_LISTED_CHARS],
            state=project.state,
            total=tallies.get((project.id, "made"), 0) - tallies.get((project.id, "wont_do"), 0),
            done=tallies.get((project.id, "done"), 0),
            in_progress=in_work.get((project.id, "in_progress"), 0) + in_work.get((project.id, "changes_requested"), 0),
            in_review=in_work.get((project.id, "in_review"), 0),
            waiting=waiting.get(project.id, 0),
            at_work_count=len(workers.get(project.id, ())),
            at_work=workers.get(project.id, [])[:WORKERS_SHOWN],
        )
        for project in page
    ]


OPERATION = Operation(
    name="list_project_cards",
    title="See how far each project is",
    description=(
        "The projects, oldest first, each with how many of its actions are done, in progress and in review, how much "
        "waits for people, and who is at work in it."
    ),
    input=ListProjectCards,
    output=ProjectCards,
    scope=Scope.DESK_READ,
    role=Role.VIEWER,
    kind=Kind.HEAVY_READ,
    run=run,
)
