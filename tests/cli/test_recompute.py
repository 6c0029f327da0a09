"""`recompute` of ladders and tournaments, on a file as `export --out` makes it (T63)."""

import json
from pathlib import Path
from typing import Any

import pytest

from shoal.cli.main import run
from shoal.rating.table import rate
from tests.rating.exporting import Lines, exported, published, written
from tests.rating.making import block

A, B, C = (each * 30 for each in "abc")
BLOCKS = [block("".join(bots), bots, [[1, 2]] * 2) for bots in ((A, B), (B, C), (C, A))]
TABLE = rate(BLOCKS)


def lines_of(**more: object) -> Lines:
    """The lines of a ladder whose published table is that of its results."""
    head, ratings = published(TABLE, order=6, **more)
    return exported(
        BLOCKS, [each | {"bot_name": each["bot_id"][0].upper()} for each in ratings], table=head
    )


def told(path: Path, capsys: pytest.CaptureFixture[str], *words: str, code: int = 0) -> Any:
    assert run(["ladder", "recompute", str(path), *words, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_the_table_is_that_which_was_published(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """To the digit, with the bots by their names, and it is said that it is the same."""
    path = written(tmp_path, lines_of())
    figures = told(path, capsys)
    assert [(row["bot_name"], row["rank"], row["rating"]) for row in figures["rows"]] == [
        (row.bot_id[0].upper(), row.rank, row.rating) for row in TABLE.rows
    ]
    assert (figures["same"], figures["later"], figures["differences"]) == (True, 0, [])
    for kind in ("ladder", "tournament"):
        assert run([kind, "recompute", str(path)]) == 0
        text = capsys.readouterr().out
        assert "main: 3 blocks, 6 matches" in text
        assert f"A    {TABLE.rows[0].rating:>5}?" in text
        assert "published at 1970-01-01T00:00:01+00:00 is the same" in text


def test_a_table_that_is_another_one_is_said_with_an_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A program that checks it need not read."""
    lines = lines_of()
    (rated,) = [line for line in lines if line.get("bot_id") == B]
    rated["published"] = {**rated["published"], "rating": 1700}
    path = written(tmp_path, lines)
    assert run(["ladder", "recompute", str(path)]) == 1
    text = capsys.readouterr().out
    assert "DIFFERS" in text
    assert "B: published 1700 " in text
    (found,) = told(path, capsys, code=1)["differences"]
    assert (found["bot"], found["published"]["rating"]) == (B, 1700)


def test_results_that_came_later_are_in_the_table_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    head, ratings = published(rate(BLOCKS[:2]), order=4)
    figures = told(written(tmp_path, exported(BLOCKS, ratings, table=head)), capsys)
    assert (figures["blocks"], figures["same"], figures["later"]) == (3, True, 2)


def test_what_cannot_be_compared_is_said_and_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, lines_of(current=False))
    assert told(path, capsys)["same"] is None
    assert run(["ladder", "recompute", str(path)]) == 0
    assert "not compared with the published table: something else counts" in capsys.readouterr().out


def test_a_bot_or_a_match_is_left_out_on_purpose(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a table would be without it is asked before anything is decided (T62)."""
    path = written(tmp_path, lines_of())
    figures = told(path, capsys, "--without", C)
    assert [row["bot_id"] for row in figures["rows"]] == [A, B]
    assert figures["same"] is None
    assert run(["ladder", "recompute", str(path), "--without", "d" * 30]) == 2
    assert "no match or bot that counts has the id ddd" in capsys.readouterr().err
