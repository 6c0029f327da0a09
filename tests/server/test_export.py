"""The record of a match that was played on a server, fetched by the command."""

from pathlib import Path

import pytest

from shoal.record import from_json, from_text, verify
from tests.server.support import Server, shoal
from tests.server.test_records import play_to_the_end


async def test_an_exported_record_is_sound_in_both_notations(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a real server logged is what a replay makes of it, to the last hash (T96)."""
    match_id = (await play_to_the_end(server, resign=True)).match.match_id
    out = tmp_path / "match.json"
    assert await shoal(server, "replay", "export", match_id, "--out", str(out)) == 0
    assert capsys.readouterr().err.startswith(f"{out}: sound: base, ")
    record = from_json(out.read_text(encoding="utf-8"))
    assert record.match_id == match_id
    assert record.server_version
    assert verify(record) == []
    assert await shoal(server, "replay", "export", match_id, "--text") == 0
    assert from_text(capsys.readouterr().out) == record
    assert await shoal(server, "match", "show", match_id) == 0
    shown = capsys.readouterr().out
    assert "resigns; leaves" in shown
    assert "round 1: seat" in shown


async def test_a_file_is_overwritten_by_force_alone(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A record that was kept is not lost to a slip."""
    match_id = (await play_to_the_end(server, resign=True)).match.match_id
    out = tmp_path / "match.json"
    out.write_text("kept")
    assert await shoal(server, "replay", "export", match_id, "--out", str(out)) == 2
    assert out.read_text() == "kept"
    assert "--force overwrites it" in capsys.readouterr().err
    assert await shoal(server, "replay", "export", match_id, "--out", str(out), "--force") == 0
    assert from_json(out.read_text(encoding="utf-8")).match_id == match_id


async def test_a_disk_that_is_full_is_said_in_one_line(
    server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    match_id = (await play_to_the_end(server, resign=True)).match.match_id
    out = "/dev/full"
    assert await shoal(server, "replay", "export", match_id, "--out", out, "--force") == 2
    assert capsys.readouterr().err == (
        "shoal: --out /dev/full: No space left on device: make room, or name another place\n"
    )


async def test_a_match_that_is_not_over_has_no_record_to_export(
    server: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The server's refusal is said in a line, and nothing is written."""
    match_id = await server.create(*await server.team(2))
    out = tmp_path / "match.json"
    assert await shoal(server, "replay", "export", match_id, "--out", str(out)) == 2
    assert "MATCH_NOT_OVER" in capsys.readouterr().err
    assert not out.exists()
