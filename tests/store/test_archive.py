"""The archive as files: whole or not there, written once, and what is broken is said to be."""

import gzip
import json
import os
from pathlib import Path

import pytest

from shoal.server.store.archive import Archive, ArchiveBroken, ArchivedMatch
from shoal.server.store.keys import new_id


@pytest.fixture
def archive(tmp_path: Path) -> Archive:
    """An archive that nothing was put into."""
    made = Archive(tmp_path / "archive")
    made.prepare()
    return made


def match(rev: bytes = b"abc", match_id: str = "") -> ArchivedMatch:
    """Return a match with bytes that are no text."""
    fields = {"rev": rev, "secret": bytes(range(256)), "meta": b'{"match":"\xc3\xa9"}'}
    return ArchivedMatch(match_id or new_id(), fields, (b'["move",0]', b'["move",1]'))


def files(archive: Archive) -> dict[Path, bytes]:
    """Return all files of an archive with what is in them."""
    return {path: path.read_bytes() for path in archive._folder.rglob("*") if path.is_file()}


def test_what_is_kept_is_read_as_it_was(archive: Archive) -> None:
    kept = [match() for _ in range(5)]
    assert archive.write(kept) == {}
    assert [archive.read(each.match_id) for each in kept] == kept
    assert archive.has([kept[0].match_id, new_id()]) == {kept[0].match_id}
    assert archive.read(new_id()) is None


def test_a_file_is_what_the_docs_say(archive: Archive) -> None:
    """In a folder for its hour; text as it is, other bytes in base64; nothing else is left."""
    made = match(match_id="0a0199f5c1a2b30123456789abcdef")
    archive.write([made])
    ((path, text),) = files(archive).items()
    assert path == archive._folder / "2025-10-18" / "05" / f"{made.match_id}.json.gz"
    data = json.loads(gzip.decompress(text))
    assert (data["type"], data["format"], data["match_id"]) == ("match", 1, made.match_id)
    assert data["fields"]["rev"] == "abc"
    assert data["fields"]["secret"].keys() == {"base64"}
    assert data["log"] == ['["move",0]', '["move",1]']


def test_the_same_match_again_changes_no_file(archive: Archive) -> None:
    """Whoever was killed before the store forgot it writes it a second time."""
    made = match()
    archive.write([made])
    before = files(archive)
    assert archive.write([made]) == {}
    assert Archive(archive._folder).write([made]) == {}
    assert files(archive) == before


def test_another_course_of_a_match_does_not_take_its_place(archive: Archive) -> None:
    """It is told which it was, and the others are kept all the same."""
    made, other = match(), match()
    archive.write([made])
    differ = archive.write([match(b"def", made.match_id), other])
    assert differ.keys() == {made.match_id}
    assert archive.read(made.match_id) == made
    assert archive.read(other.match_id) == other


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-9],
        lambda data: data[: len(data) // 2],
        lambda _: b"",
        lambda _: b"no gzip",
        lambda _: gzip.compress(b"no json"),
        lambda _: gzip.compress(b"[]"),
        lambda _: gzip.compress(b'{"format":2,"match_id":""}'),
    ],
    ids=["cut", "half", "empty", "no gzip", "no json", "no object", "another format"],
)
def test_what_is_broken_is_said_to_be(archive: Archive, spoil: "type[bytes]") -> None:
    """Neither is it read, nor taken for what is to be kept."""
    made = match()
    archive.write([made])
    path = archive.path(made.match_id)
    path.write_bytes(spoil(path.read_bytes()))
    with pytest.raises(ArchiveBroken, match=path.name):
        archive.read(made.match_id)
    with pytest.raises(ArchiveBroken, match=path.name):
        archive.write([made])


def test_what_was_never_finished_is_thrown_away(archive: Archive) -> None:
    """A killed process leaves parts, which nobody takes for matches."""
    part = archive._folder / "parts" / f"{new_id()}.{os.getpid()}"
    part.write_bytes(b"half")
    archive.prepare()
    assert files(archive) == {}
