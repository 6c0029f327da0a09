"""What the documents say of the code is so."""

import re
import shlex
from pathlib import Path

import pytest
import typer
import yaml
from pydantic.fields import FieldInfo

from shoal.cli.main import app
from shoal.match import LeaveReason, Termination, VoidReason
from shoal.match.outcome import RATED
from shoal.server.seating import BASELINE_LIMITS, BASELINE_MATCHES, BOT_MATCHES
from shoal.server.services.outgoing import BEAT_SECONDS_PER_MATCH, LONGEST_BEAT_SECONDS
from shoal.server.settings import Settings
from shoal.v1 import decision_pb2, errors_pb2, observation_pb2

ROOT = Path(__file__).resolve().parents[2]
METADATA = (
    *("bot_id", "decision_id", "elapsed_ms", "known", "limit_ms", "option_id"),
    *("placements", "remaining_ms", "request", "termination", "totals"),
)
"""What errors carry beside their reason."""
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "loadtest").glob("*.md")]


def rows(document: str, first: str) -> dict[str, list[str]]:
    """The cells of those rows of a document's tables whose first cell matches."""
    lines = (ROOT / document).read_text().splitlines()
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in lines if line[:1] == "|"
    ]
    return {each[0].strip("`"): each[1:] for each in cells if re.fullmatch(first, each[0])}


def reasons() -> dict[str, str]:
    """What errors.proto says of every reason, each on one line."""
    proto = (ROOT / "proto/shoal/v1/errors.proto").read_text()
    found = re.findall(r"((?:^ +//.*\n)+) +ERROR_REASON_(\w+) =", proto, re.MULTILINE)
    said = {name: " ".join(comment.replace("//", " ").split()) for comment, name in found}
    del said["UNSPECIFIED"]
    return said


def keys_in(text: str) -> set[str]:
    """The keys of metadata that a text names."""
    return set(METADATA) & set(re.findall(r"\w+", text))


def test_every_reason_is_explained_with_the_code_that_the_proto_names() -> None:
    explained = rows("docs/errors.md", "[A-Z_]+")
    names = [name.removeprefix("ERROR_REASON_") for name in errors_pb2.ErrorReason.keys()]  # noqa: SIM118
    assert list(explained) == names[1:] == list(reasons())
    for name, (code, *_) in explained.items():
        assert reasons()[name].startswith(f"{code}."), name


def test_every_reason_has_the_metadata_that_the_proto_names() -> None:
    explained = rows("docs/errors.md", "[A-Z_]+")
    named = set()
    for name, said in reasons().items():
        keys = keys_in(said.partition("Metadata: ")[2])
        assert keys_in(explained[name][2]) == keys, name
        named |= keys
    assert named == set(METADATA)


def default_of(field: FieldInfo) -> str:
    return "" if field.default_factory or field.default in {"", None} else f"`{field.default}`"


def test_every_setting_is_explained_with_its_default() -> None:
    explained = rows("docs/operations.md", "`SHOAL_[A-Z_]+`")
    assert list(explained) == [f"SHOAL_{name.upper()}" for name in Settings.model_fields]
    for name, field in Settings.model_fields.items():
        default, meaning = explained[f"SHOAL_{name.upper()}"]
        assert meaning == field.description, name
        if not field.default_factory:
            assert default == default_of(field), name


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_inside_the_repository_leads_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        assert target.startswith("https://") or (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_link_to_a_section_leads_to_one(document: Path) -> None:
    for target, section in re.findall(r"\]\(([^)#:]*)#([^)]+)\)", document.read_text()):
        text = (document.parent / target if target else document).read_text()
        headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
        kept = (re.sub(r"[^\w\- ]", "", heading).lower() for heading in headings)
        assert section in {each.replace(" ", "-") for each in kept}, f"{target}#{section}"


@pytest.mark.parametrize("name", ["competitions", "organizing"])
def test_the_lines_of_a_page_fit_into_a_window(name: str) -> None:
    """But for tables, whose rows are lines."""
    lines = (ROOT / f"docs/{name}.md").read_text().splitlines()
    assert [line for line in lines if len(line) > 130 and not line.startswith("|")] == []


def test_the_changelog_names_every_service_and_every_command() -> None:
    text = (ROOT / "CHANGELOG.md").read_text()
    protos = (ROOT / "proto/shoal/v1").glob("*.proto")
    services = {
        name
        for path in protos
        for name in re.findall(r"^service (\w+)", path.read_text(), re.MULTILINE)
    }
    (named,) = re.findall(r"^- \*\*Wire\*\*.*?\. ", text, re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"`(\w+Service)`", named)) == services
    (listed,) = re.findall(r"^- \*\*Command\*\* `shoal`: (.*?)\. ", text, re.MULTILINE | re.DOTALL)
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert sorted(re.split(r",\s+", listed)) == sorted(commands)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_make_target_that_is_named_exists(document: Path) -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"(?:^|`)make ([a-z]+)", document.read_text(), re.MULTILINE)
    assert set(named) <= set(targets)


