"""The CI job that this program runs in: its steps are one agent session."""

from collections.abc import Mapping

# Together they name one run of one job. GITHUB_JOB is the same for all jobs of a matrix: they differ in their runners.
CI_JOB_VARIABLES = {
    "github": ("GITHUB_RUN_ID", "GITHUB_RUN_ATTEMPT", "GITHUB_JOB", "RUNNER_NAME"),
    "gitlab": ("CI_SERVER_HOST", "CI_JOB_ID"),
    "buildkite": ("BUILDKITE_JOB_ID",),
    "circleci": ("CIRCLE_WORKFLOW_JOB_ID", "CIRCLE_NODE_INDEX"),
    "azure": ("BUILD_BUILDID", "SYSTEM_JOBID", "SYSTEM_JOBATTEMPT"),
}


def ci_job_name(environ: Mapping[str, str]) -> str | None:
    """Such as github:1658821493:1:build:runner-3; None outside of CI, or where a part is missing."""
    for service, variables in CI_JOB_VARIABLES.items():
        values = [environ.get(name, "") for name in variables]
        if all(values):
            return ":".join([service, *values])
    return None
