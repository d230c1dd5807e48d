"""Which task comes next."""

from hypothesis import given
from hypothesis import strategies as st

from pendesk.domain.assignee import CallerIdentity
from pendesk.domain.next_task import (
    OpenTask,
    TaskGraph,
    decided_by,
    explain_choice,
    next_task_outcome_code,
    ordered_by,
)
from tests.patience import patience


def task(number, state="todo", priority=0):
    return OpenTask(str(number), number, f"Task {number}", priority, state=state)


def edges(*pairs):
    return [(str(first), str(after)) for first, after in pairs]


def ids_in_todo(tasks):
    """As if the caller could take all of them."""
    return {task.id for task in tasks if task.state == "todo"}


def choice_of(tasks, *pairs):
    choice = TaskGraph(tasks, edges(*pairs)).choose_next_task(ids_in_todo(tasks))
    assert choice is not None
    return choice


def chosen(tasks, *pairs):
    choice = TaskGraph(tasks, edges(*pairs)).choose_next_task(ids_in_todo(tasks))
    return choice.task.ref_number if choice else None


def test_what_tasks_have_in_common_is_what_orders_them_and_what_decides_who_can_have_them():
    assert ordered_by(OpenTask._fields) == ("priority", "assignee_user_id", "assignee_agent_id", "due_on")
    deciding = ("state", "spec_id", "claim_user_id", "claim_state", "expires_at")
    assert decided_by(OpenTask._fields) == deciding


def test_the_more_urgent_comes_first():
    assert chosen([task(1), task(2, priority=5), task(3, priority=1)], (1, 3)) == 2


def test_what_is_assigned_to_the_caller_comes_before_the_urgent_and_what_is_anothers_last():
    caller = CallerIdentity("u-ada", "g-1")
    others = task(1, priority=300)._replace(assignee_user_id="u-bea")
    nobodys, own, her_users = task(2, priority=300), task(3), task(4, priority=50)
    own, her_users = own._replace(assignee_agent_id="g-1"), her_users._replace(assignee_user_id="u-ada")
    order = [task.ref_number for task in TaskGraph([others, nobodys, own, her_users], [], caller).candidates]
    assert order == [4, 3, 2, 1]
    choice = TaskGraph([others, her_users], [], caller).choose_next_task(["1", "4"])
    assert choice is not None
    assert "assigned to you; low priority" in explain_choice(choice)
    alone = TaskGraph([others], [], caller).choose_next_task(["1"])
    assert alone is not None
    assert explain_choice(alone).endswith("it is assigned to another, which stops nobody.")


def test_of_the_same_priority_what_is_due_first_comes_first_and_before_a_longer_chain():
    tasks = [task(1), task(2)._replace(due_on="2026-12-02"), task(3)._replace(due_on="2026-12-01"), task(4)]
    assert chosen(tasks, (1, 4)) == 3
    assert "; due 2026-12-01; " in explain_choice(choice_of(tasks, (1, 4)))


def test_then_the_one_with_the_longest_chain_behind_it():
    tasks = [task(each) for each in range(1, 8)]
    # 1 frees three at once, 2 a chain of two: the chain is what takes longest.
    assert chosen(tasks, (1, 3), (1, 4), (1, 5), (2, 6), (6, 7)) == 2


def test_then_the_one_that_more_wait_for():
    assert chosen([task(each) for each in range(1, 6)], (1, 3), (2, 4), (2, 5)) == 2


def test_then_the_oldest():
    assert chosen([task(3), task(1), task(2)]) == 1


def test_what_is_dropped_waits_for_nothing_but_still_holds_back():
    assert chosen([task(1), task(2), task(3, "wont_do"), task(4)], (1, 3), (2, 4)) == 2
    assert chosen([task(1, "wont_do"), task(2)], (1, 2)) is None


def test_ideas_and_work_under_way_are_not_next_but_count_as_waiting():
    tasks = [task(1), task(2), task(3, "backlog"), task(4, "in_progress")]
    assert chosen(tasks, (2, 3)) == 2


def test_what_is_done_is_not_there_and_holds_nothing_back():
    assert chosen([task(2)], (1, 2)) == 2


