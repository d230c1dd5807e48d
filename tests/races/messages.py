"""Messages to agents: each is read once, or cancelled, whoever calls at the same moment and in whichever process."""

from collections import Counter
from typing import Any

from pendesk.domain.access import Actor
from pendesk.domain.limits import MESSAGES_QUEUED
from tests.races.crew import Outcome
from tests.races.scene import Scene, dealt, flat
from tests.races.sessions import call_all, terminals

NamedCall = tuple[Actor, str, dict[str, Any]]


async def _all_at_once(scene: Scene, calls: list[NamedCall]) -> list[Outcome]:
    outcomes: list[Outcome] = flat(scene.crew.run(call_all, dealt(scene.crew, calls)))
    return outcomes


def _read_ids(outcomes: list[Outcome]) -> list[str]:
    """The messages in the answers, but for those to hooks, which have only their texts."""
    news = [item for outcome in outcomes if outcome.ok for item in outcome.told.get("news", [])]
    return [item["objectId"] for item in news if item["kind"] == "message.sent"]


async def delivered_once(scene: Scene, rounds: int) -> str:
    """Reads, writes and hooks of one session at once: each message is in one of the answers."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    pid = work.actions[0]["pid"]
    (terminal,) = await terminals(scene, user, 1)
    await scene.call(terminal, "claim_action", action_pid=pid)
    report = {"action_pid": pid, "status": "started", "message": "Going on."}
    calls: list[NamedCall] = [
        (terminal, "list_available_specs", {}),
        (terminal, "update_progress", report),
        (terminal, "get_action_brief", {"action_pid": pid}),
        (terminal, "answer_session_event", {"event": "PostToolUse"}),
    ]
    for number in range(rounds):
        sent = await scene.call(scene.author, "send_message", action_pid=pid, text=f"Number {number}.")
        outcomes = await _all_at_once(scene, calls * scene.crew.processes)
        assert {outcome.word for outcome in outcomes} == {"ok"}
        by_hooks = [outcome for outcome in outcomes if f"Number {number}." in outcome.told.get("context", "")]
        assert len(_read_ids(outcomes)) + len(by_hooks) == 1, sent["pid"]
    assert Counter(await scene.kinds())["message.delivered"] == rounds
    return f"{rounds} messages, {len(calls) * scene.crew.processes} calls of their session at once: each read once"


async def sent_while_claimed(scene: Scene, rounds: int) -> str:
    """A message to an action that is claimed at that moment is for who has claimed it."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    pid = work.actions[0]["pid"]
    sessions = await terminals(scene, user, scene.crew.processes)
    for number in range(rounds):
        calls: list[NamedCall] = [(session, "claim_action", {"action_pid": pid}) for session in sessions]
        calls.append((scene.author, "send_message", {"action_pid": pid, "text": f"Number {number}."}))
        outcomes = await _all_at_once(scene, calls)
        assert Counter(outcome.word for outcome in outcomes)["ok"] == 2, outcomes
        later = await _all_at_once(scene, [(session, "list_available_specs", {}) for session in sessions])
        assert len(_read_ids(outcomes + later)) == 1
        await scene.call(scene.author, "release_claim", action_pid=pid)
    return f"{rounds} messages to an action that {len(sessions)} sessions claim at once: each read once"


async def queued(scene: Scene, senders: int) -> str:
    """However many write at once, only so many messages wait for a session."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    (terminal,) = await terminals(scene, user, 1)
    await scene.call(terminal, "claim_action", action_pid=work.actions[0]["pid"])
    send = (scene.author, "send_message", {"action_pid": work.actions[0]["pid"], "text": "Hello."})
    words = Counter(outcome.word for outcome in await _all_at_once(scene, [send] * senders))
    assert words == {"ok": MESSAGES_QUEUED, "too_many_queued": senders - MESSAGES_QUEUED}, words
    assert await scene.count("agent_session_news") == await scene.count("message_deliveries") == MESSAGES_QUEUED
    return f"{senders} messages sent to one session at once: {MESSAGES_QUEUED} wait"


async def cancelled_while_read(scene: Scene, rounds: int) -> str:
    """Either the session reads it, or it is cancelled."""
    (user,) = await scene.crowd(1)
    work = await scene.work_for([user])
    (terminal,) = await terminals(scene, user, 1)
    await scene.call(terminal, "claim_action", action_pid=work.actions[0]["pid"])
    words: Counter[str] = Counter()
    for _round in range(rounds):
        sent = await scene.call(scene.author, "send_message", action_pid=work.actions[0]["pid"], text="Hello.")
        cancel = (scene.author, "cancel_message", {"message_id": sent["pid"]})
        calls: list[NamedCall] = [cancel, (terminal, "list_available_specs", {})]
        outcomes = await _all_at_once(scene, calls)
        is_read = sent["pid"] in _read_ids(outcomes)
        (word,) = [outcome.word for outcome in outcomes if outcome.word != "ok"] or ["cancelled"]
        assert word == ("already_delivered" if is_read else "cancelled")
        words[word] += 1
    return f"{rounds} messages cancelled while their session reads: {dict(words)}"
