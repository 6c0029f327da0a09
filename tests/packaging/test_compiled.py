"""A wheel is pure Python; where it is asked for, it has the engine compiled, which plays the same game."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from hatch_build import NOT_COMPILED, PACKAGE, REQUIREMENTS, missing
from tests.packaging.test_requirements import PROJECT

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "engine" / PACKAGE
SHARED_OBJECTS = (".so", ".pyd")
RECORDINGS = ("test_perft.py", "test_playthroughs.py", "test_moves.py", "test_encoding.py")
"""The tests of the engine that a compiled one has to pass: counts, whole matches, moves, formats."""

pytestmark = pytest.mark.timeout(900)

REFUSALS = """
from shoal.engine import *

def refusal(state, move):
    try:
        apply(state, move)
    except IllegalMove as error:
        return error.reason.name, str(error)
    return ()

for name in RULESETS:
    state = new_match(ruleset(name), 3, b"refusals")
    for number in range(40):
        before = encode(state)
        options = legal_moves(state)
        illegal = [move for move in all_moves()[number::211] if move not in options]
        print(name, number, [refusal(state, move) for move in illegal])
        assert encode(state) == before
        apply(state, options[number * 5 % len(options)])
"""


def build(folder: Path, **environment: str) -> Path:
    """The wheel that these variables make."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    kept = {name: value for name, value in os.environ.items() if name != "SHOAL_COMPILE"}
    done = subprocess.run(
        command, cwd=ROOT, env=kept | environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    [made] = folder.glob("*.whl")
    return made


def files(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def metadata(wheel: Path, name: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        [path] = [each for each in archive.namelist() if each.endswith(f".dist-info/{name}")]
        return archive.read(path).decode()


@pytest.fixture(scope="module")
def pure(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("pure"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel with the engine compiled, without optimization: that takes half the time."""
    if lacking := missing():
        pytest.skip(f"the engine cannot be compiled here: {lacking}")
    return build(tmp_path_factory.mktemp("compiled"), SHOAL_COMPILE="1", MYPYC_OPT_LEVEL="0")


@pytest.fixture(scope="module")
def unpacked(compiled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(compiled) as archive:
        archive.extractall(folder)
    return folder


def python(*arguments: str, path: Path | None = None) -> str:
    """What Python says when it looks in this folder first, before the checkout."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(path or ENGINE.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_wheel_is_pure_python_unless_asked_otherwise(pure: Path) -> None:
    assert pure.name.endswith("-py3-none-any.whl")
    assert not [name for name in files(pure) if name.endswith(SHARED_OBJECTS)]
    assert "Root-Is-Purelib: true" in metadata(pure, "WHEEL")


def test_without_a_compiler_the_reason_is_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"SHOAL_COMPILE": "1", "CC": "no-such-compiler"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout + done.stderr == (
        "The engine cannot be compiled: there is no C compiler (no-such-compiler)\n"
    )
    assert not list(tmp_path.glob("*.whl"))


def test_what_compiling_needs_is_among_what_developers_install() -> None:
    assert set(REQUIREMENTS) <= set(PROJECT["optional-dependencies"]["dev"])


def test_what_is_not_compiled_exists() -> None:
    assert all((ENGINE / name).is_file() for name in NOT_COMPILED)


def test_a_compiled_wheel_has_shared_objects_and_all_the_files_of_a_pure_one(
    pure: Path, compiled: Path
) -> None:
    shared = {name for name in files(compiled) if name.endswith(SHARED_OBJECTS)}
    assert files(compiled) - shared == files(pure)
    modules = {path.stem for path in ENGINE.glob("*.py") if path.name not in NOT_COMPILED}
    inside = {Path(name).name.split(".")[0] for name in shared if Path(name).parent == PACKAGE}
    assert inside == modules
    [runtime] = [name for name in shared if Path(name).parent != PACKAGE]
    assert "__mypyc." in runtime


def test_a_compiled_wheel_is_for_this_python_and_platform_only(compiled: Path) -> None:
    python = f"cp{sys.version_info.major}{sys.version_info.minor}"
    assert f"-{python}-{python}" in compiled.name
    assert "-any" not in compiled.name
    assert "Root-Is-Purelib: false" in metadata(compiled, "WHEEL")


def test_what_is_unpacked_is_what_runs(unpacked: Path) -> None:
    ask = "from shoal.engine import play; print(play.__file__)"
    assert python("-c", ask).strip() == str(ENGINE / "play.py")
    loaded = Path(python("-c", ask, path=unpacked).strip())
    assert loaded.parent == unpacked / PACKAGE
    assert loaded.suffix in SHARED_OBJECTS


def test_the_compiled_engine_passes_the_tests_of_the_source(unpacked: Path) -> None:
    recordings = [f"tests/engine/{name}" for name in RECORDINGS]
    python("-m", "pytest", "-q", "-p", "no:cacheprovider", *recordings, path=unpacked)


def test_the_compiled_engine_refuses_the_same_moves_for_the_same_reasons(unpacked: Path) -> None:
    said = python("-c", REFUSALS)
    assert "NOT_AN_OPTION" in said
    assert python("-c", REFUSALS, path=unpacked) == said


def test_a_measurement_says_which_engine_it_measured(unpacked: Path) -> None:
    bench = (
        "-c",
        "from shoal.cli.main import main; main()",
        "bench",
        "engine",
        "--json",
        "--seconds",
        "0.1",
    )
    assert '"compiled": false' in python(*bench)
    assert '"compiled": true' in python(*bench, path=unpacked)
