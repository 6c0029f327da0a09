"""Compiles the engine into the wheel where SHOAL_COMPILE=1 asks for it; nothing else builds C here.

Without the variable a wheel is pure Python, and runs everywhere. With it mypyc translates the engine's
modules to C, and the wheel is for one Python on one platform. The sources are in both.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = Path("shoal", "engine")
NOT_COMPILED = {
    "__init__.py": "it only passes names on",
    "interned.py": "it makes objects of classes that it does not know: not as compiled classes",
    "moves.py": "its classes share what __new__ and __match_args__ mean: not as compiled classes",
}
"""The modules that stay Python, and why."""

REQUIREMENTS = ["mypy[mypyc]>=2.4"]
"""What compiling needs of Python packages."""


def wanted() -> bool:
    """Whether the environment asks for a compiled engine."""
    return os.environ.get("SHOAL_COMPILE", "") not in {"", "0"}


def missing() -> str | None:
    """What keeps this Python on this machine from compiling; None when all is there."""
    compiler = os.environ.get("CC") or sysconfig.get_config_var("CC")
    if compiler and not shutil.which(compiler.split()[0]):
        return f"there is no C compiler ({compiler.split()[0]})"
    if not Path(sysconfig.get_path("include"), "Python.h").is_file():
        return "the headers of Python (Python.h) are not installed"
    if not all(map(find_spec, ("mypyc", "setuptools"))):
        return f"{REQUIREMENTS[0]} is not installed"
    return None


class CompiledEngine(BuildHookInterface[Any]):
    """Adds the shared objects of the engine to a wheel."""

    _folder: tempfile.TemporaryDirectory[str] | None = None

    def dependencies(self) -> list[str]:
        """What an isolated build installs beside hatchling."""
        return REQUIREMENTS if wanted() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before a wheel is packed; an editable one is always pure Python."""
        if version == "editable" or not wanted():
            return
        if lacking := missing():
            self.app.abort(f"The engine cannot be compiled: {lacking}")
        self._folder = tempfile.TemporaryDirectory(prefix="shoal-compile-")
        folder = Path(self._folder.name)
        self._compile(folder)
        for path in (*folder.glob("*__mypyc.*"), *(folder / PACKAGE).glob("*" + _suffix())):
            build_data["force_include"][str(path)] = path.relative_to(folder).as_posix()
        build_data["infer_tag"] = True
        build_data["pure_python"] = False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove what was made on the way."""
        if self._folder:
            self._folder.cleanup()

    def _compile(self, folder: Path) -> None:
        """Leave the shared objects beside a copy of the sources; what mypyc says is for failures."""
        shutil.copytree(Path(self.root, "engine", PACKAGE), folder / PACKAGE)
        modules = (path.relative_to(folder) for path in sorted((folder / PACKAGE).glob("*.py")))
        done = subprocess.run(
            [
                *(sys.executable, "-m", "mypyc", "--config-file="),
                *("--namespace-packages", "--explicit-package-bases"),
                *(str(path) for path in modules if path.name not in NOT_COMPILED),
            ],
            cwd=folder,
            env={"MYPYC_DEBUG_LEVEL": "0", **os.environ},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        if done.returncode:
            self.app.abort(
                f"{done.stdout}\nThe engine cannot be compiled: mypyc or the C compiler failed"
            )


def _suffix() -> str:
    """How the names of shared objects end, such as `.cpython-311-x86_64-linux-gnu.so`."""
    return str(sysconfig.get_config_var("EXT_SUFFIX"))
