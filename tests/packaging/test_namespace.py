"""One distribution, four roots, one namespace: nothing may hide a part of it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOTS = ("engine/shoal", "server/shoal", "clients/python/shoal", "proto/gen/shoal")
PARTS = (
    *("shoal.engine", "shoal.match", "shoal.record", "shoal.sequential"),
    *("shoal.competition", "shoal.rating", "shoal.wire", "shoal.server"),
    *("shoal.client", "shoal.cli", "shoal.v1"),
)
# Removes the checkout's roots, so that what is imported can only come from the folder given.
IMPORT_FROM = """
import importlib, sys
folder, checkout = sys.argv[1:3]
kept = (path for path in sys.path if "site-packages" in path or not path.startswith(checkout))
sys.path[:] = [folder, *kept]
sys.meta_path[:] = [finder for finder in sys.meta_path if "editable" not in repr(finder).lower()]
for name in sys.argv[3:]:
    [place] = importlib.import_module(name).__path__
    assert place.startswith(folder), (name, place)
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


def test_no_root_claims_the_namespace() -> None:
    for root in ROOTS:
        assert (ROOT / root).is_dir()
        assert not (ROOT / root / "__init__.py").exists()


def test_every_part_is_importable_from_the_checkout() -> None:
    code = "; ".join(f"import {part}" for part in PARTS)
    subprocess.run([sys.executable, "-c", code], cwd="/", check=True)


def test_every_part_is_importable_from_the_wheel(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    command = [sys.executable, "-c", IMPORT_FROM, str(tmp_path), str(ROOT), *PARTS]
    subprocess.run(command, cwd="/", check=True)


def test_the_wheel_holds_all_that_the_roots_hold(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith("shoal/")}
    kept = {
        str(path.relative_to((ROOT / root).parent))
        for root in ROOTS
        for path in (ROOT / root).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == kept
    assert {f"{part.replace('.', '/')}/py.typed" for part in PARTS} <= packed
    assert any(name.endswith(".lua") for name in packed)
    assert "shoal/v1/play_service_pb2_grpc.py" in packed


def test_the_wheel_brings_license_and_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name.split(".dist-info/")[-1] for name in archive.namelist()}
        [points] = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert "shoal = shoal.cli.__main__:main" in archive.read(points).decode()
    assert {"licenses/LICENSE", "licenses/NOTICE"} <= names
