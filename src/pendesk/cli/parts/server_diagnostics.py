"""The diagnostics of doctor for a repository's server: does it answer, does the token work, is there work."""

import os
from email.utils import parsedate_to_datetime
from typing import Any

from pendesk import clock
from pendesk.cli.binding import record
from pendesk.cli.parts.diagnostics import CLOCK_SLACK_US, Diagnostic, Diagnostics
from pendesk.cli.parts.doctor_repo import RepoDoctorRun
from pendesk.cli.parts.local import read_running_server_info
from pendesk.cli.parts.remote import CallRefused, RemoteClient, ServerUnreachable
from pendesk.cli.parts.target_server import find_server_access_token
from pendesk.clock import MICROSECONDS, parse_iso_time_us
from pendesk.domain.access import BUILDING_SCOPES, Scope, describe_scopes
from pendesk.domain.limits import DAY_US, MINUTE_US

# With one of these an agent can work.
WORKING_SCOPES = (BUILDING_SCOPES, frozenset({Scope.DESK_READ, Scope.DESK_WRITE}))
SOON_US = 3 * DAY_US
OTHERS_SHOWN = 5
SESSION = "pendesk doctor"
PAGES_READ = 5


def diagnose_bound_server(run: RepoDoctorRun) -> Diagnostics:
    binding = run.binding
    if binding is None:
        return
    remote = RemoteClient(binding.url, timeout_s=5)
    before = clock.now_us()
    try:
        remote.get("/api/v1/health")
    except CallRefused as refused:
        yield Diagnostic("server", "wrong", f"{binding.url} answers: {refused}", "Run: pendesk doctor (on its machine)")
        return
    except ServerUnreachable as error:
        yield Diagnostic("server", "wrong", str(error), _suggest_unreachable_server_fix(run))
        return
    run.remote = RemoteClient(binding.url, find_server_access_token(run.root, binding.url))
    yield Diagnostic("server", "ok", f"{binding.url} answers in {(clock.now_us() - before) // 1000} ms")
    yield from _diagnose_clock_skew(remote)


def _suggest_unreachable_server_fix(run: RepoDoctorRun) -> str:
    running = read_running_server_info(run.settings.data)
    if running is not None:
        return f"Run: {run.connect_command} --url {running['url']}"
    return "Run: pendesk serve"


def _diagnose_clock_skew(remote: RemoteClient) -> Diagnostics:
    """Tokens and leases expire by the server's clock; with another clock here, every time looks wrong."""
    if remote.date is None:
        return
    skew = int(parsedate_to_datetime(remote.date).timestamp()) * MICROSECONDS - clock.now_us()
    if abs(skew) > CLOCK_SLACK_US:
        message = f"the clocks of the server and this machine are {abs(skew) // MINUTE_US} minutes apart"
        yield Diagnostic("clock", "wrong", message, "Run: timedatectl set-ntp true (on the machine that is wrong)")


def diagnose_token(run: RepoDoctorRun) -> Diagnostics:
    """With a real call, as a client makes it."""
    remote, binding = run.remote, run.binding
    if remote is None or binding is None:
        return
    confirmed = record.read_user_confirmed_server_url(run.root)
    if confirmed not in (None, binding.url):
        message = f"it belongs to {confirmed}, but the repository names {binding.url}"
        yield Diagnostic("token", "wrong", message, f"If that is right, run: {run.connect_command} --url {binding.url}")
        return
    if not remote.has_token:
        yield Diagnostic("token", "wrong", "there is no token for this server", f"Run: {run.connect_command}")
        return
    try:
        tools = [tool["name"] for tool in remote.list_tools()]
        run.context = remote.get("/api/v1/context")
    except CallRefused as refused:
        yield _refused_token_diagnostic(refused, run)
        return
    except ServerUnreachable as error:
        yield Diagnostic("token", "wrong", str(error), _suggest_unreachable_server_fix(run))
        return
    yield from _diagnose_token_scopes_and_expiry(run, tools)


def _refused_token_diagnostic(refused: CallRefused, run: RepoDoctorRun) -> Diagnostic:
    if refused.http_status == 401 and os.environ.get("PENDESK_MCP_TOKEN"):
        message = "401: PENDESK_MCP_TOKEN is set and used instead of the file, but the server does not accept it"
        return Diagnostic("token", "wrong", message, f"Run: unset PENDESK_MCP_TOKEN; {run.connect_command}")
    if refused.http_status == 401:
        from pendesk.cli.parts.explain_401 import explain_401

        return Diagnostic("token", "wrong", f"401: {explain_401(run)}", f"Run: {run.connect_command}")
    return Diagnostic("token", "wrong", f"{refused.http_status}: {refused}", f"Run: {run.connect_command}")


