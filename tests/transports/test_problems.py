import pytest

from pendesk.domain import errors
from pendesk.transports import problems

ORIGIN = "https://pendesk.example.com"


def every_refusal(base=errors.Refusal):
    for each in base.__subclasses__():
        yield each
        yield from every_refusal(each)


@pytest.mark.parametrize("kind", list(every_refusal()))
def test_every_refusal_has_a_status(kind):
    assert 400 <= problems.http_status_of(kind.__new__(kind)) < 600


def test_the_nearest_base_decides():
    for refusal, status in [
        (errors.MissingScope("specs.read"), 403),
        (errors.ClaimLost("x", late=None), 409),
        (errors.BadField("name", "is required."), 422),
        (errors.Unavailable("x"), 503),
        (errors.NotFound("spec"), 404),
        (errors.TooLarge("x"), 413),
    ]:
        assert problems.http_status_of(refusal) == status


def test_the_one_error_body():
    refusal = errors.RuleBroken("You hold 3.", code="claim_limit", limit=3)
    told = {"status": 422, "code": "claim_limit", "message": "You hold 3.", "limit": 3}
    assert problems.refusal_or_internal_error_body(refusal) == {"error": told}
    assert problems.refusal_or_internal_error_body(None)["error"]["status"] == 500


def test_a_401_tells_where_to_get_a_token():
    metadata = f'Bearer resource_metadata="{ORIGIN}/.well-known/oauth-protected-resource"'
    metadata += ', scope="specs.read builds.write"'
    answer = problems.refusal_asgi_response(errors.Unauthenticated("x"), ORIGIN)
    assert dict(answer.headers) == {b"www-authenticate": metadata.encode()}
    answer = problems.refusal_asgi_response(errors.Unauthenticated("x", sent=True), ORIGIN)
    assert dict(answer.headers) == {b"www-authenticate": f'{metadata}, error="invalid_token"'.encode()}


def test_a_403_names_the_scope_and_a_429_the_wait():
    answer = problems.refusal_asgi_response(errors.MissingScope("builds.write"), ORIGIN)
    assert b'error="insufficient_scope", scope="builds.write"' in dict(answer.headers)[b"www-authenticate"]
    answer = problems.refusal_asgi_response(errors.TooManyRequests("x", retryAfter=7), ORIGIN)
    assert dict(answer.headers) == {b"retry-after": b"7"}
