"""Files sent as forms, as `curl -F file=@...` does: the same as the file itself, and nothing gets in beside it."""

import httpx
import pytest

from pendesk.transports.rest.multipart import FIELD_BYTES, MAX_PARTS
from tests.transports.rest.test_attachments import kept

BASE = "/api/v1"
NOISE = bytes(range(256)) * 600 + b"\r\n--not-the-boundary\r\n"


@pytest.fixture
def http(served):
    return served.http


@pytest.fixture
def spec(caller):
    _, query = caller
    return query["spec_pid"]


async def test_a_form_with_a_file_is_the_file(served, http, spec):
    files = {"file": ("chart ä.png", NOISE, "image/png")}
    response = await http.post(f"{BASE}/attachments", data={"spec_pid": spec}, files=files)
    assert response.status_code == 201, response.text
    body = response.json()
    assert (body["name"], body["mediaType"], body["sizeBytes"]) == ("chart ä.png", "image/png", len(NOISE))
    link = (await http.get(f"{BASE}/attachments/{body['pid']}/url")).json()["url"]
    assert (await http.get(link)).content == NOISE
    named = await http.post(
        f"{BASE}/attachments?spec_pid={spec}&name=x.bin&media_type=a/b", files={"file": ("y", b"1")}
    )
    assert (named.json()["name"], named.json()["mediaType"]) == ("x.bin", "a/b")


async def test_a_path_is_no_part_of_a_name(http, spec):
    for path in ("C:\\charts\\north.txt", "/etc/north.txt", "../../north.txt"):
        response = await http.post(f"{BASE}/attachments?spec_pid={spec}", files={"file": (path, b"x", "text/plain")})
        assert response.json()["name"] == "north.txt"


def sent(body, kind='multipart/form-data; boundary="xx"'):
    return {"content": body, "headers": {"content-type": kind}}


PART = b'--xx\r\nContent-Disposition: form-data; name="%b"%b\r\n\r\n%b\r\n'
FILE = PART % (b"file", b'; filename="a.txt"', b"abc")


@pytest.mark.parametrize(
    ("request_", "status", "field"),
    [
        (sent(FILE), 422, ""),
        (sent(FILE + FILE + b"--xx--\r\n"), 422, "file"),
        (sent(PART % (b"name", b"", b"x") + b"--xx--\r\n"), 422, "file"),
        (sent(FILE + b"--xx--\r\n", "multipart/form-data"), 422, ""),
        (sent(FILE + b"--xx--\r\n", "multipart/form-data; boundary=" + "x" * 500), 422, ""),
        (sent(b"nonsense"), 422, ""),
        (sent(b""), 422, ""),
        (sent(PART % (b"file", b'; filename="\xff"', b"abc") + b"--xx--\r\n"), 422, ""),
        (sent(FILE + PART % (b"name", b"", b"\xff") + b"--xx--\r\n"), 422, ""),
        (sent(FILE + PART % (b"nonsense", b"", b"x") + b"--xx--\r\n"), 422, "nonsense"),
        (sent(FILE + PART % (b"receipt", b"", b"x") + b"--xx--\r\n"), 422, "receipt"),
        (sent(FILE + PART % (b"spec_pid", b"", b"x") + b"--xx--\r\n"), 422, "spec_pid"),
        (sent(FILE + PART % (b"name", b"", b"x" * (FIELD_BYTES + 1)) + b"--xx--\r\n"), 422, "name"),
        (sent(FILE + (PART % (b"n", b"", b"x")) * MAX_PARTS + b"--xx--\r\n"), 422, ""),
        (sent(b"--xx\r\n" + b"A: b\r\n" * 1_000 + b"\r\n\r\n--xx--\r\n"), 422, ""),
    ],
)
async def test_a_bad_form_leaves_nothing(served, http, spec, request_, status, field):
    answer = await http.post(f"{BASE}/attachments?spec_pid={spec}", **request_)
    error = answer.json()["error"]
    assert (answer.status_code, error.get("field", "")) == (status, field), answer.text
    assert [name for name in kept(served) if name.startswith("draft")] == []
    assert (await http.get(f"{BASE}/specs/{spec}")).json().get("attachments", []) == []


async def test_the_limit_is_that_of_the_file(served, http, spec):
    limit = served.service.installation.limits.attachment_bytes
    exact = {"file": ("a.bin", b"x" * limit)}
    assert (await http.post(f"{BASE}/attachments?spec_pid={spec}", files=exact)).status_code == 201
    more = {"file": ("a.bin", b"x" * (limit + 1))}
    assert (await http.post(f"{BASE}/attachments?spec_pid={spec}", files=more)).status_code == 413
    assert len(kept(served)) == 1


async def test_it_comes_piece_by_piece(http, spec):
    body = FILE.replace(b"abc", NOISE) + b"--xx--\r\n"

    async def drops():
        for at in range(0, len(body), 1_337):
            yield body[at : at + 1_337]

    response = await http.post(f"{BASE}/attachments?spec_pid={spec}", **sent(drops()))
    assert response.json()["sizeBytes"] == len(NOISE)


async def test_a_test_report_and_an_import_may_come_as_forms(served, http, spec):
    await served.call("create_project", name="Harbour", key="HRB")
    await served.call("create_task", project_id="HRB", label="Dredge")
    await http.post(f"{BASE}/actions/HRB-1/claim")
    report = b'<testsuite tests="1"><testcase name="t" classname="c"/></testsuite>'
    answer = await http.post(
        f"{BASE}/actions/HRB-1/test-reports", files={"file": ("junit.xml", report)}, data={"format": "junit"}
    )
    assert answer.status_code == 200, answer.text
    large = {"file": ("junit.xml", b"x" * 1_048_576)}
    assert (await http.post(f"{BASE}/actions/HRB-1/test-reports?format=junit", files=large)).status_code == 413
    link = await served.link()
    del http.headers["Authorization"]
    await http.post("/sign-in", data={"code": link.partition("code=")[2]})
    reported = (await http.get(f"{BASE}/projects/HRB/export")).content
    form = {"as_copy": "true", "key": "CPY", "dry_run": "true"}
    imported: httpx.Response = await http.post(
        f"{BASE}/projects/import", data=form, files={"file": ("x.jsonl", reported)}
    )
    assert (imported.status_code, imported.json()["key"]) == (200, "CPY"), imported.text
    wrong = await http.post(f"{BASE}/projects/import", data={"nonsense": "1"}, files={"file": ("x.jsonl", reported)})
    assert wrong.json()["error"]["field"] == "nonsense"
    elsewhere = {"sec-fetch-site": "cross-site"}
    refused = await http.post(f"{BASE}/projects/import", files={"file": ("x", reported)}, headers=elsewhere)
    assert refused.status_code == 403
