"""The checks of `make lint`, as tests, so that a change that breaks one cannot pass for green."""

import ast
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.syntax import parsed

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = Path(sysconfig.get_path("scripts"))

CHECKS = {
    "ruff finds no fault": [SCRIPTS / "ruff", "check"],
    "ruff would format nothing otherwise": [SCRIPTS / "ruff", "format", "--check"],
    "mypy proves the types": [SCRIPTS / "mypy"],
    "the layers import downwards": [SCRIPTS / "lint-imports"],
    "buf finds no fault": [sys.executable, "proto/lint.py"],
    "the generated code is fresh": [sys.executable, "proto/generate.py", "--check"],
}


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", CHECKS)
def test_check(name: str) -> None:
    done = subprocess.run(CHECKS[name], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{name}: no\n{done.stdout}{done.stderr}"


def test_every_check_of_the_makefile_is_a_test() -> None:
    recipe = (ROOT / "Makefile").read_text().split("\nlint:")[1].split("\n\n")[0]
    in_makefile = [line.split("/bin/")[1] for line in recipe.splitlines() if "/bin/" in line]
    in_tests = [
        " ".join([Path(str(head)).name, *map(str, rest)]) for head, *rest in CHECKS.values()
    ]
    assert [line.replace("python3", "python") for line in in_makefile] == [
        line.replace(Path(sys.executable).name, "python") for line in in_tests
    ]


def test_what_is_pure_imports_the_standard_library_alone() -> None:
    pure = tuple(f"shoal.{each}" for each in ("engine", "luck", "match", "record", "sequential"))
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(parsed(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "."]
            for name in names:
                known = name.split(".")[0] in sys.stdlib_module_names
                assert known or name.startswith(pure), f"{path}: {name}"
                assert name.split(".")[0] not in {"random", "time", "datetime"}, f"{path}: {name}"
