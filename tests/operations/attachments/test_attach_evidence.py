"""Logs and pictures as evidence for a criterion: who may attach them, what they count for, how a reviewer sees them."""

import asyncio

import pytest

from pendesk.domain.access import BUILDING_SCOPES
from pendesk.domain.errors import HeldByAnother, NotFound, RuleBroken
from pendesk.domain.limits import CRITERION_ATTACHMENTS
from pendesk.operations.attachments.receipts import make_signed_file_receipt
from tests.folding import check_fold
from tests.refusals import refused
from tests.workbench import published_spec

SHA = "a" * 40
PNG = b"\x89PNG\r\n\x1a\n" + bytes(64)


@pytest.fixture
async def held(desk):
    """An action that Ada's agent holds; Rita is a person of the workspace, Eve another agent."""
    author = await desk.person("Author")
    ada, eve = await desk.person("Ada", scopes=BUILDING_SCOPES), await desk.person("Eve", scopes=BUILDING_SCOPES)
    work = await published_spec(desk, author, actions=2, criteria=2, participants=(ada, eve))
    await desk.call(ada, "claim_action", action_pid=work.actions[0]["pid"])
    return author, ada, eve, work


async def attach(desk, actor, action, criterion_id, name="run.log", content=b"12 passed\n", media_type="text/plain"):
    with desk.installation.files.start_upload(1_000_000) as upload:
        upload.write(content)
        receipt = make_signed_file_receipt(desk.installation, actor, upload.save(), desk.clock())
    described = {"name": name, "media_type": media_type, "receipt": receipt}
    return await desk.call(actor, "attach_evidence", action_id=action["pid"], criterion_id=criterion_id, **described)


async def submit(desk, actor, action):
    code = {"branch": "main", "head_sha": SHA}
    return await desk.call(actor, "submit_for_review", action_pid=action["pid"], summary="Done.", **code)


async def state_of(desk, person, action, place=0):
    page = await desk.call(person, "get_action", action_id=action["pid"])
    return page["criteria"][place]["evidenceState"]


async def test_a_file_is_self_reported_evidence_and_its_reviewer_sees_it(desk, held):
    author, ada, _, work = held
    action = work.actions[0]
    first, second = action["criteria"]
    log = "\n".join(f"line {number}\x1b[31m" for number in range(100)).encode()
    attached = await attach(desk, ada, action, first, content=log)
    assert (attached["criterionId"], attached["specPid"]) == (first, None)
    await attach(desk, ada, action, second, "page.png", PNG, "image/png")
    await attach(desk, ada, action, second, "page.svg", b"<svg onload=alert(1)>", "image/svg+xml")
    await attach(desk, ada, action, second, "core.bin", bytes(10), "application/octet-stream")
    assert await state_of(desk, author, action) == "claimed"
    assert "advisory" not in await submit(desk, ada, action)
    traces = {
        trace["id"]: trace["files"]
        for trace in (await desk.call(author, "get_review", action_id=action["pid"]))["criteria"]
    }
    (file,) = traces[first]
    assert file["preview"].splitlines()[:2] == ["line 0[31m", "line 1[31m"], "without what a terminal would act on"
    assert (len(file["preview"].splitlines()), file["more"]) == (20, True)
    shown = {file["name"]: (file.get("picture", False), file.get("preview")) for file in traces[second]}
    assert shown == {"page.png": (True, None), "page.svg": (False, None), "core.bin": (False, None)}


async def test_whoever_opens_the_action_sees_its_files_before_anything_is_submitted(desk, held):
    author, ada, _, work = held
    action = work.actions[0]
    await attach(desk, ada, action, action["criteria"][0])
    first, second = (await desk.call(author, "get_action", action_id=action["pid"]))["criteria"]
    assert [(file["name"], file["preview"]) for file in first["files"]] == [("run.log", "12 passed")]
    assert "files" not in second


