"""Who needs a token is said right, of each operation: a server is asked without one."""

import httpx
import pytest

from tests.openapi.calls import OPERATIONS
from tests.openapi.documents import operations
from tests.server.support import Server

NEEDED = [{"token": []}]
OPTIONAL = [{}, {"token": []}]


@pytest.mark.parametrize("name", OPERATIONS)
async def test_without_a_token(server: Server, name: str) -> None:
    """It is refused for that where the document says so, and for what was asked where it does not."""
    (security,) = (each["security"] for *_, each in operations() if each["operationId"] == name)
    assert security in (NEEDED, OPTIONAL)
    verb, template = OPERATIONS[name]
    path = template
    while "{" in path:
        before, _, rest = path.partition("{")
        path = f"{before}none{rest.partition('}')[2]}"
    async with httpx.AsyncClient(base_url=server.http) as http:
        body = None if verb == "get" else EXTRA.get(name, {})
        response = await http.request(verb.upper(), path, params=QUERY.get(name), json=body)
    assert (response.status_code == 401) == (security == NEEDED), response.text


EXTRA: dict[str, dict[str, object]] = {
    # Looked at before the token.
    "CreateTournament": {"specification": {"name": "cup", "format": {"swiss": {"rounds": 3}}}},
}

QUERY = {
    # Without it, it is the bot of the token.
    "ListChallenges": {"botId": "none"},
}
