"""How a route reads a request and what its answer looks like, over HTTP."""

import pytest

from pendesk.domain.access import TOKEN_SCOPES

BASE = "/api/v1"


@pytest.fixture
async def http(served):
    """The client with a token of the owner's."""
    token = await served.service.dispatcher.call(
        served.owner, "create_token", {"name": "x", "scopes": sorted(TOKEN_SCOPES)}
    )
    served.http.headers["Authorization"] = f"Bearer {token.token}"
    return served.http


@pytest.fixture
async def project(http):
    return (await http.post(f"{BASE}/projects", json={"name": "Harbour", "key": "HRB"})).json()


@pytest.fixture
async def note(http, project):
    return (await http.post(f"{BASE}/projects/HRB/notes", json={"title": "Tides"})).json()


async def test_what_is_made_has_an_address_where_it_is_found(http, project):
    created = await http.post(f"{BASE}/projects/HRB/documents", json={"title": "Charts", "body": "# Depths"})
    assert created.status_code == 201
    assert created.headers["location"] == f"{BASE}/documents/{created.json()['pid']}"
    fetched = await http.get(created.headers["location"])
    assert (fetched.status_code, fetched.json()) == (200, created.json())


async def test_a_delete_answers_with_nothing(http, project):
    first, second = [
        (await http.post(f"{BASE}/projects/HRB/tasks", json={"label": label})).json()["pid"] for label in "ab"
    ]
    edge = await http.post(f"{BASE}/projects/HRB/edges", json={"from_task_id": first, "to_task_id": second})
    gone = await http.delete(edge.headers["location"])
    assert (gone.status_code, gone.content) == (204, b"")
    assert (await http.delete(edge.headers["location"])).status_code == 404


async def test_lists_come_in_pages(http, project):
    for number in range(51):
        assert (await http.post(f"{BASE}/projects/HRB/notes", json={"title": f"{number}"})).status_code == 201
    first = (await http.get(f"{BASE}/projects/HRB/notes")).json()
    second = (await http.get(f"{BASE}/projects/HRB/notes", params={"cursor": first["nextCursor"]})).json()
    assert (len(first["notes"]), len(second["notes"]), "nextCursor" in second) == (50, 1, False)


async def test_query_values_have_the_types_of_their_fields(http, project):
    page = await http.get(f"{BASE}/log", params={"after": "0", "limit": "1"})
    assert len(page.json()["events"]) == 1
    assert (await http.get(f"{BASE}/projects/HRB/comments", params={"include_resolved": "true"})).status_code == 200


async def test_a_list_is_the_same_name_several_times(http, note):
    for address in ("log", "timeline"):
        page = await http.get(f"{BASE}/{address}?kind=note&kind=project.created")
        assert {event["kind"] for event in page.json()["events"]} == {"project.created", "note.created"}
        assert (await http.get(f"{BASE}/{address}?kind=nonsense")).json()["error"]["field"] == "kind"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("limit=many", "limit"),
        ("limit=1.5", "limit"),
        ("limit=" + "9" * 5000, "limit"),
        ("limit=0", "limit"),
        ("limit=", "limit"),
        ("limit=1&limit=2", "limit"),
        ("colour=red", "colour"),
        ("after=null", "after"),
    ],
)
async def test_a_bad_query_is_refused_by_the_fields_name(http, query, field):
    answer = await http.get(f"{BASE}/log?{query}")
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b'{"title": "a", "colour": "red"}', "colour"),
        (b'{"title": "a", "title": "b"}', "title"),
        (b'{"title": "a", "project_id": "HRB"}', "project_id"),
        (b"{ }", "title"),
        (b"", "title"),
        (b'[{"title": "a"}]', ""),
        (b'{"title": "a"} x', ""),
        (b'{,"title": "a"}', ""),
        (b'{"title": "a",}', ""),
        (b"\xff", ""),
        (b'{"title": NaN}', ""),
        (b'{"title": "a\\u0000b"}', "title"),
    ],
)
async def test_a_bad_body_is_refused_by_the_fields_name(http, project, body, field):
    answer = await http.post(
        f"{BASE}/projects/HRB/notes", content=body, headers={"content-type": "application/json; charset=utf-8"}
    )
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, field)
    assert (await http.get(f"{BASE}/projects/HRB/notes")).json()["notes"] == []


async def test_fields_stand_where_they_belong(http, project):
    answer = await http.post(f"{BASE}/projects/HRB/notes?title=x", json={"title": "a"})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "title")


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""])
async def test_a_body_of_another_kind_is_415(http, kind):
    answer = await http.post(f"{BASE}/projects", content=b'{"name": "a"}', headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "unsupported_media_type")


