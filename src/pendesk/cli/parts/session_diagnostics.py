"""The diagnostics of doctor for what tells several terminals with one token apart. None of them is a problem by itself:
without marks the server still refuses a second claim, but cannot say which terminal has the first."""

import shutil

from pendesk.cli.binding import clients
from pendesk.cli.parts.agent_marks import find_agent_marks
from pendesk.cli.parts.diagnostics import Diagnostic, Diagnostics
from pendesk.cli.parts.doctor_repo import RepoDoctorRun
from pendesk.cli.parts.process_ancestry import list_ancestors, process_mark

SET_SESSION = "Set PENDESK_SESSION to a different value in each terminal before you start its agent."


def diagnose_session_hook(run: RepoDoctorRun) -> Diagnostics:
    """A hook that is missing or was changed is reported with its file."""
    if run.binding is None or "claude" not in run.binding.agents:
        return
    if clients.NO_HOOKS in run.binding.options:
        message = "not installed (--no-hooks): Claude Code does not say which of its sessions it starts"
        yield Diagnostic("session hook", "ok", message, f"To install it, run: {run.connect_command} --hooks")
    else:
        message = "every Claude Code session starts with `pendesk context`, which says which session it is"
        yield Diagnostic("session hook", "ok", message)


def diagnose_session_marks(run: RepoDoctorRun) -> Diagnostics:
    """What the headers of a client's connection carry beside the token."""
    if run.binding is None:
        return
    names = ", ".join(find_agent_marks().headers())
    processes = list_ancestors()
    if shutil.which("pendesk") is None:
        message = "pendesk is not on the PATH: the headers carry the process of Claude Code on Linux, and no other mark"
        yield Diagnostic("session marks", "ok", message, "Add the folder of pendesk to the PATH.")
    elif not processes or process_mark(processes[0]) is None:
        message = f"the process of a client cannot be seen on this system; this call sends {names}"
        yield Diagnostic("session marks", "ok", message, SET_SESSION)
    else:
        message = f"the headers carry the process of Claude Code; Codex names its sessions; this call sends {names}"
        yield Diagnostic("session marks", "ok", message)
