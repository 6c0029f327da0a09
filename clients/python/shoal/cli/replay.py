"""`shoal replay`: records of finished matches, read, checked, and fetched."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from shoal.cli.files import cannot_write
from shoal.cli.options import SEE_MATCHES, SERVER, AsJson, Server, Tls
from shoal.cli.output import FAILED, fail, note, say, say_json
from shoal.cli.record import read_record, record_of
from shoal.cli.remote import connect
from shoal.cli.telling import everything, head_lines, turn_lines
from shoal.engine import redact
from shoal.record import BadRecord, Finding, Record, schema, to_json, to_text, verify

app = typer.Typer(no_args_is_help=True, help="Read, check and fetch the records of matches.")

UNSOUND = 1
"""Exit code when a record was read and is not what its own log makes of it."""

MOST_FINDINGS = 20
"""How many findings of a file are said; one that changes the deal changes everything after it."""

File = Annotated[str, typer.Argument(metavar="FILE", help="A record; - for standard input.")]
Files = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Records; - for standard input.")
]
Text = Annotated[bool, typer.Option("--text", help="In text notation.")]


@app.command()
def show(
    file: File,
    *,
    seat: Annotated[
        int | None, typer.Option(min=0, metavar="N", help="As this seat saw it.")
    ] = None,
    text: Text = False,
    json: AsJson = False,
) -> None:
    """Show a record that is sound, a turn a line.

    Or all of it in one of its two notations, into which this turns the other: --text, --json.

    Example: shoal replay show match.json --seat 0
    """
    record = _read(file)
    if (seat is not None) + text + json > 1:
        fail("one of --seat, --text and --json, not several")
    if seat is not None and seat >= len(record.seats):
        fail(f"there is no seat {seat}: the match had {len(record.seats)}")
    if findings := verify(record):
        fail(f"{file}: not sound, so there is nothing to show: {findings[0]}")
    if text or json:
        _say_document(record, text=text)
        return
    for line in head_lines(record):
        say(line)
    for line in turn_lines(record, everything if seat is None else partial(redact, seat=seat)):
        say(line)


@app.command("verify")
def verify_files(files: Files, *, json: AsJson = False) -> int:
    """Deal and play records again, and compare every value.

    Exit code 0: all are sound. 1: one is not, and what is wrong was said. 2: one cannot be read.

    Example: shoal replay verify match.json
    """
    reports: list[dict[str, object]] = []
    worst = 0
    for file in files:
        try:
            record = read_record(file)
        except BadRecord as error:
            note(f"shoal: {file}: {error}")
            reports.append({"file": file, "sound": False, "error": str(error)})
            worst = FAILED
            continue
        findings = verify(record)
        worst = max(worst, UNSOUND if findings else 0)
        reports.append(_report(file, record, findings))
        if not json:
            _say_findings(file, record, findings)
    if json:
        say_json(reports)
    return worst


@app.command()
def export(
    match_id: Annotated[str, typer.Argument(metavar="ID", help="The match.")],
    *,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write here, not to stdout.")
    ] = None,
    text: Text = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite FILE.")] = False,
    server: Server = SERVER,
    tls: Tls = False,
) -> None:
    """Fetch the record of a finished match, verify it, and write it.

    Example: shoal replay export 0a0199f5c1a2b30123456789abcdef --out match.json
    """
    if out is not None:
        _check_place(out, force=force)

    async def work() -> Record:
        async with connect(server, tls=tls, missing=SEE_MATCHES) as client:
            return record_of(await client.get_record(match_id))

    try:
        record = asyncio.run(work())
    except BadRecord as error:
        fail(f"the server's record cannot be followed: {error}")
    if findings := verify(record):
        fail(f"the server's record is not sound, nothing was written: {findings[0]}")
    if out is None:
        _say_document(record, text=text)
        return
    try:
        with out.open("w" if force else "x", encoding="utf-8", newline="\n") as stream:
            stream.write(to_text(record) if text else to_json(record))
    except OSError as error:
        cannot_write(f"--out {out}", error)
    note(f"{out}: sound: {record.ruleset.name}, {_entries(record)}")


@app.command("schema")
def show_schema() -> None:
    """Print the JSON Schema of records.

    Example: shoal replay schema
    """
    say_json(schema())


def _check_place(out: Path, *, force: bool) -> None:
    """Refuse a file that cannot be written, before anything is fetched."""
    if out.is_dir():
        fail(f"--out {out}: Is a directory: name a file in it")
    if out.exists() and not force:
        fail(f"--out {out} exists already: --force overwrites it")
    if not out.parent.is_dir():
        fail(f"--out {out}: its folder is not there: make it first")


def _read(file: str) -> Record:
    try:
        return read_record(file)
    except BadRecord as error:
        fail(f"{file}: {error}")


def _say_document(record: Record, *, text: bool) -> None:
    """Print a record in one of its notations."""
    say((to_text(record) if text else to_json(record)).removesuffix("\n"))


def _report(file: str, record: Record, findings: list[Finding]) -> dict[str, object]:
    """Return what was found, for programs."""
    return {
        "file": file,
        "sound": not findings,
        "match_id": record.match_id,
        "entries": len(record.entries),
        "findings": [each._asdict() for each in findings],
    }


def _say_findings(file: str, record: Record, findings: list[Finding]) -> None:
    """Print what was found, for people."""
    if not findings:
        say(f"{file}: sound: {record.ruleset.name}, {_entries(record)}")
    for each in findings[:MOST_FINDINGS]:
        say(f"{file}: {each}")
    if len(findings) > MOST_FINDINGS:
        say(f"{file}: and {len(findings) - MOST_FINDINGS} more, which --json lists")


def _entries(record: Record) -> str:
    """Say how long the log of a record is."""
    count = len(record.entries)
    return "1 entry" if count == 1 else f"{count} entries"
