"""What HTTP itself says: paths, verbs, forms, heads and bodies; every refusal in the one form of errors."""

import gzip
import json
from collections.abc import AsyncIterator

import pytest

from tests.gateway.calling import Http, fields_of, of, reason_of, speaking
from tests.server.support import Server, new_name, serving_on

LARGE = 256 * 1024 + 1


@pytest.mark.parametrize(
    ("verb", "path", "code", "reason"),
    [
        ("GET", "/", 404, "NOT_FOUND"),
        ("GET", "/v1/nothing", 404, "NOT_FOUND"),
        ("GET", "/v1/bots/", 404, "NOT_FOUND"),
        ("GET", "/v1/matches/x:none", 404, "NOT_FOUND"),
        ("GET", "/v1/bots/%2e%2e%2fx", 404, "NOT_FOUND"),
        ("GET", "/v1/bots/%ff", 400, "MALFORMED"),
        ("DELETE", "/v1/bots", 405, "NOT_IMPLEMENTED"),
        ("POST", "/v1/bots/x", 405, "NOT_IMPLEMENTED"),
        ("HEAD", "/v1/matches/x:spectate", 405, ""),
        ("POST", "/healthz", 405, "NOT_IMPLEMENTED"),
    ],
)
async def test_what_is_not_there(http: Http, verb: str, path: str, code: int, reason: str) -> None:
    answer = await http.request(verb, path)
    assert answer.status_code == code
    assert ("allow" in answer.headers) is (code == 405)
    if verb != "HEAD":
        assert reason_of(answer) == reason


async def test_a_path_says_its_verbs(http: Http) -> None:
    answer = await http.options("/v1/bots")
    assert (answer.status_code, answer.headers["allow"]) == (204, "GET, HEAD, OPTIONS, POST")
    assert (await http.delete("/v1/bots")).headers["allow"] == "GET, HEAD, OPTIONS, POST"


async def test_a_head_is_that_of_the_answer(http: Http) -> None:
    got, head = await http.get("/v1/ladders"), await http.head("/v1/ladders")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == got.headers["content-length"]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"content-type": "text/plain"}, 415),
        ({"content-type": "application/x-www-form-urlencoded"}, 415),
        ({"content-type": "application/json; charset=latin-1"}, 415),
        ({"content-type": "application/json", "content-encoding": "gzip"}, 415),
        ({"accept": "text/html"}, 406),
        ({"accept": "application/json;q=0"}, 406),
        ({"accept": "text/html, */*;q=0.1"}, 200),
        ({"content-type": "application/json; charset=UTF-8", "accept": "application/*"}, 200),
    ],
)
async def test_forms(http: Http, headers: dict[str, str], code: int) -> None:
    body = json.dumps({"name": new_name()})
    answer = await http.post("/v1/bots", content=body, headers=headers)
    assert answer.status_code == code
    if code != 200:
        assert reason_of(answer) == "MALFORMED"


@pytest.mark.parametrize(
    ("body", "fields"),
    [
        ('{"name": "a", "name": "b"}', ["name"]),
        ('{"name": "a", "no": 1}', ["no"]),
        ('{"requestId": "a", "request_id": "b"}', ["request_id"]),
        ('{"name": 1}', ["name"]),
        ('{"baseline": "true"}', ["baseline"]),
        ('{"name": 1, "baseline": 2}', ["name", "baseline"]),
        ('{"name": "\\ud800"}', ["name"]),
        ('{"\\ud800": 1}', ["\\ud800"]),
        ('{"baseline": NaN}', []),
        ("[]", []),
        ("{", []),
        ("[" * 100_000, []),
        ('{"name": ' * 20_000, []),
        ('{"baseline": ' + "9" * 5000 + "}", []),
    ],
)
async def test_a_body_that_is_no_request(http: Http, body: str, fields: list[str]) -> None:
    answer = await http.post("/v1/bots", content=body)
    assert (answer.status_code, reason_of(answer)) == (400, "MALFORMED")
    assert fields_of(answer) == fields


async def test_bytes_that_are_no_text(http: Http) -> None:
    answer = await http.post("/v1/bots", content=b'{"name": "\xff"}')
    assert (answer.status_code, reason_of(answer)) == (400, "MALFORMED")


