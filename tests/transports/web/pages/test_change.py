"""The change on the review page: what is shown of which file, and that nothing in a diff does more than be read."""

import re

import pytest

from pendesk.domain.change import Omission
from pendesk.operations.changes.change_upload import ManifestCommit, ManifestFile
from pendesk.transports.markdown import prose
from tests.desk import HandClock, TestDesk
from tests.diffs import HEAD, NEXT_HEAD, binary, created, modified, packed, push, renamed
from tests.sites import SAME
from tests.workbench import published_spec

FIRST, SECOND = "1" * 40, "2" * 40
HTML = "</td><script>alert(1)</script>"
PART = {"hx-request": "true"}


class Changes:
    """An action that the owner holds, and how its change is looked at."""

    def __init__(self, served, desk, action):
        self.served, self.desk, self.action = served, desk, action
        self.ref = action["refCode"]

    async def push(self, content):
        await push(self.desk, self.served.owner, self.action["pid"], content)

    async def submit(self, head=HEAD, tool="submit_for_review"):
        code = {"summary": "Done.", "branch": "feature", "head_sha": head}
        await self.served.call(tool, action_pid=self.action["pid"], **code)

    async def push_and_submit(self, *files, **fields):
        await self.push(packed(*files, **fields))
        await self.submit()

    async def get(self, path="review", **headers):
        answer = await self.served.http.get(f"/a/{self.ref}/{path}", headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.text

    async def part(self, path):
        return await self.get(path, **PART)


@pytest.fixture
async def change(served, monkeypatch):
    monkeypatch.setattr(prose, "CODE_WAIT_S", 60)  # a busy machine is no failure
    desk = TestDesk(served.service.dispatcher.store, HandClock())
    desk.workspace, desk.dispatcher = served.owner.workspace_id, served.service.dispatcher
    desk.installation = served.service.installation
    work = await published_spec(desk, served.owner, actions=1, criteria=2)
    action = work.actions[0]
    await served.call("claim_action", action_pid=action["pid"])
    sign_in = (await served.link()).partition("code=")[2]
    await served.http.post("/sign-in", data={"code": sign_in}, headers=SAME)
    return Changes(served, desk, action)


def captured(pattern: str, text: str) -> str:
    match = re.search(pattern, text)
    assert match, pattern
    return match[1].replace("&amp;", "&")


def lines_of(page):
    return re.findall(r'<tr class="line.*?</tr>', page, re.S)


def sections(page):
    return re.findall(r'<section class="change-file.*?</section>', page, re.S)


async def test_without_a_change_the_review_says_so_and_how_it_is_pushed(change):
    await change.submit()
    page = await change.get()
    assert "No change was pushed for this submission" in page
    assert f"pendesk change push {change.ref}</code>" in page
    assert lines_of(page) == []


async def test_every_line_says_which_line_of_which_file_it_is(change):
    await change.push_and_submit(modified("src/app.py", "x = 1", "x = 2"))
    page = await change.get()
    assert '<table class="diff unified" data-path="src/app.py"' in page
    first, removed, added, last = lines_of(page)
    assert '<tr class="line" data-old-line="1" data-new-line="1">' in first
    assert '<tr class="line del" data-old-line="2">' in removed
    assert '<tr class="line add" data-new-line="2">' in added
    assert '<tr class="line" data-old-line="3" data-new-line="3">' in last
    assert '<b><i class="m">2</i></b>' in added  # the number changed, and is coloured as one


async def test_side_by_side_each_side_has_its_line(change):
    await change.push_and_submit(modified("src/app.py"), created("new.txt", "a"))
    page = await change.get("review?diff=split")
    changed = lines_of(page)[1]
    assert 'class="code del" data-side="old"><span class="line-number">2<' in changed
    assert 'class="code add" data-side="new"><span class="line-number">2<' in changed
    assert 'data-old-line="2" data-new-line="2"' in changed
    assert '<td class="code none"></td>' in lines_of(page)[3]


async def test_how_it_was_looked_at_before_is_how_it_is_shown_next_time(change):
    await change.push_and_submit(modified("src/app.py"))
    change.served.http.cookies.set("pendesk_diff", "split-hide")
    assert 'class="diff split"' in await change.get()
    assert 'class="diff unified"' in await change.get("review?diff=unified")


async def test_a_diff_is_read_and_never_run(change):
    hostile = created("a<b>.py", HTML, "if admin\u202e: # \u2066", "\x1b[31mred", "{{ 7*7 }}")
    await change.push_and_submit(hostile)
    page = await change.get()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(" in page
    assert not set("\u202e\u2066\x1b") & set(page)
    assert all(f">U+{number}</span>" in page for number in ("202E", "2066", "001B"))
    assert "hidden characters that change the order" in page
    assert "a&lt;b&gt;.py" in page


async def test_files_say_what_happened_to_them_and_why_they_have_no_lines(change):
    known = [
        ManifestFile("logo.png", old_size=2_000, new_size=3_000),
        ManifestFile("big.json", omitted=Omission.TOO_LARGE, added=20_000),
        ManifestFile(".env", omitted=Omission.WITHHELD, added=1),
    ]
    files = [renamed("old.py", "new.py"), binary("logo.png"), created("big.json", "x"), created(".env", "x")]
    await change.push_and_submit(*files, known=known)
    page = await change.get()
    rename, picture, large, secret = sections(page)
    assert "Renamed" in rename
    assert "old.py →" in rename
    assert "Its content did not change." in rename
    assert "A binary file: from 2.0 kB to 3.0 kB." in picture
    assert "the file is too large" in large
    assert "look like they hold a secret" in secret
    assert lines_of(page) == []
    assert "2 without lines" in page


async def test_files_that_did_not_come_are_counted(change):
    await change.push_and_submit(modified("src/app.py"), left_off=1_499)
    page = await change.get()
    assert "1,500 files" in page
    assert "1,499 more files are changed than can be shown here" in page


async def test_lines_of_which_only_blanks_changed_can_be_hidden(change):
    await change.push_and_submit(modified("a.py", "if x:", "if  x:"), modified("b.py", "one", "two"))
    assert len(lines_of(await change.get())) == 8
    page = await change.get("review?space=hide")
    assert len(lines_of(page)) == 4
    assert "Every change in this file is one of whitespace" in sections(page)[0]


async def test_a_criterion_shows_only_the_hunks_of_its_commits(change):
    one, two = change.action["criteria"]
    for sha, criterion in ((FIRST, one), (SECOND, two)):
        fields = {"sha": sha, "message": "Work", "criterion_ids": [criterion]}
        await change.served.call("report_commit", action_pid=change.action["pid"], **fields)
    commits = [ManifestCommit(FIRST, "Add a", ["a.py"]), ManifestCommit(SECOND, "Add b", ["a.py", "b.py"])]
    known = [ManifestFile("a.py", blame=[(2, 1, 0), (11, 1, 1)])]
    two_hunks = modified("a.py") + "@@ -10,1 +10,2 @@\n x\n+y\n"
    await change.push_and_submit(two_hunks, created("b.py", "z"), commits=commits, known=known)
    page = await change.get()
    assert len(sections(page)) == 2
    assert f"criterion={one}#change" in page
    assert "Add b" in sections(page)[1]
    page = await change.get(f"review?criterion={one}")
    assert len(sections(page)) == 1
    assert len(lines_of(page)) == 4
    assert "1 of 2 files" in page
    assert "1 more hunk is hidden" in page


async def test_since_the_last_submission_only_what_is_new_is_shown(change):
    await change.push_and_submit(modified("a.py"), modified("b.py"))
    await change.served.call(
        "review_action", action_pid=change.action["pid"], verdict="changes_requested", summary="Again."
    )
    since = modified("a.py", "new", "newer")
    await change.push(
        packed(modified("a.py", added="newer"), modified("b.py"), head=NEXT_HEAD, since=since, since_sha=HEAD)
    )
    await change.submit(NEXT_HEAD, "resubmit_for_review")
    page = await change.get()
    again, same = sections(page)
    assert "Changed again" in again
    assert "Not changed since the last submission." in same
    assert 'aria-expanded="false"' in same
    assert "Since submission 1" in page
    [only] = sections(await change.get("review?part=since"))
    assert len(lines_of(only)) == 4
    assert "newer" in only


async def test_what_is_new_is_counted_by_itself(change):
    await change.push_and_submit(modified("a.py"), created("b.py", *"xyz"))
    await change.served.call(
        "review_action", action_pid=change.action["pid"], verdict="changes_requested", summary="Again."
    )
    since = modified("a.py", "new", "newer")
    files = [modified("a.py", added="newer"), created("b.py", *"xyz")]
    await change.push(packed(*files, head=NEXT_HEAD, since=since, since_sha=HEAD))
    await change.submit(NEXT_HEAD, "resubmit_for_review")
    for part, counts in (("change", "2 files +4 "), ("since", "1 file +1 ")):
        facts = captured(
            r'<div class="change-facts small">(.*?)</div>', (await change.get(f"review?part={part}")).replace("\n", "")
        )
        assert counts in re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", facts))


async def test_a_submission_of_another_head_than_the_change_says_so(change):
    await change.push(packed(modified("a.py")))
    await change.submit(NEXT_HEAD)
    page = await change.get()
    assert f"This is the change up to {HEAD[:8]}, but {NEXT_HEAD[:8]} was submitted." in page


async def test_a_long_file_comes_in_parts_and_a_large_one_is_folded(change):
    await change.push_and_submit(created("a.txt", *map(str, range(500))), created("b.txt", *map(str, range(5_000))))
    page = await change.get()
    first, large = sections(page)
    assert len(lines_of(first)) == 25
    assert "A large change: 5,000 lines." in large
    address = captured(r'data-load="/a/[^/]+/(change/file[^"]*from=25)"', first)
    part = await change.part(address)
    assert len(lines_of(part)) == 150
    assert 'data-new-line="26"' in lines_of(part)[0]
    assert "from=175" in part
    assert "<html" not in part


async def test_many_files_come_in_groups(change):
    await change.push_and_submit(*(modified(f"f{number:03}.py") for number in range(100)))
    page = await change.get()
    assert len(sections(page)) == 20
    assert page.count("data-file-link") == 100
    address = captured(r'data-load="/a/[^/]+/(change\?[^"]*group=80)"', page)
    part = await change.part(address)
    assert len(sections(part)) == 20
    assert 'id="file-80"' in part
    assert 'id="change-tree"' not in part


async def test_a_part_of_a_file_that_was_replaced_meanwhile_says_so(change):
    await change.push_and_submit(modified("a.py"))
    part = await change.part("change/file?position=0&digest=000000")
    assert "This file is not in the change that is shown now." in part
    assert lines_of(part) == []


async def test_a_page_that_is_loaded_anew_reads_no_lines(change):
    await change.push_and_submit(modified("a.py"))
    part = await change.part("review")
    assert lines_of(part) == []
    assert "data-load=" in part


async def test_a_file_is_marked_as_viewed_and_folded_next_time(change):
    await change.push_and_submit(modified("a.py"))
    digest = captured(r'data-digest="(\w+)"', await change.get())
    form = {"action_id": change.ref, "path": "a.py", "digest": digest, "viewed": "true"}
    answer = await change.served.http.post("/do/set_file_viewed", data=form, headers={**SAME, **PART})
    assert answer.status_code == 204
    [section] = sections(await change.get())
    assert 'aria-pressed="true"' in section
    assert 'class="file-body" id="file-0-body" hidden' in section


async def test_a_change_has_a_page_and_twins_of_its_own(change):
    await change.push(packed(modified("a.py")))
    page = await change.get("change")
    assert len(lines_of(page)) == 4
    assert "Not submitted" in page
    twin = (await change.served.http.get(f"/a/{change.ref}/change.json")).json()
    assert twin["change_view"]["files"][0]["path"] == "a.py"
    twin = (await change.served.http.get(f"/a/{change.ref}/change/file.json?position=0")).json()
    assert twin["file"]["hunks"][0]["lines"] == [" same", "-old", "+new", " last"]


async def test_colours_that_cost_too_much_leave_the_lines_plain(change, monkeypatch):
    monkeypatch.setattr(prose, "CODE_WAIT_S", 0)
    await change.push_and_submit(created("a.py", "import unheard_of"))
    [line] = lines_of(await change.get())
    assert "import unheard_of</td>" in line
