"""The agent session that calls belong to: several programs with one token are told apart by it."""

import hashlib
import os
from collections.abc import Mapping

MAX_CHARS = 200
# Together they name one run of one job; `pendesk` on the command line takes the same.
CI_JOB_VARIABLES = {
    "github": ("GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB", "RUNNER_NAME"),
    "gitlab": ("CI_SERVER_HOST", "CI_JOB_ID"),
    "buildkite": ("BUILDKITE_JOB_ID",),
    "circleci": ("CIRCLE_WORKFLOW_JOB_ID", "CIRCLE_NODE_INDEX"),
    "azure": ("BUILD_BUILDID", "SYSTEM_JOBID", "SYSTEM_JOBATTEMPT"),
}


def session_headers(session: str | None, environ: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The session that was passed, else PENDESK_SESSION, else the CI job."""
    text = _header_text(session or environ.get("PENDESK_SESSION") or _ci_job_name(environ))
    return {"X-Pendesk-Session": text} if text else {}


def _ci_job_name(environ: Mapping[str, str]) -> str:
    for service, variables in CI_JOB_VARIABLES.items():
        values = [environ.get(name, "") for name in variables]
        if all(values):
            return ":".join([service, *values])
    return ""


def _header_text(text: str) -> str:
    """Printable ASCII. What is longer stays different from others with the same beginning."""
    plain = "".join(char for char in text if char.isprintable()).strip().encode("ascii", "backslashreplace").decode()
    if len(plain) <= MAX_CHARS:
        return plain
    digest = hashlib.sha256(plain.encode()).hexdigest()[:32]
    return f"{plain[: MAX_CHARS - len(digest) - 1]}-{digest}"
