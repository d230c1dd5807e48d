"""Planning: what is settled once, and a comment whose document is edited at the same moment."""

from collections import Counter

from tests.guest_requests import guest_item
from tests.races.crew import Outcome
from tests.races.handover import call_one
from tests.races.scene import Scene, dealt, flat

BODY = "The first part.\n\nThe second part.\n"


async def settled_once(scene: Scene, rounds: int) -> str:
    """A run is ended, a comment resolved and a submission triaged by everybody at once: one does it."""
    (user,) = await scene.crowd(1)
    project = await scene.call(user, "create_project", name="Race", key="RACE")
    document = await scene.call(user, "create_document", project_id="RACE", title="Text", body=BODY)
    for _ in range(rounds):
        run = await scene.call(user, "start_agent_run", project_id="RACE")
        comment = await scene.call(user, "add_comment", document_id=document["pid"], body="Why?")
        item = await guest_item(scene, project["pid"])
        for operation, arguments, code in (
            ("complete_agent_run", {"run_id": run["pid"], "status": "completed"}, "run_ended"),
            ("resolve_comment", {"comment_id": comment["pid"]}, "already_resolved"),
            ("triage_submission", {"submission_id": item, "action": "accept"}, "already_triaged"),
        ):
            calls = [(user, operation, arguments)] * 4
            outcomes: list[Outcome] = flat(scene.crew.run(call_one, dealt(scene.crew, calls)))
            words = Counter(outcome.word for outcome in outcomes)
            assert words == {"ok": 1, code: 3}, words
    kinds = Counter(await scene.kinds())
    for kind in ("run.ended", "comment.resolved", "submission.triaged", "action.created"):
        assert kinds[kind] == rounds, kinds
    return f"{rounds} runs, comments and submissions settled 4 times at once: once each"


async def commenting_while_editing(scene: Scene, rounds: int) -> str:
    """Whichever comes first, the comment ends up on its words in the text that is there in the end."""
    editor, reader = await scene.crowd(2)
    await scene.call(editor, "create_project", name="Race", key="RACE")
    document = await scene.call(editor, "create_document", project_id="RACE", title="Text", body=BODY)
    about = {"document_id": document["pid"]}
    for number in range(1, rounds + 1):
        body = "More. " * number + BODY
        calls = [
            (editor, "update_document", {"body": body, "expected_revision": number, **about}),
            *[(reader, "add_comment", {"body": "Why?", "passage": "second part", **about})] * 3,
        ]
        outcomes: list[Outcome] = flat(scene.crew.run(call_one, dealt(scene.crew, calls)))
        assert all(outcome.ok for outcome in outcomes), outcomes
        places = await scene.rows("SELECT passage_start, passage_lost FROM comments WHERE workspace_id = :workspace")
        assert set(places) == {(body.index("second part"), 0)}, places
    return f"{rounds} edits against 3 comments each: {3 * rounds} comments, all on their words"
