"""docs/promises.md explains every number that the project cites, and its tests cite it."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HIGHEST = 104
"""Beyond it a T with a number is something else: a rule of the linter."""
WHERE = ("clients", "docs", "engine", "loadtest", "proto", "server", "tests")
KINDS = {".lua", ".md", ".proto", ".py"}


def rows() -> dict[str, list[str]]:
    """The cells of each number's row."""
    text = (ROOT / "docs/promises.md").read_text()
    found = re.findall(r"^\| (T\d+) \| (.+) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    assert len({number for number, *_ in found}) == len(found)
    return {number: cells for number, *cells in found}


def numbers_in(text: str) -> set[str]:
    """The numbers that a text cites."""
    return {number for number in re.findall(r"\bT[1-9]\d*\b", text) if int(number[1:]) <= HIGHEST}


def files() -> Iterator[Path]:
    """Every file that may cite one."""
    for folder in WHERE:
        for path in (ROOT / folder).rglob("*"):
            if path.suffix in KINDS and path.name != "promises.md":
                yield path
    yield from ROOT.glob("*.md")


def test_every_number_that_is_cited_is_explained() -> None:
    """In tests, documents and code."""
    explained = set(rows())
    cited = {str(path.relative_to(ROOT)): numbers_in(path.read_text()) for path in files()}
    assert {
        path: numbers - explained for path, numbers in cited.items() if numbers - explained
    } == {}


def test_every_promise_is_held_by_tests_that_cite_it() -> None:
    """A promise without a test is a wish."""
    for number, (_, _, held) in rows().items():
        links = re.findall(r"\[([\w/.]+)\]\(\.\./tests/([\w/.]+)\)", held)
        assert links, number
        assert ", ".join(f"[{name}](../tests/{path})" for name, path in links) == held
        for name, path in links:
            assert name == path
            assert number in numbers_in((ROOT / "tests" / path).read_text()), (number, path)


def test_the_rows_are_in_order() -> None:
    """Within a theme as they are counted, so that a number is found."""
    text = (ROOT / "docs/promises.md").read_text()
    themes = [re.findall(r"^\| T(\d+) ", part, re.MULTILINE) for part in text.split("\n## ")[1:]]
    for numbers in themes:
        assert list(map(int, numbers)) == sorted(map(int, numbers))
