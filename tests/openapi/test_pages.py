"""The page works without the network, and a browser is told to let it do nothing else."""

import hashlib
import json
import re
from html.parser import HTMLParser
from importlib.metadata import version

import httpx
import pytest

from shoal.server.openapi import Fixed, fixed_pages
from shoal.server.openapi.pages import DOCS, DOCUMENT
from tests.openapi.documents import SERVICES, document
from tests.server.support import Server

RELEASED = {
    "/docs/swagger-ui-bundle.js": "e6a898692f2d768e807c3ba4626068a69a2c5dd960dd6c76f3e4d3a3de180af2",
    "/docs/swagger-ui.css": "5ed08757e53da3e026d6cbecc61fe5d43585c9560b302d534ad56692519a273d",
}
"""The SHA-256 of what is taken from swagger-ui-dist, as it was released."""


@pytest.fixture
def pages() -> dict[str, Fixed]:
    return fixed_pages(SERVICES, "1.2.3")


class Reader(HTMLParser):
    """Notes what a page refers to, and what it would run or show by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.inline: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        self._inside = tag
        self.addresses.extend(
            value for key, value in attrs if key in {"src", "href", "action"} and value
        )
        self.inline.extend(key for key in said if key.startswith("on") or key == "style")

    def handle_data(self, data: str) -> None:
        if self._inside in {"script", "style"} and data.strip():
            self.inline.append(data)


def test_the_document_is_the_one_of_the_services(pages: dict[str, Fixed]) -> None:
    assert json.loads(pages[DOCUMENT].body) == document()
    assert pages[DOCUMENT].media_type == "application/json"


def test_a_page_refers_to_what_is_there_and_to_no_other_host(pages: dict[str, Fixed]) -> None:
    reader = Reader()
    reader.feed(pages[DOCS].body.decode())
    asked = [each for each in reader.addresses if each != "data:,"]
    assert {f"/{each}" for each in asked} == pages.keys() - {DOCS}
    assert "//" not in pages[DOCS].body.decode()
    assert reader.inline == []


def test_nothing_of_ours_asks_another_host(pages: dict[str, Fixed]) -> None:
    started = pages[f"{DOCS}/start.js"].body.decode()
    assert re.findall(r'url: "([^"]*)"', started) == ["openapi.json"]
    assert "validatorUrl: null" in started
    assert "http" not in started


def test_the_style_sheet_asks_for_nothing(pages: dict[str, Fixed]) -> None:
    style = pages[f"{DOCS}/swagger-ui.css"].body.decode()
    addresses = re.findall(r"url\(\s*[\"']?([^\"')]*)", style)
    assert all(each.startswith(("data:", "#")) for each in addresses)
    assert "@import" not in style


def test_a_browser_lets_it_ask_this_server_alone(pages: dict[str, Fixed]) -> None:
    for page in pages.values():
        policy = dict(page({}).headers)[b"content-security-policy"].decode()
        rules = dict(each.split(" ", 1) for each in policy.split("; "))
        assert rules.pop("default-src") == "'none'"
        assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
        allowed = {word for words in rules.values() for word in words.split()}
        assert allowed == {"'self'", "'none'", "data:"}


def test_what_is_taken_from_elsewhere_is_as_it_was_released(pages: dict[str, Fixed]) -> None:
    for path, digest in RELEASED.items():
        assert hashlib.sha256(pages[path].body).hexdigest() == digest, path


def test_what_stands_for_a_page_changes_with_it(pages: dict[str, Fixed]) -> None:
    newer = fixed_pages(SERVICES, "1.2.4")
    assert newer[DOCUMENT].etag != pages[DOCUMENT].etag
    assert newer[DOCS].etag == pages[DOCS].etag
    assert len({page.etag for page in pages.values()}) == len(pages)


async def test_a_server_sends_them_and_not_again_what_a_browser_has(
    server: Server, pages: dict[str, Fixed]
) -> None:
    async with httpx.AsyncClient(base_url=server.http) as http:
        for path, page in pages.items():
            answer = await http.get(path)
            assert answer.status_code == 200, path
            assert answer.headers["content-type"] == page.media_type
            assert answer.headers["x-content-type-options"] == "nosniff"
            if path != DOCUMENT:
                assert answer.content == page.body
            again = await http.get(path, headers={"if-none-match": answer.headers["etag"]})
            assert (again.status_code, again.content) == (304, b"")


async def test_a_server_says_in_its_document_which_version_it_is(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.http) as http:
        said = (await http.get(DOCUMENT)).json()
    assert said["info"]["version"] == version("shoal")
    assert said["paths"] == document()["paths"]
