"""Calling operations as the document says that they are called, and keeping what was said."""

import json
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

import httpx

from tests.openapi.documents import operations

OPERATIONS: dict[str, tuple[str, str]] = {
    operation["operationId"]: (verb, path) for path, verb, operation in operations()
}


class Calls:
    """Calls operations by their names, as one caller; `heard` has of each the success that said most."""

    def __init__(self, http: httpx.AsyncClient, heard: dict[str, dict[str, Any]]) -> None:
        self._http = http
        self.heard = heard

    def by(self, token: str) -> "Calls":
        """Return the calls of who has this token."""
        headers = {"authorization": f"Bearer {token}"}
        http = httpx.AsyncClient(base_url=self._http.base_url, headers=headers, timeout=60)
        return Calls(http, self.heard)

    async def __call__(
        self,
        name: str,
        *variables: str,
        query: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Any:
        """Return what an operation answers, and keep it; `variables` are those of its path, in order."""
        verb, template = OPERATIONS[name]
        path, given = self._path(template, variables)
        response = await self._http.request(verb.upper(), path, params=query, json=body)
        answer = response.json()
        assert response.status_code == 200, (name, answer)
        before = self.heard.get(name)
        if before is None or len(response.content) >= len(
            json.dumps(before["answer"], separators=(",", ":"))
        ):
            self.heard[name] = {
                "path": given,
                "query": dict(query or {}),
                "body": None if verb == "get" else dict(body or {}),
                "answer": answer,
            }
        return answer

    async def stream(
        self, name: str, *variables: str, messages: int, body: Mapping[str, Any] | None = None
    ) -> None:
        """Keep the beginning of a stream, in both of its forms."""
        verb, template = OPERATIONS[name]
        path, given = self._path(template, variables)
        streamed = {}
        for form, accept in (("events", "text/event-stream"), ("lines", "application/x-ndjson")):
            said: list[str] = []
            async with self._http.stream(
                verb.upper(), path, json=body, headers={"accept": accept}
            ) as response:
                assert response.status_code == 200, name
                async for line in response.aiter_lines():
                    said.append(line)
                    if sum(each[:1] == "{" or each[:5] == "data:" for each in said) == messages:
                        break
            streamed[form] = "\n".join(said) + ("\n\n" if form == "events" else "\n")
        asked = None if verb == "get" else dict(body or {})
        self.heard[name] = {"path": given, "body": asked, "streamed": streamed}

    @staticmethod
    def _path(template: str, variables: tuple[str, ...]) -> tuple[str, dict[str, str]]:
        """Return a path, and what its variables are in it."""
        given: dict[str, str] = {}
        for value in variables:
            name = template.partition("{")[2].partition("}")[0]
            given[name] = value
            template = template.replace(f"{{{name}}}", quote(value, safe="-"))
        return template, given


def trimmed(said: Any, longest: int = 3) -> Any:
    """Return what was said with no more than the first few of each list, so that it can be read."""
    if isinstance(said, dict):
        return {key: trimmed(value, longest) for key, value in said.items()}
    if isinstance(said, list):
        return [trimmed(each, longest) for each in said[:longest]]
    return said


def trimmed_lines(text: str, before: str) -> str:
    """Return the lines of a stream, each message of them trimmed."""
    return "".join(
        f"{before}{json.dumps(trimmed(json.loads(line.removeprefix(before))), ensure_ascii=False)}\n"
        if line.startswith(before + "{")
        else f"{line}\n"
        for line in text.splitlines()
    )