async def test_an_answer_says_which_revision_it_is_and_an_edit_may_ask_for_it(http, note):
    path = f"{BASE}/notes/{note['pid']}"
    read = await http.get(path)
    assert read.headers["etag"].startswith('"1.')
    edited = await http.patch(path, json={"body": "High at noon."}, headers={"if-match": read.headers["etag"]})
    assert (edited.status_code, edited.headers["etag"][:3]) == (200, '"2.')
    late = await http.patch(path, json={"body": "High at one."}, headers={"if-match": read.headers["etag"]})
    error = late.json()["error"]
    assert (late.status_code, error["code"], error["changed"]) == (409, "revision_conflict", {"body": "High at noon."})
    for number, expected in enumerate(('"2"', 'W/"3"', "*")):
        answer = await http.patch(path, json={"title": f"{number}"}, headers={"if-match": expected})
        assert answer.status_code == 200, expected


@pytest.mark.parametrize("if_match", ["2", '"x"', '"1", "2"', '""', '"-1"', '"1.zz"'])
async def test_a_tag_that_is_none_of_ours_is_refused(http, note, if_match):
    answer = await http.patch(f"{BASE}/notes/{note['pid']}", json={"title": "b"}, headers={"if-match": if_match})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "If-Match")


async def test_what_has_not_changed_is_not_sent_again(http, note):
    path = f"{BASE}/notes/{note['pid']}"
    tag = (await http.get(path)).headers["etag"]
    for if_none_match in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        same = await http.get(path, headers={"if-none-match": if_none_match})
        assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    await http.patch(path, json={"title": "b"})
    assert (await http.get(path, headers={"if-none-match": tag})).status_code == 200


async def test_a_project_is_sent_again_when_its_tasks_have_changed(http, project):
    tag = (await http.get(f"{BASE}/projects/HRB")).headers["etag"]
    await http.post(f"{BASE}/projects/HRB/tasks", json={"label": "Dredge"})
    second = await http.get(f"{BASE}/projects/HRB", headers={"if-none-match": tag})
    assert (second.status_code, second.headers["etag"][:3]) == (200, '"1.')


async def test_a_repeat_with_the_same_key_gets_the_same_answer(http, project):
    sent = {"json": {"title": "Once"}, "headers": {"idempotency-key": "k1"}}
    first, second = [await http.post(f"{BASE}/projects/HRB/notes", **sent) for _ in range(2)]
    assert (first.status_code, first.json()) == (second.status_code, second.json())
    other = await http.post(f"{BASE}/projects/HRB/notes", json={"title": "Two"}, headers={"idempotency-key": "k1"})
    assert (other.status_code, other.json()["error"]["code"]) == (422, "idempotency_key_reused")
    assert len((await http.get(f"{BASE}/projects/HRB/notes")).json()["notes"]) == 1


async def test_a_key_where_none_is_kept_is_refused_rather_than_passed_over(served):
    served.http.headers.pop("Authorization", None)
    await served.http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]})
    answer = await served.http.post(f"{BASE}/tokens", json={"name": "a"}, headers={"idempotency-key": "k1"})
    assert (answer.status_code, answer.json()["error"]["field"]) == (422, "idempotency_key")


async def test_a_method_that_is_not_there_is_told_those_that_are(http, note):
    path = f"{BASE}/notes/{note['pid']}"
    answer = await http.post(path, json={})
    allowed = {"GET", "HEAD", "PATCH", "OPTIONS"}
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")
    assert set(answer.headers["allow"].split(", ")) >= allowed
    options = await http.options(path)
    assert (options.status_code, options.content) == (204, b"")
    assert set(options.headers["allow"].split(", ")) >= allowed


async def test_a_head_has_the_headers_of_a_get(http, note):
    path = f"{BASE}/notes/{note['pid']}"
    got, head = await http.get(path), await http.head(path)
    assert (head.status_code, head.headers["etag"]) == (200, got.headers["etag"])


async def test_the_door_is_told_in_the_log(served, http, project):
    by_token = (await http.get(f"{BASE}/log?project_id=HRB")).json()["events"][0]
    del http.headers["Authorization"]
    await http.post("/sign-in", data={"code": (await served.link()).partition("code=")[2]})
    await http.patch(f"{BASE}/projects/HRB", json={"name": "Port"}, headers={"sec-fetch-site": "same-origin"})
    by_cookie = (await http.get(f"{BASE}/log?project_id=HRB")).json()["events"][-1]
    assert (by_token["door"], by_cookie["door"]) == ("rest", "web")


async def test_a_token_has_its_minute(served, http):
    limit = served.service.installation.limits.requests_per_minute
    answers = [await http.get(f"{BASE}/projects") for _ in range(limit + 1)]
    assert [answer.status_code for answer in answers] == [200] * limit + [429]
    assert int(answers[-1].headers["retry-after"]) > 0
