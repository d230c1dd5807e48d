"""An import as specs: one for each group of tasks in the file, such as a milestone, a tag, a goal or a task with parts.

What belongs to no group stays outside any spec, where agents can claim it at once.
"""

from collections.abc import Iterator

from pendesk.domain.exchange.plan import ImportPlan, PlannedSpec, Task
from pendesk.domain.limits import LABEL_CHARS, PLAN_ACTIONS

# Room for " (12)" where a group is too large for one spec.
TITLE_CHARS = LABEL_CHARS - 6
KEYS_NAMED = 12


def group_tasks_into_specs(plan: ImportPlan) -> None:
    """In the order of the file. What would stop publishing is said as a warning."""
    goals = {goal.title for goal in plan.goals}
    plan.specs = [
        PlannedSpec(title, group if group in goals else "", keys)
        for group, group_keys in _task_keys_by_group(plan).items()
        for title, keys in _titles_and_keys(group, group_keys)
    ]
    for spec in plan.specs:
        _warn_about_missing_criteria(plan, spec)
    if plan.tasks and not plan.specs:
        plan.add_warning("the file", "groups no tasks, so there is no spec; all of them are outside any spec.")


def _task_keys_by_group(plan: ImportPlan) -> dict[str, list[str]]:
    topmost = _topmost_whole_by_key(plan)
    wholes = set(topmost.values())
    groups: dict[str, list[str]] = {}
    for key, task in plan.tasks.items():
        top = plan.tasks[topmost.get(key, key)]
        group = task.group or top.group or (top.label if top.key in wholes else "")
        if group:
            groups.setdefault(group, []).append(key)
    return groups


def _topmost_whole_by_key(plan: ImportPlan) -> dict[str, str]:
    """Of each part what it is a part of in the end. Parts and wholes are in no cycle; each is walked once."""
    whole_of: dict[str, str] = {}
    if plan.feeds_link_parts:
        whole_of = {link.source: link.target for link in plan.links.values() if link.label == "feeds"}
    topmost: dict[str, str] = {}
    for key in whole_of:
        walked = [key]
        while walked[-1] in whole_of and walked[-1] not in topmost:
            walked.append(whole_of[walked[-1]])
        top = topmost.get(walked[-1], walked[-1])
        topmost |= dict.fromkeys(walked[:-1], top)
    return topmost


def _titles_and_keys(group: str, task_keys: list[str]) -> Iterator[tuple[str, list[str]]]:
    title = group[:TITLE_CHARS]
    for number, start in enumerate(range(0, len(task_keys), PLAN_ACTIONS), 1):
        yield (title if number == 1 else f"{title} ({number})"), task_keys[start : start + PLAN_ACTIONS]


def _warn_about_missing_criteria(plan: ImportPlan, spec: PlannedSpec) -> None:
    without = [key for key in spec.task_keys if _needs_criterion(plan.tasks[key])]
    if without:
        more = f" and {len(without) - KEYS_NAMED} more" if len(without) > KEYS_NAMED else ""
        plan.add_warning(
            f"spec {spec.title!r}",
            f"can be published once these have an acceptance criterion: {', '.join(without[:KEYS_NAMED])}{more}.",
        )


def _needs_criterion(task: Task) -> bool:
    return task.state == "todo" and not task.criteria