def _diagnose_token_scopes_and_expiry(run: RepoDoctorRun, tools: list[str]) -> Diagnostics:
    assert run.context is not None
    context, scopes = run.context, set(run.context["scopes"])
    if not any(needed <= scopes for needed in WORKING_SCOPES):
        message = f"it has only {' '.join(context['scopes'])}, with which an agent can neither build nor plan"
        yield Diagnostic("token", "wrong", message, f"Run: {run.connect_command} --tools build")
        return
    if missing := _tools_missing(scopes, tools):
        message = f"the server lacks {len(missing)} tools that its scopes give here, such as {missing[0]}"
        yield Diagnostic("token", "wrong", message, "Install the same version of pendesk here and at the server.")
        return
    expires_at = context.get("expiresAt")
    expires_soon = expires_at is not None and (parse_iso_time_us(expires_at) or 0) - clock.now_us() < SOON_US
    until = f", expires {expires_at[:16]}" if expires_at else ""
    message = f"{len(tools)} tools ({describe_scopes(scopes)}), as {context['userName']} ({context['role']}){until}"
    fix = f"Before it expires, run: rm {run.root / record.TOKEN} && {run.connect_command}" if expires_soon else ""
    yield Diagnostic("token", "wrong" if expires_soon else "ok", message, fix)


def _tools_missing(scopes: set[str], tools: list[str]) -> list[str]:
    from pendesk.operations.registry import TOOLS

    return [tool.name for tool in TOOLS if tool.scope in scopes and tool.name not in tools]


def diagnose_bound_project(run: RepoDoctorRun) -> Diagnostics:
    binding, remote, context = run.binding, run.remote, run.context
    if binding is None or remote is None or context is None:
        return
    other_keys = [project["key"] for project in context["projects"] if project["key"] != binding.project]
    fix = f"Run: {run.connect_command} --project {other_keys[0] if other_keys else 'KEY'}"
    if binding.project is None:
        yield Diagnostic("project", "wrong", "the repository has no project", fix)
        return
    try:
        run.context = remote.get("/api/v1/context", project_id=binding.project)
    except CallRefused as refused:
        run.context = None
        yield Diagnostic("project", "wrong", f"{binding.project} is not available: {refused}", fix)
        return
    project = run.context["project"]
    yield Diagnostic("project", "ok", f"{project['key']} ({project['name']})")


def diagnose_claimable_work(run: RepoDoctorRun) -> Diagnostics:
    """Whether there is something to claim, or a task to take; if not, why."""
    context, remote = run.context, run.remote
    if context is None or remote is None or context["project"] is None:
        return
    may_build = Scope.SPECS_READ in context["scopes"]
    specs = _list_available_specs(remote.as_session(SESSION)) if may_build else []
    key = context["project"]["key"]
    actions = [action for spec in specs for action in spec["actions"] if action["refCode"].startswith(f"{key}-")]
    yield from _diagnose_others_claims(actions)
    if context["next"] is not None:
        yield Diagnostic("work", "ok", f"{context['next']['refCode']} can be claimed now")
    elif "nextTask" in context:
        yield Diagnostic("work", "ok", f"{context['nextTask']['refCode']} is the next task")
    elif held := [*context["held"], *context.get("mayHold", ())]:
        yield Diagnostic("work", "ok", f"you hold {held[0]['refCode']}")
    elif context["project"]["state"] == "active" and (actions or not may_build):
        yield Diagnostic("work", "ok", context["notice"])
    else:
        yield from _diagnose_nothing_to_claim(run, context)


def _diagnose_others_claims(actions: list[dict[str, Any]]) -> Diagnostics:
    """A 409 is not a problem: another agent holds the action."""
    taken = [action["refCode"] for action in actions if action["availability"] == "held"]
    if taken:
        message = (
            f"other agents hold {', '.join(taken[:OTHERS_SHOWN])}: claiming one of these fails with 409, choose another"
        )
        yield Diagnostic("claims", "ok", message)


def _list_available_specs(remote: RemoteClient) -> list[dict[str, Any]]:
    specs: list[dict[str, Any]] = []
    args: dict[str, Any] = {}
    for _page in range(PAGES_READ):
        page = remote.call_tool("list_available_specs", args)
        specs += page["specs"]
        if page.get("nextCursor") is None:
            break
        args = {"cursor": page["nextCursor"]}
    return specs


def _diagnose_nothing_to_claim(run: RepoDoctorRun, context: dict[str, Any]) -> Diagnostics:
    from pendesk.cli.parts.explain_no_work import no_work_reason_and_fix

    assert run.binding is not None
    running = read_running_server_info(run.settings.data)
    if running is None or running["url"] != run.binding.url:
        message = "there is nothing to claim: not published, not shared with you, or all actions are claimed or done"
        yield Diagnostic("work", "wrong", message, f"Ask the owner of the server, or open {run.binding.url}")
        return
    message, fix = no_work_reason_and_fix(run.settings, context, run.connect_command)
    yield Diagnostic("work", "wrong" if fix else "ok", message, fix)
