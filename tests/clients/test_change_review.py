"""A change is pushed, reviewed at its lines and pushed again: by the real Claude Code, from a real repository."""

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import git
from tests.clients.agents import connect_repo, step
from tests.clients.drive.scripted_model import SHELL
from tests.clients.live_run import run_live
from tests.clients.running import Office, RunningServer

REF = "PEN-1"
MODULES, GENERATED_LINES = 57, 20_000
COMMENTS = [
    {"text": "Name the unit.", "path": "src/module_03.py", "line": 2},
    {"text": "Why so many?", "path": "src/module_05.py", "line": 1, "endLine": 3},
    {"text": "A good name.", "path": "src/harbour.py", "line": 41, "kind": "remark"},
]


def write_branch(repo: Path) -> str:
    """60 files: modules, a rename with an edit, a binary file and a generated one of 20,000 lines; its head."""
    (repo / "src").mkdir()
    (repo / "src" / "port.py").write_text("".join(f"berth_{number} = {number}\n" for number in range(40)))
    git(repo, "init", "-q", "-b", "main")
    git(repo, "config", "user.name", "Ada")
    git(repo, "config", "user.email", "ada@example.com")
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Begin")
    git(repo, "checkout", "-qb", "harbour")
    git(repo, "mv", "src/port.py", "src/harbour.py")
    with (repo / "src" / "harbour.py").open("a") as harbour:
        harbour.write("tide = 1\n")
    for number in range(MODULES):
        (repo / "src" / f"module_{number:02}.py").write_text(f"speed = {number}\nlimit = 5\nship = 1\n")
    (repo / "chart.png").write_bytes(bytes(range(256)) * 8)
    (repo / "generated.txt").write_text("".join(f"row {number}\n" for number in range(GENERATED_LINES)))
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "Build the harbour")
    return git(repo, "rev-parse", "HEAD").strip()


async def read_review(office: Office) -> tuple[Any, Any, list[Any]]:
    """The change, what is new in it, and the files with comments."""

    async def read(operation: str, **arguments: Any) -> Any:
        return await office.call(office.owner, operation, action_id=REF, **arguments)

    change = await read("get_change")
    positions = {file["path"]: file["position"] for file in change["files"]}
    files = [await read("get_change_file", position=positions[comment["path"]]) for comment in COMMENTS]
    return change, await read("get_change_file", position=0, part="since"), files


def in_shell(command: str) -> Any:
    return step(SHELL, command=command)


@pytest.mark.usefixtures("pendesk_on_path")
def test_line_comments_reach_the_agent_and_its_answers_stand_at_the_lines(server: RunningServer, tmp_path: Path):
    agent = server.agent("Builder")
    server.work(agent, actions=1, criteria=1)
    repo = connect_repo(tmp_path / "repo", server.url, agent.token)
    head = write_branch(repo)

    def review(_answer: Any) -> None:
        server.person("review_action", action_pid=REF, verdict="changes_requested", items=COMMENTS)

    fix = "sed -i 's/^limit = 5$/limit_knots = 5/' src/module_03.py && git commit -qam 'Name the unit'"
    answers = [
        {"itemId": "$5.review.items.0.id", "disposition": "fixed", "note": "$6.headSha"},
        {"itemId": "$5.review.items.1.id", "disposition": "declined", "note": "The spec has three."},
    ]
    submission = {"action_pid": REF, "branch": "harbour", "summary": "Built."}
    run = run_live(
        "claude",
        repo,
        tmp_path / "home",
        [
            step("claim_action", action_pid=REF),
            in_shell("pendesk change push --json"),
            step("submit_for_review", head_sha="$2.headSha", **submission),
            step("claim_action", action_pid=REF),
            step("get_action_brief", action_pid=REF),
            in_shell(f"{fix} && pendesk change push {REF} --json"),
            step("resubmit_for_review", head_sha="$6.headSha", dispositions=answers, **submission),
        ],
        {3: review},
    )

    pushed, fixed = run.answer(2), run.answer(6)
    added = 3 * MODULES + GENERATED_LINES + 1
    assert (pushed["files"], pushed["added"], pushed["removed"], pushed["omitted"]) == (MODULES + 3, added, 0, 0)
    assert (pushed["headSha"], pushed["branch"], pushed["notCommitted"]) == (head, "harbour", [])
    items, (remark,) = run.answer(5)["review"]["items"], run.answer(5)["review"]["remarks"]
    assert [(item["path"], item["line"], item["quote"].splitlines()[-1]) for item in (*items, remark)] == [
        ("src/module_03.py", 2, "+limit = 5"),
        ("src/module_05.py", 1, "+ship = 1"),
        ("src/harbour.py", 41, "+tide = 1"),
    ]
    assert run.answer(7)["status"] == "in-review"

    change, since, files = server.in_office(read_review)
    assert (change["change"]["submissionNumber"], change["change"]["sinceSha"]) == (2, head)
    by_path = {file["path"]: file for file in change["files"]}
    assert (by_path["src/harbour.py"]["status"], by_path["src/harbour.py"]["oldPath"]) == ("renamed", "src/port.py")
    assert (by_path["chart.png"]["kind"], by_path["chart.png"]["newSize"]) == ("binary", 2_048)
    assert [path for path, file in by_path.items() if file["sinceLast"] == "changed"] == ["src/module_03.py"]
    assert since["hunks"][0]["lines"] == [" speed = 3", "-limit = 5", "+limit_knots = 5", " ship = 1"]
    comments = [comment for file in files for comment in file["comments"]]
    assert [(comment["line"], comment.get("disposition"), comment.get("note")) for comment in comments] == [
        (2, "fixed", fixed["headSha"]),
        (1, "declined", "The spec has three."),
        (41, None, None),
    ]
    assert (comments[0]["sha"], [bool(comment.get("outdated")) for comment in comments]) == (
        fixed["headSha"],
        [True, False, False],
    )
