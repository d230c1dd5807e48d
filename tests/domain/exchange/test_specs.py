"""Groups of another program's tasks become specs."""

from pendesk.domain.exchange.plan import Criterion, Goal, ImportPlan, Task, TaskLink
from pendesk.domain.exchange.specs import group_tasks_into_specs
from pendesk.domain.limits import PLAN_ACTIONS

MET = (Criterion("It holds", False),)


def task(key: str, group: str = "", state: str = "todo", criteria: tuple[Criterion, ...] = MET) -> Task:
    return Task(key, f"tasks.json, {key}", f"Label {key}", "", state, criteria=criteria, group=group)


def planned(*tasks: Task, parts: tuple[tuple[str, str], ...] = ()) -> ImportPlan:
    plan = ImportPlan("Harbour")
    for planned_task in tasks:
        plan.add_task(planned_task)
    for part, whole in parts:
        plan.add_task_link(TaskLink(part, whole, "feeds", "tasks.json"))
    return plan


def grouped(plan: ImportPlan) -> dict[str, list[str]]:
    group_tasks_into_specs(plan)
    return {spec.title: spec.task_keys for spec in plan.specs}


def test_a_group_is_a_spec_and_what_has_none_stays_outside():
    plan = planned(task("1", "Tides"), task("2"), task("3", "Wind"), task("4", "Tides"))
    plan.goals.append(Goal("Tides", "When it is high."))
    assert grouped(plan) == {"Tides": ["1", "4"], "Wind": ["3"]}
    assert [spec.goal for spec in plan.specs] == ["Tides", ""]
    assert plan.warnings == []


def test_a_task_with_parts_is_a_group_of_all_below_it():
    plan = planned(task("1"), task("1.1"), task("1.1.1"), task("2"), parts=(("1.1", "1"), ("1.1.1", "1.1")))
    assert grouped(plan) == {"Label 1": ["1", "1.1", "1.1.1"]}


def test_parts_belong_to_the_group_of_their_whole():
    plan = planned(task("1", "Tides"), task("1.1"), parts=(("1.1", "1"),))
    assert grouped(plan) == {"Tides": ["1", "1.1"]}


def test_where_people_draw_links_they_group_nothing():
    plan = planned(task("1"), task("2"), parts=(("2", "1"),))
    plan.feeds_link_parts = False
    assert grouped(plan) == {}
    assert "groups no tasks" in plan.warnings[0]


def test_a_group_too_large_for_one_plan_is_several():
    plan = planned(*(task(str(number), "Tides") for number in range(PLAN_ACTIONS + 1)))
    specs = grouped(plan)
    assert {title: len(keys) for title, keys in specs.items()} == {"Tides": PLAN_ACTIONS, "Tides (2)": 1}


def test_what_lacks_a_criterion_is_named_unless_it_is_not_to_be_built():
    states = ("todo", "backlog", "scope", "done", "wont_do")
    plan = planned(*(task(state, "Tides", state, ()) for state in states))
    group_tasks_into_specs(plan)
    assert plan.warnings == ["spec 'Tides': can be published once these have an acceptance criterion: todo."]
