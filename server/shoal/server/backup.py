"""A backup: the store at one moment, and the archive after it. Restoring puts both where there is nothing.

The store comes first: what is taken out of it meanwhile is in the archive by then, so that no match is in
neither. What says that a backup is complete is written last.
"""

import gzip
import hashlib
import json
import shutil
import zlib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, final

from shoal.server.files import folder_named_by, named_by
from shoal.server.store.errors import StoreRefused
from shoal.server.store.keys import now_ms
from shoal.server.store.snapshot import flush, put_snapshot, take_snapshot

FORMAT: Final = 1
STORE, ARCHIVE, MANIFEST = "store.rdb", "archive", "backup.json"
_FILES: Final = "*-*-*/*/*.json.gz"
"""The matches of an archive; beside them it has a folder of what is being written."""


class BackupRefused(StoreRefused):
    """A backup cannot be made or put back so; the message says why, and what to do."""


@final
@dataclass(frozen=True, slots=True)
class Manifest:
    """What a backup has: of the store its checksum, of the archive how many matches there are."""

    type: str
    format: int
    shoal_version: str
    redis_version: str
    created_ms: int
    keys: int
    store_bytes: int
    store_sha256: str
    archived: int | None
    """None where the archive was left out."""


def back_up(
    data_dir: Path, archive_dir: Path | None, out: Path, *, without_archive: bool
) -> Manifest:
    """Make a backup in a new folder, or leave nothing. Raises BackupRefused, StoreRefused and FileRefused."""
    if archive_dir is not None and not archive_dir.is_dir():
        raise BackupRefused(
            f"--archive-dir {archive_dir}: no such folder: name the one that the director writes to"
        )
    with named_by("OUT", out):
        out.mkdir(mode=0o700)  # it has the seeds of running matches
    try:
        return _back_up(data_dir, archive_dir, out, without_archive=without_archive)
    except BaseException:
        shutil.rmtree(out, ignore_errors=True)
        raise


def _back_up(
    data_dir: Path, archive_dir: Path | None, out: Path, *, without_archive: bool
) -> Manifest:
    store = out / STORE
    begun_ms = now_ms()
    with folder_named_by("OUT", out):
        found = take_snapshot(data_dir, store)
        if found.archives and archive_dir is None and not without_archive:
            places = ", ".join(found.archives)
            raise BackupRefused(
                f"matches of this store are in the archive {places}: give --archive-dir, or say "
                "--without-archive if it is backed up otherwise, after this"
            )
        flush(store)
        archived = None
        if archive_dir is not None:
            archived = sum(_copied(archive_dir, out / ARCHIVE))
        manifest = Manifest(
            type="shoal-backup",
            format=FORMAT,
            shoal_version=version("shoal"),
            redis_version=found.redis_version,
            created_ms=begun_ms,
            keys=found.key_count,
            store_bytes=store.stat().st_size,
            store_sha256=_sha256(store),
            archived=archived,
        )
        part = out / f"{MANIFEST}.part"
        part.write_text(json.dumps(asdict(manifest), indent=2) + "\n")
        flush(part)
        part.replace(out / MANIFEST)
        flush(out)
    return manifest


def put_back(backup: Path, data_dir: Path, archive_dir: Path | None) -> Manifest:
    """Put a backup into folders that have nothing of the kind.

    The archive comes first, so a store that is there has it; again, after it was interrupted, is harmless.
    Raises BackupRefused, StoreRefused and FileRefused.
    """
    manifest = _read(backup)
    store = backup / STORE
    with named_by("BACKUP", store):
        if _sha256(store) != manifest.store_sha256:
            raise BackupRefused(f"{store} is not what was backed up: its checksum differs")
    if manifest.archived is not None:
        if archive_dir is None:
            raise BackupRefused(f"{backup} has an archive: give --archive-dir, where it is to be")
        _check(backup / ARCHIVE, manifest.archived)
        with folder_named_by("--archive-dir", archive_dir):
            sum(_copied(backup / ARCHIVE, archive_dir))
    with folder_named_by("--data-dir", data_dir):
        put_snapshot(store, data_dir)
    return manifest


def _read(backup: Path) -> Manifest:
    try:
        fields = json.loads((backup / MANIFEST).read_text())
        if (fields["type"], fields["format"]) != ("shoal-backup", FORMAT):
            raise BackupRefused(f"{backup} is a backup of another version of Shoal")
        return Manifest(**fields)
    except FileNotFoundError:
        raise BackupRefused(
            f"{backup} has no {MANIFEST}: it is no backup, or not a complete one"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise BackupRefused(f"{backup / MANIFEST} cannot be read: {error}") from error


def _check(archive: Path, count: int) -> None:
    """Refuse an archive in which files are missing or broken."""
    files = list(archive.glob(_FILES))
    if len(files) != count:
        raise BackupRefused(f"{archive} has {len(files)} matches, and had {count}")
    for path in files:
        try:
            gzip.decompress(path.read_bytes())
        except (OSError, EOFError, zlib.error) as error:
            raise BackupRefused(f"{path} is broken: {error}") from error


def _copied(source: Path, target: Path) -> Iterator[int]:
    """Copy the matches of an archive that are not there; yield 1 for each that there is then.

    Raises BackupRefused for one that is there and differs: it is of another course of the same store.
    """
    folders = {target}
    target.mkdir(parents=True, exist_ok=True)
    for path in source.glob(_FILES):
        place = target / path.relative_to(source)
        place.parent.mkdir(parents=True, exist_ok=True)
        folders |= {place.parent, place.parent.parent}
        if not place.exists():
            part = place.with_suffix(".part")
            shutil.copyfile(path, part)
            flush(part)
            part.replace(place)
        elif gzip.decompress(place.read_bytes()) != gzip.decompress(path.read_bytes()):
            raise BackupRefused(f"{place} has another course of its match: choose another folder")
        yield 1
    for folder in sorted(folders, key=lambda each: len(each.parts), reverse=True):
        flush(folder)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