async def test_an_action_says_which_of_its_criteria_take_evidence(desk, held):
    author, _, _, work = held
    action = work.actions[0]
    await desk.call(author, "create_criterion", action_id=action["pid"], text="Written since the build")
    criteria = (await desk.call(author, "get_action", action_id=action["pid"]))["criteria"]
    assert [criterion.get("acceptsEvidence", False) for criterion in criteria] == [True, True, False]
    for criterion in criteria[:2]:
        await attach(desk, author, action, criterion["id"])
    with refused(RuleBroken):
        await attach(desk, author, action, criteria[2]["id"])
    # An action that agents do not see yet takes none either.
    draft = await desk.call(
        author, "create_action", project_id=work.project_id, label="Later", criteria=["Holds"], state="scope"
    )
    (criterion,) = (await desk.call(author, "get_action", action_id=draft["pid"]))["criteria"]
    assert "acceptsEvidence" not in criterion


async def test_only_the_holder_or_a_person_may_attach(desk, held):
    author, ada, eve, work = held
    action, free = work.actions
    with refused(HeldByAnother):
        await attach(desk, eve, action, action["criteria"][0])
    with refused(RuleBroken):
        await attach(desk, ada, free, free["criteria"][0])
    await attach(desk, author, free, free["criteria"][0])
    with refused(RuleBroken, "unknown_criterion"):
        await attach(desk, ada, action, free["criteria"][0])
    await submit(desk, ada, action)
    with refused(RuleBroken, "in_review"):
        await attach(desk, ada, action, action["criteria"][0])


async def test_nothing_of_another_workspace_can_be_attached_to(desk, held):
    _, ada, _, work = held
    action = work.actions[0]
    with refused(NotFound):
        await attach(desk, ada._replace(workspace_id=ada.user_id), action, action["criteria"][0])


async def test_a_criterion_has_so_many_files_and_no_more(desk, held):
    _, ada, _, work = held
    action = work.actions[0]
    for _ in range(CRITERION_ATTACHMENTS):
        await attach(desk, ada, action, action["criteria"][0])
    with refused(RuleBroken, "too_many_attachments"):
        await attach(desk, ada, action, action["criteria"][0])


async def test_a_removed_file_shows_nothing_any_more(desk, held):
    author, ada, eve, work = held
    action = work.actions[0]
    attached = await attach(desk, ada, action, action["criteria"][0])
    link = {"attachment_pid": attached["pid"]}
    for reader in (author, ada, eve):
        assert (await desk.call(reader, "get_attachment_url", **link))["url"]
    stranger = await desk.person("Sam", scopes=BUILDING_SCOPES)
    with refused(NotFound):
        await desk.call(stranger, "get_attachment_url", **link)
    await desk.call(author, "remove_attachment", **link)
    assert await state_of(desk, author, action) == "stale"
    page = await desk.call(author, "get_action", action_id=action["pid"])
    assert page["criteria"][0]["evidence"]["stale"] == "The attached file was removed."
    with refused(NotFound):
        await desk.call(author, "remove_attachment", **link)
    await check_fold(desk)


async def test_an_action_is_deleted_with_the_files_of_its_criteria(desk):
    author = await desk.person("Author")
    project = await desk.call(author, "create_project", name="Tides")
    action = await desk.call(author, "create_action", project_id=project["pid"], label="A", criteria=["It holds"])
    await attach(desk, author, action, action["criteria"][0]["id"])
    await desk.call(author, "delete_action", action_id=action["pid"])


async def test_one_upload_that_is_attached_to_two_actions_at_once_is_used_once(desk, held):
    _, ada, _, work = held
    await desk.call(ada, "claim_action", action_pid=work.actions[1]["pid"])
    for _ in range(5):
        with desk.installation.files.start_upload(1_000_000) as upload:
            upload.write(b"12 passed\n")
            receipt = make_signed_file_receipt(desk.installation, ada, upload.save(), desk.clock())
        described = {"name": "run.log", "media_type": "text/plain", "receipt": receipt}
        calls = [
            desk.call(ada, "attach_evidence", action_id=action["pid"], criterion_id=action["criteria"][0], **described)
            for action in work.actions
        ]
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert sorted(getattr(outcome, "code", "attached") for outcome in outcomes) == ["attached", "used"]
