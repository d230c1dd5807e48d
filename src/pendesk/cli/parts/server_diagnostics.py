"""What doctor asks the server that a repository is bound to: is it there, does the token work, is there work."""

import os
from email.utils import parsedate_to_datetime
from typing import Any

from pendesk import clock
from pendesk.cli.binding import record
from pendesk.cli.parts.diagnostics import CLOCK_SLACK_US, Finding, Findings
from pendesk.cli.parts.doctor_repo import RepoPatient
from pendesk.cli.parts.local import running_server
from pendesk.cli.parts.remote import Refused, Remote, Unreachable
from pendesk.cli.parts.target_server import find_token
from pendesk.clock import MICROSECONDS, from_iso
from pendesk.domain.limits import DAY_US, MINUTE_US

BUILDING_TOOLS = 13
SOON_US = 3 * DAY_US
OTHERS_SHOWN = 5
PAGES_READ = 5


def check_server(patient: RepoPatient) -> Findings:
    binding = patient.binding
    if binding is None:
        return
    remote = Remote(binding.url, timeout_s=5)
    before = clock.now()
    try:
        remote.get("/api/v1/health")
    except Refused as refused:
        yield Finding("server", "wrong", f"{binding.url} answers: {refused}", "Run: pendesk doctor (on its machine)")
        return
    except Unreachable as error:
        yield Finding("server", "wrong", str(error), _where_it_is(patient))
        return
    patient.remote = Remote(binding.url, find_token(patient.root, binding.url))
    yield Finding("server", "ok", f"{binding.url} answers in {(clock.now() - before) // 1000} ms")
    yield from _check_clock(remote)


def _where_it_is(patient: RepoPatient) -> str:
    running = running_server(patient.settings.data)
    if running is not None:
        return f"Run: {patient.connect} --url {running['url']}"
    return "Run: pendesk serve"


def _check_clock(remote: Remote) -> Findings:
    """Tokens and leases end by the server's clock; a far one makes every time that is shown wrong."""
    if remote.date is None:
        return
    skew = int(parsedate_to_datetime(remote.date).timestamp()) * MICROSECONDS - clock.now()
    if abs(skew) > CLOCK_SLACK_US:
        told = f"the server's clock and yours are {abs(skew) // MINUTE_US} minutes apart"
        yield Finding("clock", "wrong", told, "Run: timedatectl set-ntp true (on the machine that is wrong)")


def check_token(patient: RepoPatient) -> Findings:
    """Proven by a real call, as a client makes it."""
    remote, binding = patient.remote, patient.binding
    if remote is None or binding is None:
        return
    agreed = record.agreed_url(patient.root)
    if agreed not in (None, binding.url):
        told = f"it was made for {agreed}, but the repository points at {binding.url}"
        yield Finding("token", "wrong", told, f"If that is right, run: {patient.connect} --url {binding.url}")
        return
    if not remote.has_token:
        yield Finding("token", "wrong", "there is none for this server", f"Run: {patient.connect}")
        return
    try:
        tools = len(remote.list_tools())
        patient.context = remote.get("/api/v1/context")
    except Refused as refused:
        yield _refused_token(refused, patient)
        return
    except Unreachable as error:
        yield Finding("token", "wrong", str(error), _where_it_is(patient))
        return
    yield from _check_scopes(patient, tools)


def _refused_token(refused: Refused, patient: RepoPatient) -> Finding:
    if refused.status == 401 and os.environ.get("PENDESK_MCP_TOKEN"):
        told = "401: PENDESK_MCP_TOKEN is set, comes before the file, and is not good here"
        return Finding("token", "wrong", told, f"Run: unset PENDESK_MCP_TOKEN; {patient.connect}")
    if refused.status == 401:
        from pendesk.cli.parts.explain_401 import why_refused

        return Finding("token", "wrong", f"401: {why_refused(patient)}", f"Run: {patient.connect}")
    return Finding("token", "wrong", f"{refused.status}: {refused}", f"Run: {patient.connect}")


def _check_scopes(patient: RepoPatient, tools: int) -> Findings:
    assert patient.context is not None
    told = patient.context
    if not {"specs.read", "builds.write"} <= set(told["scopes"]):
        short = f"it has only {' '.join(told['scopes'])}, so {tools} tools are shown instead of {BUILDING_TOOLS}"
        yield Finding("token", "wrong", short, f"Run: rm {patient.root / record.TOKEN} && {patient.connect}")
        return
    ends = told.get("expiresAt")
    soon = ends is not None and (from_iso(ends) or 0) - clock.now() < SOON_US
    until = f", ends {ends[:16]}" if ends else ""
    shown = f"{tools} tools answer, as {told['userName']} ({told['role']}){until}"
    fix = f"Before it ends, run: rm {patient.root / record.TOKEN} && {patient.connect}" if soon else ""
    yield Finding("token", "wrong" if soon else "ok", shown, fix)


def check_project(patient: RepoPatient) -> Findings:
    binding, remote, context = patient.binding, patient.remote, patient.context
    if binding is None or remote is None or context is None:
        return
    others = [each["key"] for each in context["projects"] if each["key"] != binding.project]
    fix = f"Run: {patient.connect} --project {others[0] if others else 'KEY'}"
    if binding.project is None:
        yield Finding("project", "wrong", "the repository is bound to no project", fix)
        return
    try:
        patient.context = remote.get("/api/v1/context", project_id=binding.project)
    except Refused as refused:
        patient.context = None
        yield Finding("project", "wrong", f"{binding.project} is not there: {refused}", fix)
        return
    project = patient.context["project"]
    yield Finding("project", "ok", f"{project['key']} ({project['name']})")


def check_work(patient: RepoPatient) -> Findings:
    """Whether there is something to claim; if not, why the plan is not seen."""
    context, remote = patient.context, patient.remote
    if context is None or remote is None or context["project"] is None:
        return
    yield from _check_others(remote, context)
    if context["next"] is not None:
        yield Finding("work", "ok", f"{context['next']['refCode']} can be claimed now")
    elif context["held"]:
        yield Finding("work", "ok", f"{context['held'][0]['refCode']} is yours")
    else:
        yield from _check_why_nothing(patient, context)


def _check_others(remote: Remote, context: dict[str, Any]) -> Findings:
    """A 409 is no fault: it tells that somebody else is at work."""
    key = context["project"]["key"]
    listed = [action for spec in _available(remote) for action in spec["actions"]]
    held = [each["refCode"] for each in listed if each["claimedBy"] not in (None, context["userId"])]
    taken = [ref for ref in held if ref.startswith(f"{key}-")]
    if taken:
        told = f"others hold {', '.join(taken[:OTHERS_SHOWN])}: claiming those gives 409, choose another"
        yield Finding("claims", "ok", told)


def _available(remote: Remote) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    asked: dict[str, Any] = {}
    for _page in range(PAGES_READ):
        told = remote.call_tool("list_available_specs", asked)
        found += told["specs"]
        if told.get("nextCursor") is None:
            break
        asked = {"cursor": told["nextCursor"]}
    return found


def _check_why_nothing(patient: RepoPatient, context: dict[str, Any]) -> Findings:
    from pendesk.cli.parts.explain_no_work import why_nothing

    assert patient.binding is not None
    running = running_server(patient.settings.data)
    if running is None or running["url"] != patient.binding.url:
        told = "nothing can be claimed: not published, not shared with you, all taken, or all done"
        yield Finding("work", "wrong", told, f"Ask who runs it, or look at {patient.binding.url}")
        return
    told, fix = why_nothing(patient.settings, context, patient.connect)
    yield Finding("work", "wrong" if fix else "ok", told, fix)
