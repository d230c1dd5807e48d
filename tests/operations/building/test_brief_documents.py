"""Documents that are linked to an action are in its brief, as what others wrote."""

from pendesk.domain.limits import RESULT_TOKENS
from pendesk.operations.truncate import fits_token_limit
from tests.workbench import published_spec


async def brief_of(desk, person, action, **fields):
    return await desk.call(person, "get_action_brief", action_pid=action["pid"], **fields)


async def link_document(desk, person, work, action, **fields):
    given = {"project_id": work.project_id, "linked_task_id": action["pid"], **fields}
    return await desk.call(person, "create_document", **given)


async def test_linked_documents_reach_the_brief(desk, ada):
    work = await published_spec(desk, ada, actions=2)
    first, second = work.actions
    assert "documents" not in await brief_of(desk, ada, first)
    document = await link_document(desk, ada, work, first, title="Why cookies", body="They expire.")
    await desk.call(ada, "create_document", project_id=work.project_id, title="Elsewhere", body="Not linked.")
    assert (await brief_of(desk, ada, first))["documents"] == [
        {"pid": document["pid"], "title": "Why cookies", "untrusted": {"body": "They expire."}}
    ]
    assert "documents" not in await brief_of(desk, ada, second)


async def test_a_long_document_is_cut_before_all_else_and_can_be_read_on(desk, ada):
    work = await published_spec(desk, ada, actions=1)
    action = work.actions[0]
    text = "A line of the document.\n" * 2_000
    await link_document(desk, ada, work, action, title="Long", body=text)
    brief = await brief_of(desk, ada, action)
    assert fits_token_limit(brief, RESULT_TOKENS)
    positions = [position for position in brief["cut"] if position.startswith("documents")]
    assert positions
    read = "".join(document["untrusted"]["body"].removesuffix("…") for document in brief["documents"])
    while positions:
        rest = (await brief_of(desk, ada, action, rest=positions[0]))["rest"]
        read += rest["text"] if "text" in rest else rest["items"][0]["untrusted"]["body"].removesuffix("…")
        positions = [rest["next"]] if rest.get("next") else []
    assert read == text
