"""One run of one CI job is one agent session."""

import pytest

from pendesk.cli.parts.ci_job import CI_JOB_VARIABLES, ci_job_name
from pendesk_client.session import CI_JOB_VARIABLES as CLIENT_VARIABLES

GITHUB = {"GITHUB_RUN_ID": "16", "GITHUB_RUN_ATTEMPT": "1", "GITHUB_JOB": "build", "RUNNER_NAME": "runner 3"}


def test_a_run_an_attempt_a_job_and_a_leg_of_its_matrix_differ():
    name = ci_job_name(GITHUB)
    assert name == "github:16:1:build:runner 3"
    others = {ci_job_name({**GITHUB, variable: "other"}) for variable in GITHUB}
    assert len(others | {name}) == 5


@pytest.mark.parametrize("service", CI_JOB_VARIABLES)
def test_a_part_that_is_missing_gives_no_name(service):
    environ = dict.fromkeys(CI_JOB_VARIABLES[service], "1")
    assert ci_job_name(environ) == ":".join([service, *"1" * len(environ)])
    for variable in environ:
        assert ci_job_name({**environ, variable: ""}) is None


def test_the_python_client_names_the_same_job():
    assert CLIENT_VARIABLES == CI_JOB_VARIABLES