def test_the_same_order_drawn_twice_counts_once():
    order = TaskGraph([task(1), task(2)], edges((1, 2), (1, 2)))
    assert choice_of([task(1), task(2)], (1, 2), (1, 2)).dependents == 1
    assert [one.ref_number for one in order.open_prerequisites(order.tasks["2"])] == [1]


def test_reasons():
    for any_task, tasks, pairs, word in (
        (False, [], (), "no_tasks"),
        (True, [], (), "no_todo_tasks"),
        (True, [task(1, "backlog")], (), "no_todo_tasks"),
        (True, [task(1, "in_review"), task(2)], ((1, 2),), "all_blocked"),
    ):
        order = TaskGraph(tasks, edges(*pairs))
        assert next_task_outcome_code(any_task, order) == word


def test_it_says_why():
    alone = choice_of([task(1)])
    assert explain_choice(alone) == "It is the only task that can begin now."
    first = choice_of([task(1, priority=3), task(2), task(3)], (1, 3))
    assert explain_choice(first) == "Of 2 tasks that can begin now: low priority; 1 task waits for it."
    oldest = choice_of([task(1), task(2)])
    assert "nothing waits for it; the oldest of those" in explain_choice(oldest)


@st.composite
def plans(draw):
    states = ["backlog", "scope", "todo", "in_progress", "in_review", "wont_do"]
    tasks = [
        task(number, draw(st.sampled_from(states)), draw(st.integers(0, 2)))
        for number in range(1, draw(st.integers(1, 8)) + 1)
    ]
    pairs = draw(st.lists(st.tuples(st.integers(1, 8), st.integers(1, 8)).filter(lambda pair: pair[0] < pair[1])))
    return tasks, pairs


def behind(number, pairs, tasks):
    """(longest line of waiting tasks, all waiting tasks) after it, the slow way."""
    known = {one.ref_number: one for one in tasks}
    after = {b for a, b in pairs if a == number and b in known}
    lines: list[tuple[int, set[int]]] = [(0, set())]
    for each in after:
        chain, all_after = behind(each, pairs, tasks)
        counts = known[each].state != "wont_do"
        lines.append((chain + counts, all_after | ({each} if counts else set())))
    return max(chain for chain, _ in lines), set().union(*(found for _, found in lines))


@given(plans())
def test_the_choice_is_the_best_by_the_slow_way_too(plan):
    tasks, pairs = plan
    known = {one.ref_number for one in tasks}
    ready = [
        one for one in tasks if one.state == "todo" and not any(b == one.ref_number and a in known for a, b in pairs)
    ]
    ranked = sorted(
        ready,
        key=lambda one: (
            -one.priority,
            -behind(one.ref_number, pairs, tasks)[0],
            -len(behind(one.ref_number, pairs, tasks)[1]),
            one.ref_number,
        ),
    )
    assert chosen(tasks, *pairs) == (ranked[0].ref_number if ranked else None)


def test_five_thousand_tasks_take_a_moment():
    tasks = [task(number) for number in range(1, 5001)]
    pairs = [(number, number + step) for number in range(101, 4900) for step in (1, 7, 50)]
    pairs += [(number, 101 + number) for number in range(1, 101)]
    with patience():
        assert chosen(tasks, *pairs) is not None


def test_the_critical_path_is_the_longest_line_that_is_left():
    tasks = [task(each) for each in range(1, 8)]
    order = TaskGraph(tasks, edges((1, 3), (1, 4), (1, 5), (2, 6), (6, 7), (5, 7)))
    assert order.critical_path_task_ids() == ["1", "5", "7"]
    assert TaskGraph(tasks[1:], edges((1, 3), (1, 4), (1, 5), (2, 6), (6, 7), (5, 7))).critical_path_task_ids() == [
        "2",
        "6",
        "7",
    ]


def test_without_a_line_there_is_no_critical_path():
    assert TaskGraph([], []).critical_path_task_ids() == []
    assert TaskGraph([task(1), task(2)], []).critical_path_task_ids() == []
    assert TaskGraph([task(1), task(2, "wont_do")], edges((1, 2))).critical_path_task_ids() == []
