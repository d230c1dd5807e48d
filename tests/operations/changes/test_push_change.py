"""A change is pushed by who works on the action, kept with its submission, and replaced until then."""

import asyncio
import gzip

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.change import Omission
from pendesk.domain.errors import BadField, HeldByAnother, NotFound, RuleBroken, TooLarge
from pendesk.domain.limits import CHANGE_BYTES
from pendesk.operations.changes.change_upload import ManifestFile
from pendesk.store import changes
from tests.diffs import HEAD, NEXT_HEAD, binary, created, modified, packed, push, renamed
from tests.refusals import refused
from tests.workbench import next_door, published_spec


@pytest.fixture
async def held(desk):
    """An action that Ada's agent holds; Eve is another agent, the author a person."""
    author = await desk.person("Author")
    ada, eve = await desk.person("Ada", scopes=BUILDING_SCOPES), await desk.person("Eve", scopes=BUILDING_SCOPES)
    work = await published_spec(desk, author, actions=2, criteria=2, participants=(ada, eve))
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return author, ada, eve, work.actions[0]


async def submit(desk, actor, action, head=HEAD, tool="submit_for_review", **fields):
    code = {"branch": "feature", "head_sha": head, "summary": "Done.", **fields}
    return await desk.call(actor, tool, action_pid=action["pid"], **code)


async def shown(desk, actor, action, **fields):
    return await desk.call(actor, "get_change", action_id=action["pid"], **fields)


async def request_changes(desk, person, action):
    return await desk.call(
        person, "review_action", action_pid=action["pid"], verdict="changes_requested", summary="Again."
    )


async def test_the_holder_pushes_and_the_submission_of_that_head_keeps_it(desk, held):
    author, ada, _, action = held
    pushed = await push(desk, ada, action["pid"], packed(modified("src/app.py"), created("src/new.py", "x", "y")))
    assert (pushed["files"], pushed["added"], pushed["removed"], pushed["refCode"]) == (2, 3, 1, action["refCode"])
    assert "submit_for_review" in pushed["next_step"]
    assert "submissionNumber" not in (await shown(desk, ada, action))["change"]
    await submit(desk, ada, action)
    view = await shown(desk, author, action)
    assert (view["change"]["submissionNumber"], view["change"]["headSha"]) == (1, HEAD)
    assert [file["path"] for file in view["files"]] == ["src/app.py", "src/new.py"]


async def test_another_push_replaces_what_is_not_submitted(desk, held):
    author, ada, _, action = held
    await push(desk, ada, action["pid"], packed(modified("a.py")))
    await push(desk, ada, action["pid"], packed(modified("b.py"), head=NEXT_HEAD))
    view = await shown(desk, author, action)
    assert ([file["path"] for file in view["files"]], view["change"]["headSha"]) == (["b.py"], NEXT_HEAD)


async def test_each_submission_keeps_its_own(desk, held):
    author, ada, _, action = held
    await push(desk, ada, action["pid"], packed(modified("a.py")))
    await submit(desk, ada, action)
    await request_changes(desk, author, action)
    since = modified("a.py", "new", "newer")
    content = packed(modified("a.py", added="newer"), modified("b.py"), head=NEXT_HEAD, since=since, since_sha=HEAD)
    assert (await shown(desk, ada, action))["comparesWith"] == HEAD
    await push(desk, ada, action["pid"], content)
    await submit(desk, ada, action, NEXT_HEAD, "resubmit_for_review")
    newest = await shown(desk, author, action)
    assert [(file["path"], file["sinceLast"]) for file in newest["files"]] == [("a.py", "changed"), ("b.py", "new")]
    first = await shown(desk, author, action, submission_number=1)
    assert [file["path"] for file in first["files"]] == ["a.py"]
    part = await shown(desk, author, action, part="since")
    assert [(file["path"], file["added"]) for file in part["files"]] == [("a.py", 1)]
    with refused(NotFound):
        await shown(desk, author, action, submission_number=3)


async def test_what_is_submitted_without_a_change_can_be_pushed_afterwards(desk, held):
    author, ada, _, action = held
    await submit(desk, ada, action)
    assert "change" not in await shown(desk, author, action)
    pushed = await push(desk, ada, action["pid"], packed(modified("a.py")))
    assert pushed["submissionNumber"] == 1
    other = await push(desk, ada, action["pid"], packed(modified("b.py"), head=NEXT_HEAD))
    assert "submissionNumber" not in other
    assert "another head" in other["next_step"]
    assert (await shown(desk, author, action))["files"][0]["path"] == "a.py", "the reviewer sees what was submitted"


async def test_a_change_of_another_head_than_the_submission_says_so(desk, held):
    author, ada, _, action = held
    await push(desk, ada, action["pid"], packed(modified("a.py"), head=NEXT_HEAD))
    await submit(desk, ada, action, HEAD)
    view = await shown(desk, author, action)
    assert (view["change"]["headSha"], view["moved"]) == (NEXT_HEAD, HEAD)


