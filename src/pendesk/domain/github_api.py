"""GitHub's API, as far as a project's token reads it: where it is, what its refusals mean, and when to ask again."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from pendesk.domain.limits import (
    GITHUB_FETCH_TRIES,
    GITHUB_REFRESH_LEAST_US,
    GITHUB_REFRESH_MOST_US,
    MINUTE_US,
)

_REPOSITORY = re.compile(
    r"(https?)://(?:[^/@\s]*@)?([A-Za-z0-9.-]{1,253}(?::[0-9]{1,5})?)/([A-Za-z0-9_.-]{1,100})/([A-Za-z0-9_.-]{1,100})/?\Z",
    re.IGNORECASE,
)
_SECONDS = re.compile(r"[0-9]{1,10}\Z")
_SECOND_US = 1_000_000
# No clock comes here: it is not tried again by itself.
NEVER = 2**62
SETTINGS = "An admin sets another one under Settings, Integrations."


class GithubToken(NamedTuple):
    """`problem`: why GitHub did not accept it when it was last used."""

    project_id: str
    sealed_token: str
    set_by: str
    set_at: int
    checked_at: int | None
    problem: str | None


class GithubFetch(NamedTuple):
    """What is still to be read for a submission: the row is there while it is in review. `problem`: of the last try."""

    action_id: str
    submission_id: str
    due_at: int
    tries: int
    problem: str | None


class DueFetch(NamedTuple):
    workspace_id: str
    action_id: str


class RepositoryApi(NamedTuple):
    """`full_name` is owner/name."""

    base_url: str
    host: str
    full_name: str

    @property
    def identity(self) -> str:
        """What a token is set for: with another repository it is not used."""
        return f"{self.host}/{self.full_name}".lower()

    def url(self, path: str = "") -> str:
        return f"{self.base_url}/repos/{self.full_name}{path}"


class ApiProblem(NamedTuple):
    """`is_final`: trying again does not help. `is_of_token`: it is not accepted. `retry_after_us`: GitHub's wish."""

    text: str
    is_final: bool = False
    is_of_token: bool = False
    retry_after_us: int = 0


def repository_api(repository_url: str | None) -> RepositoryApi | None:
    """None where it is no address of a repository. Servers other than github.com have their API below themselves."""
    match = _REPOSITORY.match(repository_url or "")
    if match is None:
        return None
    scheme, host, owner, name = match[1].lower(), match[2].lower(), match[3], match[4].removesuffix(".git")
    if not name.strip(".") or not owner.strip("."):
        return None
    if host in ("github.com", "www.github.com"):
        return RepositoryApi("https://api.github.com", "github.com", f"{owner}/{name}")
    return RepositoryApi(f"{scheme}://{host}/api/v3", host, f"{owner}/{name}")


def is_pull_request_of(api: RepositoryApi, pr_url: str) -> bool:
    _, _, rest = pr_url.lower().partition("://")
    return rest.removeprefix("www.").startswith(f"{api.identity}/pull/")


def api_problem(status: int, headers: Mapping[str, str], now_s: int) -> ApiProblem:
    """What an answer other than the wanted one means. Nothing of its text is shown: a stranger wrote it."""
    answer = f"GitHub answered {status}:"
    wait_s = _wait_s(headers, now_s) if status in (403, 429) else 0
    if wait_s or status == 429:
        return ApiProblem(f"{answer} too many requests with this token.", retry_after_us=wait_s * _SECOND_US)
    if status == 401:
        return ApiProblem(
            f"{answer} the project's token is not accepted: it has expired or was revoked. {SETTINGS}",
            is_final=True,
            is_of_token=True,
        )
    if status == 403:
        return ApiProblem(
            f"{answer} the project's token may not read this. It needs read access to contents, pull requests, checks "
            f"and commit statuses of the repository. {SETTINGS}",
            is_final=True,
            is_of_token=True,
        )
    if status == 404:
        return ApiProblem(f"{answer} there is no such repository or pull request, or the token may not see it.")
    if 300 <= status < 400:
        return ApiProblem(
            f"{answer} the repository has moved. Set its present address in the project's settings, then its token.",
            is_final=True,
        )
    return ApiProblem(f"{answer} it could not answer." if status >= 500 else f"{answer} that was not expected.")


def _wait_s(headers: Mapping[str, str], now_s: int) -> int:
    """So many seconds by Retry-After, or until the hour of requests is over."""
    after, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if _SECONDS.match(after):
        return max(int(after), 1)
    if headers.get("x-ratelimit-remaining") == "0" and _SECONDS.match(reset):
        return max(int(reset) - now_s, 1)
    return 0


def next_try_at(tries: int, problem: ApiProblem, now: int) -> int:
    """After a minute, two, four and so on; after so many it is left to a person."""
    if problem.is_final or tries >= GITHUB_FETCH_TRIES:
        return NEVER
    back_off = MINUTE_US << min(max(tries - 1, 0), 6)
    return now + min(max(back_off, problem.retry_after_us), GITHUB_REFRESH_MOST_US)


def next_refresh_at(submitted_at: int, now: int) -> int:
    """Often at first, when its checks run, and the less the longer it waits: so many reviews stay within the limit."""
    return now + min(max((now - submitted_at) // 12, GITHUB_REFRESH_LEAST_US), GITHUB_REFRESH_MOST_US)