@pytest.mark.parametrize(
    ("query", "fields"),
    [
        ("no=1", ["no"]),
        ("pageSize=1&page_size=2", ["page_size"]),
        ("pageSize=x", ["page_size"]),
        ("pageSize=99999999999", ["page_size"]),
        ("pageToken=%ff", ["pageToken"]),
    ],
)
async def test_a_query_that_is_no_request(http: Http, query: str, fields: list[str]) -> None:
    answer = await http.get(f"/v1/bots?{query}")
    assert (answer.status_code, reason_of(answer)) == (400, "MALFORMED")
    assert fields_of(answer) == fields


async def test_the_path_is_not_contradicted(server: Server, http: Http) -> None:
    """A body may say the same as the path, and nothing else."""
    bots = await server.team(2)
    match_id = await server.create(*bots)
    place = f"/v1/matches/{match_id}:ready"
    same = await http.post(place, json={"matchId": match_id}, headers=of(bots[0]))
    assert same.status_code == 200
    other = await http.post(place, json={"match_id": "x"}, headers=of(bots[0]))
    assert (other.status_code, fields_of(other)) == (400, ["match_id"])


async def test_a_body_that_is_too_large(http: Http) -> None:
    """Whether its length is announced or not, it is refused with a reason, and the connection ends."""

    async def parts() -> AsyncIterator[bytes]:
        for _ in range(LARGE // 1024 + 1):
            yield b" " * 1024

    for content in (b" " * LARGE, parts(), b" " * (10 * 1024 * 1024)):
        answer = await http.post("/v1/bots", content=content)
        assert (answer.status_code, reason_of(answer)) == (413, "MESSAGE_TOO_LARGE")


async def test_a_get_has_no_body(http: Http) -> None:
    answer = await http.request("GET", "/v1/bots", content=b"{}")
    assert (answer.status_code, reason_of(answer)) == (400, "MALFORMED")
    assert answer.headers["connection"] == "close"


async def test_requests_have_ids(http: Http) -> None:
    """The client's own comes back; else, and where it could break a header, there is one of ours."""
    said = await http.get("/v1/bots", headers={"x-request-id": "mine-1"})
    assert said.headers["x-request-id"] == "mine-1"
    for strange in ("", "a b", "x" * 129):
        made = (await http.get("/v1/bots", headers={"x-request-id": strange})).headers
        assert len(made["x-request-id"]) == 16


async def test_no_answer_does_harm_in_a_browser(http: Http) -> None:
    for answer in (await http.get("/v1/bots"), await http.get("/no"), await http.get("/healthz")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
        assert "set-cookie" not in answer.headers
        assert "access-control-allow-origin" not in answer.headers


async def test_pages_of_named_origins_may_use_it(server: Server) -> None:
    origin = "https://example.org"
    preflight = {"origin": origin, "access-control-request-method": "POST"}
    async with (
        serving_on(server.stores, http_cors_origins=origin) as open_one,
        speaking(open_one) as http,
    ):
        answer = await http.get("/v1/bots", headers={"origin": origin})
        assert answer.headers["access-control-allow-origin"] == origin
        assert (await http.options("/v1/bots", headers=preflight)).status_code == 200
        other = await http.get("/v1/bots", headers={"origin": "https://example.com"})
        assert "access-control-allow-origin" not in other.headers


async def test_life_and_readiness(http: Http) -> None:
    for page in ("/healthz", "/readyz"):
        assert (await http.get(page)).status_code == 200


async def test_what_is_over_may_be_kept(server: Server, http: Http) -> None:
    """A match that goes on has no tag; of one that is over the answer is sent once."""
    bots = await server.team(2)
    match_id = await server.deal(*bots)
    assert "etag" not in (await http.get(f"/v1/matches/{match_id}")).headers
    await server.resign(bots[0], match_id)
    for path in (f"/v1/matches/{match_id}", f"/v1/matches/{match_id}/record"):
        first = await http.get(path)
        assert (first.status_code, first.headers["cache-control"]) == (200, "private, no-cache")
        again = await http.get(path, headers={"if-none-match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_a_large_answer_is_compressed(server: Server, http: Http) -> None:
    for _ in range(60):
        await server.register()
    plain = await http.get("/v1/bots", headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    packed = await http.get("/v1/bots", headers={"accept-encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert len(gzip.compress(packed.content)) < len(plain.content)
    assert packed.headers["vary"] == "accept-encoding"
