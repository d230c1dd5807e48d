"""An action whose change waits for a review: pushed and submitted by the agent of the scene, over REST."""

from typing import Any

import httpx

from pendesk.domain.change import Omission
from pendesk.operations.changes.change_upload import ManifestCommit, ManifestFile
from tests.diffs import HEAD, NEXT_HEAD, binary, created, packed, renamed
from tests.e2e.app import App

FIRST, SECOND = "1" * 40, "2" * 40
CODE = """def total(rows, kept):
    \"\"\"What the rows come to, without those that were dropped.\"\"\"
    wanted = [row for row in rows if row.id in kept]
    return sum(row.amount for row in wanted)  # in cents
"""


def replaced(at: int, before: str, after: str, heading: str = "") -> str:
    """A hunk: two lines of context around one text that became another."""
    old, new = before.splitlines(), after.splitlines()
    body = [" import os", " ", *(f"-{line}" for line in old), *(f"+{line}" for line in new), " ", " # end"]
    counts = f"@@ -{at},{len(old) + 4} +{at},{len(new) + 4} @@ {heading}"
    return "\n".join([counts, *body]) + "\n"


def edited(path: str, *hunks: str) -> str:
    head = f"diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n--- a/{path}\n+++ b/{path}\n"
    return head + "".join(hunks)


def sample_files() -> list[str]:
    once = CODE.replace(", kept", "").replace(" if row.id in kept", "").replace("  # in cents", "")
    store = [
        replaced(10, once, CODE, "class Ledger:"),
        replaced(80, "if x:\n  y()", "if x:\n    y()", "def late():"),
    ]
    return [
        edited("src/harbour/ledger/store.py", *store),
        created("src/harbour/ledger/totals.py", *CODE.splitlines() * 4),
        renamed("src/harbour/old_name.py", "src/harbour/ledger/rates.py"),
        edited("src/harbour/web/static/app.js", replaced(3, "const a = 1;", "const a = 2; // \u202e", "load")),
        binary("docs/logo.png"),
        created("tests/data/generated.json", *(f'  "row-{number}": {number},' for number in range(2_500))),
        created(".env.local", "x"),
        edited("README.md", replaced(1, "# Harbor", "# Harbour\n\nCounts what comes in.")),
    ]


def submit_change(app: App, files: list[str], *, head: str = HEAD, **fields: Any) -> str:
    """The ref of a new action of the project HRB with two criteria, in review."""
    with app.page("/projects") as page:
        headers = {"content-type": "application/json", "origin": app.server.url}
        task = {"label": "Count what was kept", "criteria": ["Dropped rows do not count", "The page shows the total"]}
        answer = page.request.post(f"{app.server.url}/api/v1/projects/HRB/actions", data=task, headers=headers)
        assert answer.ok, answer.text()
        action = answer.json()
    ref: str = action["refCode"]
    app.agent("POST", f"/actions/{ref}/claim")
    brief = app.agent("GET", f"/actions/{ref}/brief")
    ids = [criterion["id"] for criterion in brief["action"]["acceptanceCriteria"]]
    for sha, criterion_id in zip((FIRST, SECOND), ids, strict=True):
        app.agent("POST", f"/actions/{ref}/commits", sha=sha, message="Work", criterion_ids=[criterion_id])
    push_change(app, ref, packed(*files, head=head, **fields))
    app.agent("POST", f"/actions/{ref}/submit", branch="totals", head_sha=head, summary="Kept rows are counted.")
    return ref


def push_change(app: App, ref: str, content: bytes) -> None:
    headers = {"authorization": f"Bearer {app.token}", "content-type": "application/gzip"}
    answer = httpx.post(f"{app.server.url}/api/v1/actions/{ref}/change", content=content, headers=headers, timeout=30)
    assert answer.status_code < 300, answer.text


COMMITS = [
    ManifestCommit(FIRST, "Leave dropped rows out", ["src/harbour/ledger/store.py", "src/harbour/ledger/totals.py"]),
    ManifestCommit(SECOND, "Show the total", ["src/harbour/ledger/store.py", "src/harbour/web/static/app.js"]),
]
KNOWN = [
    ManifestFile("docs/logo.png", old_size=18_204, new_size=20_110),
    ManifestFile(".env.local", omitted=Omission.WITHHELD, added=1),
    ManifestFile("src/harbour/ledger/store.py", blame=[(10, 12, 0), (80, 8, 1)]),
]


def submit_sample(app: App) -> str:
    return submit_change(app, sample_files(), commits=COMMITS, known=KNOWN)


def resubmit_sample(app: App, ref: str) -> None:
    """A person asked for changes. One file is changed again, one is new, the others are as they were."""
    with app.page("/projects") as page:
        review = {"verdict": "changes_requested", "summary": "Say that each row counts once."}
        headers = {"content-type": "application/json", "origin": app.server.url}
        answer = page.request.post(f"{app.server.url}/api/v1/actions/{ref}/reviews", data=review, headers=headers)
        assert answer.ok, answer.text()
    files = sample_files()
    files[-1] = edited("README.md", replaced(1, "# Harbor", "# Harbour\n\nCounts what comes in, once."))
    since = edited("README.md", replaced(1, "Counts what comes in.", "Counts what comes in, once."))
    files.append(created("CHANGELOG.md", "- Kept rows are counted."))
    content = packed(*files, head=NEXT_HEAD, since=since, since_sha=HEAD, commits=COMMITS, known=KNOWN)
    push_change(app, ref, content)
    app.agent("POST", f"/actions/{ref}/resubmit", branch="totals", head_sha=NEXT_HEAD, summary="Once.", dispositions=[])
