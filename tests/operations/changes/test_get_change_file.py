"""The lines of a file, whose they are, and what was said about them."""

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.errors import NotFound
from pendesk.operations.changes.change_upload import ManifestCommit, ManifestFile
from tests.diffs import HEAD, NEXT_HEAD, created, modified, packed, push
from tests.refusals import refused
from tests.workbench import published_spec

FIRST, SECOND = "1" * 40, "2" * 40


@pytest.fixture
async def pushed(desk):
    """A change of two commits, each for a criterion; the second touches both files."""
    author, ada = await desk.person("Author"), await desk.person("Ada", scopes=BUILDING_SCOPES)
    work = await published_spec(desk, author, actions=1, criteria=2, participants=(ada,))
    action = work.actions[0]
    await desk.call(ada, "claim_action", action_pid=action["pid"])
    for sha, criterion in zip((FIRST, SECOND), action["criteria"], strict=True):
        await desk.call(
            ada, "report_commit", action_pid=action["pid"], sha=sha, message="Work", criterion_ids=[criterion]
        )
    commits = [ManifestCommit(FIRST, "Add a", ["a.py"]), ManifestCommit(SECOND, "Add b", ["a.py", "b.py"])]
    two_hunks = modified("a.py") + "@@ -10,1 +10,2 @@\n x\n+y\n"
    known = [ManifestFile("a.py", blame=[(2, 1, 0), (11, 1, 1)])]
    await push(desk, ada, action["pid"], packed(two_hunks, created("b.py", "z"), commits=commits, known=known))
    await desk.call(
        ada, "submit_for_review", action_pid=action["pid"], summary="Done.", branch="feature", head_sha=HEAD
    )
    return author, ada, action


async def file_of(desk, actor, action, position=0, **fields):
    return await desk.call(actor, "get_change_file", action_id=action["pid"], position=position, **fields)


async def test_a_hunk_has_the_commits_and_criteria_of_its_lines(desk, pushed):
    author, _, action = pushed
    first, second = (await file_of(desk, author, action))["hunks"]
    assert (first["commitShas"], first["criterionIds"]) == ([FIRST], [action["criteria"][0]])
    assert (second["commitShas"], second["criterionIds"]) == ([SECOND], [action["criteria"][1]])
    assert second["lines"] == [" x", "+y"]


async def test_a_file_has_those_of_all_commits_that_touch_it(desk, pushed):
    author, _, action = pushed
    view = await desk.call(author, "get_change", action_id=action["pid"])
    assert [file["commitShas"] for file in view["files"]] == [[FIRST, SECOND], [SECOND]]
    assert [file["criterionIds"] for file in view["files"]] == [action["criteria"], action["criteria"][1:]]
    assert [(commit["subject"], commit["criterionIds"]) for commit in view["commits"]] == [
        ("Add a", action["criteria"][:1]),
        ("Add b", action["criteria"][1:]),
    ]


async def test_where_nobody_knows_whose_a_line_is_the_commits_of_the_file_count(desk, pushed):
    author, _, action = pushed
    (hunk,) = (await file_of(desk, author, action, 1))["hunks"]
    assert hunk["commitShas"] == [SECOND]


async def test_a_file_that_is_not_there_is_not_found(desk, pushed):
    author, _, action = pushed
    for fields in ({"position": 2}, {"position": 0, "part": "since"}):
        with refused(NotFound):
            await file_of(desk, author, action, **fields)


async def test_viewed_is_each_persons_own_and_lasts_while_the_hunks_do(desk, pushed):
    author, ada, action = pushed
    rita = await desk.person("Rita")
    digest = (await file_of(desk, author, action))["digest"]
    mark = {"action_id": action["pid"], "path": "a.py", "digest": digest}
    await desk.call(author, "set_file_viewed", **mark)
    assert (await file_of(desk, author, action))["viewed"]
    assert "viewed" not in await file_of(desk, rita, action)
    await push(desk, ada, action["pid"], packed(modified("a.py", added="other")))
    assert "viewed" not in await file_of(desk, author, action), "it has other hunks"
    await push(desk, ada, action["pid"], packed(modified("b.py")))
    with refused(NotFound):
        await desk.call(author, "set_file_viewed", **mark)


async def resubmitted(desk, author, ada, action, *files, since):
    """Changes were requested; these files are pushed and submitted, with what is new since then."""
    pid = action["pid"]
    await desk.call(author, "review_action", action_pid=pid, verdict="changes_requested", summary="Again.")
    await push(desk, ada, pid, packed(*files, head=NEXT_HEAD, since=since, since_sha=HEAD))
    code = {"summary": "Again.", "branch": "feature", "head_sha": NEXT_HEAD, "dispositions": []}
    await desk.call(ada, "resubmit_for_review", action_pid=pid, **code)


async def viewed_paths(desk, actor, action, **fields):
    view = await desk.call(actor, "get_change", action_id=action["pid"], **fields)
    return [file["path"] for file in view["files"] if file.get("viewed")]


async def test_a_file_that_is_viewed_in_one_part_is_viewed_in_the_other_until_its_lines_change(desk, pushed):
    author, ada, action = pushed
    again = modified("a.py", added="newer")
    await resubmitted(desk, author, ada, action, again, created("b.py", "z"), since=modified("a.py", "new", "newer"))
    new = await file_of(desk, author, action, part="since")
    mark = {"action_id": action["pid"], "path": "a.py", "digest": new["digest"]}
    await desk.call(author, "set_file_viewed", **mark)
    for part in ("since", "change"):
        assert await viewed_paths(desk, author, action, part=part) == ["a.py"]
        assert (await file_of(desk, author, action, part=part))["viewed"]
    await push(desk, ada, action["pid"], packed(created("b.py", "z"), again, head=NEXT_HEAD))
    assert await viewed_paths(desk, author, action) == ["a.py"], "it has the same lines, at another place"
    await push(desk, ada, action["pid"], packed(modified("a.py", added="newest"), head=NEXT_HEAD))
    assert await viewed_paths(desk, author, action) == []


async def test_what_was_taken_back_since_the_last_submission_can_be_viewed_as_well(desk, pushed):
    author, ada, action = pushed
    await resubmitted(desk, author, ada, action, created("b.py", "z"), since=modified("a.py", "new", "old"))
    gone = await file_of(desk, author, action, part="since")
    await desk.call(author, "set_file_viewed", action_id=action["pid"], path="a.py", digest=gone["digest"])
    assert await viewed_paths(desk, author, action, part="since") == ["a.py"]
    assert await viewed_paths(desk, author, action) == []


async def test_a_mark_can_be_taken_back(desk, pushed):
    author, _, action = pushed
    digest = (await file_of(desk, author, action))["digest"]
    for viewed in (True, False):
        await desk.call(author, "set_file_viewed", action_id=action["pid"], path="a.py", digest=digest, viewed=viewed)
    assert "viewed" not in await file_of(desk, author, action)