async def test_what_was_judged_stays_as_it_was(desk, held):
    author, ada, _, action = held
    await push(desk, ada, action["pid"], packed(modified("a.py")))
    await submit(desk, ada, action)
    await request_changes(desk, author, action)
    again = await push(desk, ada, action["pid"], packed(modified("b.py")))
    assert "submissionNumber" not in again
    assert (await shown(desk, author, action, submission_number=1))["files"][0]["path"] == "a.py"


async def test_only_who_works_on_it_pushes(desk, held):
    author, ada, eve, action = held
    with refused(HeldByAnother):
        await push(desk, eve, action["pid"], packed(modified("a.py")))
    assert (await push(desk, author, action["pid"], packed(modified("a.py"))))["files"] == 1, "a person may"
    await desk.call(ada, "release_action", action_pid=action["pid"])
    with refused(RuleBroken):
        await push(desk, ada, action["pid"], packed(modified("a.py")))
    other = await next_door(desk)
    stranger = await other.person("Stranger")
    with refused(NotFound):
        await push(other, stranger, action["pid"], packed(modified("a.py")))


async def test_a_receipt_is_good_for_its_member_alone(desk, held):
    _, ada, _, action = held
    with desk.installation.files.start_upload(1_000) as upload:
        upload.write(b"x")
        key = upload.save().key
    for receipt in ("", "a.b.c.d.e", f"{key}.1.{'0' * 64}.99999999999999999.sig"):
        with refused(BadField):
            await desk.call(ada, "push_change", action_id=action["pid"], receipt=receipt)


async def test_renames_binaries_and_omitted_files_are_shown_without_hunks(desk, held):
    author, ada, _, action = held
    header = "diff --git a/gen.js b/gen.js\nnew file mode 100644\nindex 0000000..3333333\n"
    known = [
        ManifestFile("logo.png", old_size=100, new_size=2_000),
        ManifestFile("gen.js", omitted=Omission.TOO_LARGE, added=20_000, removed=0),
    ]
    content = packed(renamed("old.py", "new.py"), binary("logo.png"), header, known=known)
    assert (await push(desk, ada, action["pid"], content))["omitted"] == 1
    move, logo, generated = (await shown(desk, author, action))["files"]
    assert (move["oldPath"], move["status"]) == ("old.py", "renamed")
    assert (logo["kind"], logo["oldSize"], logo["newSize"]) == ("binary", 100, 2_000)
    assert (generated["omitted"], generated["added"], generated["status"]) == ("too_large", 20_000, "added")
    page = await desk.call(author, "get_change_file", action_id=action["pid"], position=2)
    assert page["hunks"] == []


async def test_two_pushes_at_once_leave_one_change(desk, held):
    author, ada, _, action = held
    contents = [packed(modified(f"{name}.py"), head=str(place) * 40) for place, name in enumerate("abcdefgh")]
    await asyncio.gather(*(push(desk, ada, action["pid"], content) for content in contents))
    view = await shown(desk, author, action)
    assert len(view["files"]) == 1
    place = "abcdefgh".index(view["files"][0]["path"][0])
    assert view["change"]["headSha"] == str(place) * 40, "files and head belong together"


async def test_a_push_and_a_submission_at_once_end_in_one_of_two_orders(desk, held):
    author, ada, _, action = held
    content = packed(modified("a.py"))
    await asyncio.gather(push(desk, ada, action["pid"], content), submit(desk, ada, action))
    view = await shown(desk, author, action)
    assert view["change"]["submissionNumber"] == 1


@pytest.mark.parametrize(
    ("content", "refusal"),
    [
        (b"", BadField),
        (b"plain text", BadField),
        (gzip.compress(b"no json\n"), BadField),
        (gzip.compress(b"{}\n"), BadField),
        (packed(modified("a.py"))[:-10], BadField),
        (packed(modified("a.py")) + b"more", BadField),
        (gzip.compress(b"[" * 100_000 + b"\n"), BadField),
        (packed(modified("../a.py")), BadField),
        (packed(created("big.txt", "x" * CHANGE_BYTES)), TooLarge),
        (gzip.compress(bytes(50_000_000)), TooLarge),
        (packed(*[modified(f"f{number}") for number in range(2_001)]), TooLarge),
    ],
    ids=["empty", "text", "no json", "no head", "cut", "more", "deep", "escape", "too large", "bomb", "files"],
)
async def test_what_is_no_change_is_refused_and_changes_nothing(desk, held, content, refusal):
    author, ada, _, action = held
    with refused(refusal):
        await push(desk, ada, action["pid"], content)
    assert "change" not in await shown(desk, author, action)


async def test_the_bytes_of_a_replaced_change_are_no_longer_needed(desk, held):
    _, ada, _, action = held

    async def key():
        change = await desk.store.read(desk.workspace, lambda tx: changes.newest_of(tx, action["pid"]))
        return change.storage_key

    async def is_kept(storage_key):
        return await desk.store.read("", lambda tx: changes.is_storage_key_in_use(tx, storage_key))

    await push(desk, ada, action["pid"], packed(modified("a.py")))
    first = await key()
    await push(desk, ada, action["pid"], packed(modified("b.py")))
    assert (await is_kept(first), await is_kept(await key())) == (False, True)
