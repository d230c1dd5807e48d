"""Changes for tests: diffs as git prints them, packed as `pendesk change push` sends them."""

from typing import Any

from pendesk.operations.attachments.receipts import make_signed_file_receipt
from pendesk.operations.changes.change_upload import ChangeManifest, ManifestCommit, ManifestFile, pack_change

BASE, HEAD, NEXT_HEAD = "b" * 40, "a" * 40, "d" * 40


def modified(path: str, removed: str = "old", added: str = "new", context: str = "same") -> str:
    """Line 1 stays, line 2 is replaced, line 3 stays."""
    return (
        f"diff --git a/{path} b/{path}\nindex 1111111..2222222 100644\n--- a/{path}\n+++ b/{path}\n"
        f"@@ -1,3 +1,3 @@ def run():\n {context}\n-{removed}\n+{added}\n last\n"
    )


def created(path: str, *lines: str) -> str:
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{path} b/{path}\nnew file mode 100644\nindex 0000000..2222222\n--- /dev/null\n+++ b/{path}\n"
        f"@@ -0,0 +1,{len(lines)} @@\n{body}"
    )


def renamed(old: str, new: str) -> str:
    return f"diff --git a/{old} b/{new}\nsimilarity index 100%\nrename from {old}\nrename to {new}\n"


def binary(path: str, blobs: str = "1111111..2222222") -> str:
    return f"diff --git a/{path} b/{path}\nindex {blobs} 100644\nBinary files a/{path} and b/{path} differ\n"


def packed(
    *files: str,
    head: str = HEAD,
    since: str = "",
    since_sha: str | None = None,
    commits: list[ManifestCommit] | None = None,
    known: list[ManifestFile] | None = None,
    left_off: int = 0,
) -> bytes:
    change = "".join(files).encode()
    manifest = ChangeManifest(
        base_sha=BASE,
        head_sha=head,
        change_bytes=len(change),
        branch="feature",
        since_sha=since_sha,
        commits=commits or [],
        files=known or [],
        left_off=left_off,
    )
    return pack_change(manifest, change, since.encode())


async def push(desk: Any, actor: Any, action_pid: str, content: bytes, **fields: Any) -> dict[str, Any]:
    with desk.installation.files.start_upload(25_000_000) as upload:
        upload.write(content)
        receipt = make_signed_file_receipt(desk.installation, actor, upload.save(), desk.clock())
    answer: dict[str, Any] = await desk.call(actor, "push_change", action_id=action_pid, receipt=receipt, **fields)
    return answer