def test_a_bot_author_is_told_every_field_and_every_kind_of_option() -> None:
    text = (ROOT / "docs/bots.md").read_text()
    told = set(re.findall(r"`(\w+)`", text)) | set(
        re.findall(r"^\| ([A-Z_]+) \|", text, re.MULTILINE)
    )
    fields = {
        field.name
        for message in (
            observation_pb2.Observation,
            observation_pb2.SeatView,
            observation_pb2.Pile,
            decision_pb2.Decision,
            decision_pb2.Option,
        )
        for field in message.DESCRIPTOR.fields
    }
    kinds = {name.removeprefix("DECISION_KIND_") for name in decision_pb2.DecisionKind.keys()[1:]}
    assert fields | kinds <= told


def test_every_line_of_the_log_is_explained_once_and_is_one_that_the_server_writes() -> None:
    text = (ROOT / "docs/operations.md").read_text().split("## Reading the log")[1]
    cells = re.findall(r"^\| (`.+?) \|", text.split("\n## ")[0], re.MULTILINE)
    events = [name for cell in cells for name in re.findall(r"`(\w+)`", cell)]
    assert len(events) > 10
    assert sorted(set(events)) == sorted(events)
    source = "".join(path.read_text() for path in (ROOT / "server").rglob("*.py"))
    assert [name for name in events if f'"{name}"' not in source] == []


@pytest.mark.parametrize("document", ["api", "design", "operations"])
def test_the_pace_of_messages_is_the_one_of_the_code(document: str) -> None:
    text = " ".join((ROOT / f"docs/{document}.md").read_text().split())
    each, most = (
        f"{seconds * 1000:g} ms" for seconds in (BEAT_SECONDS_PER_MATCH, LONGEST_BEAT_SECONDS)
    )
    said = rf"{each}(?: apart)? for each match(?: on its stream)?(?:,| and) {most} at most"
    assert re.search(said, text)
    assert len(re.findall(r"ms(?: apart)? for each match", text)) == 1


def test_the_tables_of_endings_are_those_of_the_code() -> None:
    """docs/design.md has every termination, reason to leave and reason to be void, and which are rated."""
    text = (ROOT / "docs/design.md").read_text().split("## Endings")[1].split("\n## ")[0]
    tables = [table.splitlines()[2:] for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)]
    rows = [
        [cell.strip() for cell in row.strip("|").split("|")] for table in tables for row in table
    ]
    endings, leaving, void = (
        [row for row in rows if row[0] in kind.__members__ and row[0] != "NONE"]
        for kind in (Termination, LeaveReason, VoidReason)
    )
    assert [row[0] for row in endings if len(row) == 4] == [each.name for each in Termination]
    assert {row[0] for row in leaving if len(row) == 2} == set(LeaveReason.__members__) - {"NONE"}
    assert [row[0] for row in void if len(row) == 2] == [each.name for each in VoidReason][1:]
    rated = {Termination[row[0]] for row in endings if len(row) == 4 and row[3] == "yes"}
    assert rated == RATED


def test_what_a_baseline_takes_by_request_is_said_where_authors_read() -> None:
    text = (ROOT / "docs/bots.md").read_text().split("## Matches by request")[1]
    assert f"fewer than {BASELINE_MATCHES} unfinished" in text
    assert f"{BOT_MATCHES} unfinished ones a bot" in text
    for name, most in BASELINE_LIMITS.items():
        assert re.search(rf"`{name}`(?: is at most)?\s+{most}\b", text), name
    row = rows("docs/errors.md", "CONCURRENCY_LIMIT")["CONCURRENCY_LIMIT"]
    assert f"a baseline {BASELINE_MATCHES}, others {BOT_MATCHES}" in row[1]


def test_the_redis_that_several_servers_are_told_to_start_forgets_nothing() -> None:
    """docs/operations.md starts it with what docker-compose.yml says."""
    [line] = re.findall(
        r"^redis-server .*", (ROOT / "docs/operations.md").read_text(), re.MULTILINE
    )
    compose = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
    shown = shlex.split(line)
    for flag, value in pairs(compose["services"]["redis"]["command"][1:]):
        assert shown[shown.index(flag) + 1] == value


def pairs(words: list[str]) -> list[tuple[str, str]]:
    """Flags and their values."""
    return list(zip(words[::2], words[1::2], strict=True))
