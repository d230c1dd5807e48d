"""A share as Markdown: for agents, and for people who like to read plain text."""

from collections.abc import Iterator

from pendesk.operations.sharing.get_share import Shared
from pendesk.operations.sharing.mirror_json import ShownAction, ShownProject, ShownStep
from pendesk.transports.share.words import STATUSES, relation_texts_by_action_ref, status_word


def render_share_markdown(shared: Shared) -> str:
    lines = (
        _render_project_lines(shared.project)
        if shared.project
        else _render_action_lines(shared.action)
        if shared.action
        else iter(())
    )
    return "\n".join([*lines, f"As of {shared.drawn_at}. Read-only.", ""])


def _render_project_lines(project: ShownProject) -> Iterator[str]:
    yield f"# {project.name}\n"
    yield f"{status_word(project.status)}. {_render_status_counts_line(project)}\n"
    if project.description:
        yield f"{project.description}\n"
    for title, headings in (("Goals", project.goals), ("Specs", project.specs)):
        if headings:
            yield f"## {title}\n"
        for heading in headings:
            yield f"### {heading.title}\n\n{heading.text}\n" if heading.text else f"### {heading.title}\n"
    if project.actions:
        yield "## Actions\n"
        links = relation_texts_by_action_ref(project)
        yield from (_render_step_line(step, links.get(step.ref, [])) for step in project.actions)
        yield f"\n{project.left_out} more are not shown.\n" if project.left_out else ""
    for page in project.documents:
        yield f"## {page.title}\n\n{page.status_line}\n\n{page.body}\n"


def _render_status_counts_line(project: ShownProject) -> str:
    return ", ".join(
        f"{word}: {project.counts[status]}" for status, word in STATUSES.items() if status in project.counts
    )


def _render_step_line(step: ShownStep, relation_texts: list[str]) -> str:
    criteria = f", {step.criteria_done} of {step.criteria_total} criteria" if step.criteria_total else ""
    arrows = f" ({'; '.join(relation_texts)})" if relation_texts else ""
    box = "x" if step.status == "done" else " "
    return f"- [{box}] **{step.ref}** {step.label}: {status_word(step.status)}{criteria}{arrows}"


def _render_action_lines(action: ShownAction) -> Iterator[str]:
    yield f"# {action.ref} {action.label}\n"
    yield f"{action.project}. {status_word(action.status)}.\n"
    if action.description:
        yield f"{action.description}\n"
    if action.criteria:
        yield "## Acceptance criteria\n"
        yield from (
            f"- [{'x' if criterion.status == 'confirmed' else ' '}] {criterion.text}" for criterion in action.criteria
        )
        yield ""
    if action.first:
        yield "## Prerequisites\n"
        yield from (f"- **{step.ref}** {step.label}: {status_word(step.status)}" for step in action.first)
        yield ""
    if action.spec:
        yield f"## {action.spec.title}\n\n{action.spec.summary}\n"
        for title in ("results", "conditions", "boundaries"):
            lines = getattr(action.spec, title)
            if lines:
                yield "\n".join([f"### {title.capitalize()}\n", *(f"- {line}" for line in lines), ""])
    if action.approach:
        yield f"## Approach\n\n{action.approach}\n"
