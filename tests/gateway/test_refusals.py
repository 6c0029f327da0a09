"""Every bad call that there is a row for is refused over HTTP for the same reason as over gRPC."""

from collections.abc import AsyncIterator
from http import HTTPStatus

import grpc
import pytest
import pytest_asyncio
from google.protobuf.json_format import SerializeToJsonError

from shoal.server.store.launcher import launch_redis
from tests.gateway.calling import Http, error_of, fields_of, reason_of, speaking
from tests.gateway.transcribing import build
from tests.server.dump import dump
from tests.server.refusals import CASES, CODES, METADATA, Case, World
from tests.server.rpcs import METHODS
from tests.server.support import serving
from tests.server.test_refusals import make_world

pytestmark = pytest.mark.asyncio(loop_scope="module")

STATUSES = {
    grpc.StatusCode.INVALID_ARGUMENT: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.FAILED_PRECONDITION: HTTPStatus.BAD_REQUEST,
    grpc.StatusCode.ABORTED: HTTPStatus.CONFLICT,
    grpc.StatusCode.PERMISSION_DENIED: HTTPStatus.FORBIDDEN,
    grpc.StatusCode.UNAUTHENTICATED: HTTPStatus.UNAUTHORIZED,
    grpc.StatusCode.NOT_FOUND: HTTPStatus.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS: HTTPStatus.CONFLICT,
    grpc.StatusCode.UNIMPLEMENTED: HTTPStatus.NOT_IMPLEMENTED,
}
"""As google/rpc/code.proto documents them, written down a second time on purpose."""

SENT = [case for case in CASES if not METHODS[case.rpc].client_streaming]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def world(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[World]:
    """The world of the bad calls, on a Redis of its own."""
    with launch_redis(tmp_path_factory.mktemp("refusals")) as redis:
        async with serving(redis.url) as server:
            yield await make_world(server)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def speaker(world: World) -> AsyncIterator[Http]:
    """A client of its server."""
    async with speaking(world.server) as client:
        yield client


@pytest.mark.parametrize("case", SENT, ids=str)
async def test_a_bad_call_gets_its_typed_error(world: World, speaker: Http, case: Case) -> None:
    """Reason, code, metadata and the offending field are those of the table; nothing changes (T2)."""
    try:
        request = build(
            speaker,
            METHODS[case.rpc],
            case.make(world),
            world.metadata(case.caller),
            nothing="" if case.reason == "NOT_FOUND" else "-",
        )
    except SerializeToJsonError:
        # JSON has no way to say it, so a client cannot either; each is a wait of no duration.
        assert case.field == "wait"
        return
    before = await dump(world.server.stores.pipe)
    answer = await speaker.send(request)
    assert answer.status_code == STATUSES[CODES[case.reason]], answer.text
    assert reason_of(answer) == case.reason
    error = error_of(answer)
    assert error["status"] == CODES[case.reason].name
    (info,) = (each for each in error["details"] if each["@type"].endswith("ErrorInfo"))
    assert METADATA.get(case.reason, set()) <= info.get("metadata", {}).keys()
    assert fields_of(answer) == ([case.field] if case.field else [])
    assert "retry-after" not in answer.headers
    if case.reason != "ILLEGAL_OPTION":  # which is counted
        assert await dump(world.server.stores.pipe) == before


@pytest.mark.parametrize("header", ["Bearer shoal", "Bearer", "Basic YTpi", ""])
async def test_a_bad_token_is_worse_than_none(speaker: Http, header: str) -> None:
    """Also where none is needed, and the answer says which scheme is (T30)."""
    answer = await speaker.get("/v1/bots", headers={"authorization": header})
    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert reason_of(answer) == "TOKEN_INVALID"
    assert answer.headers["www-authenticate"] == "Bearer"
