"""Generates the Python code of the protos into proto/gen; with --check, compares instead of writing.

Run by `make proto`. The code that it makes is committed, so that nobody needs a compiler to install.
"""

import argparse
import filecmp
import importlib.util
import shutil
import sys
import sysconfig
import tempfile
from pathlib import Path

from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
COMMITTED = HERE / "gen" / "shoal" / "v1"


def google_protos() -> Path:
    """The directory that holds google/api/*.proto: the wheel of googleapis-common-protos ships them."""
    spec = importlib.util.find_spec("google.rpc")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(
            "googleapis-common-protos is not installed: run `make` targets, or pip install it"
        )
    return Path(next(iter(spec.submodule_search_locations))).parents[1]


def generate(target: Path) -> None:
    """Compiles every proto of shoal.v1 to messages, stubs and type hints below `target`."""
    scripts = Path(sysconfig.get_path("scripts"))
    well_known = Path(str(importlib.util.find_spec("grpc_tools").origin)).parent / "_proto"  # type: ignore[union-attr]
    files = sorted(str(path.relative_to(HERE)) for path in (HERE / "shoal" / "v1").glob("*.proto"))
    services = [name for name in files if name.endswith("_service.proto")]
    includes = [f"-I{HERE}", f"-I{google_protos()}", f"-I{well_known}"]
    messages = [
        f"--plugin=protoc-gen-mypy={scripts / 'protoc-gen-mypy'}",
        f"--python_out={target}",
        f"--mypy_out=quiet:{target}",
    ]
    stubs = [
        f"--plugin=protoc-gen-mypy_grpc={scripts / 'protoc-gen-mypy_grpc'}",
        f"--grpc_python_out={target}",
        f"--mypy_grpc_out=quiet:{target}",
    ]
    for options, names in ((messages, files), (stubs, services)):
        if protoc.main(["protoc", *includes, *options, *names]) != 0:
            raise SystemExit("protoc failed: see the lines above")


def differences(fresh: Path) -> list[str]:
    """Names of generated files that are not what is committed."""
    made = {path.name for path in fresh.iterdir()}
    kept = {path.name for path in COMMITTED.glob("*_pb2*")}
    _, changed, broken = filecmp.cmpfiles(fresh, COMMITTED, sorted(made & kept), shallow=False)
    return sorted({*changed, *broken, *(made ^ kept)})


def main() -> int:
    """Writes the generated code, or with --check returns 1 and names what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare with what is committed")
    check = parser.parse_args().check
    with tempfile.TemporaryDirectory() as folder:
        generate(Path(folder))
        fresh = Path(folder) / "shoal" / "v1"
        if check:
            stale = differences(fresh)
            if stale:
                sys.stderr.write(f"run `make proto` and commit: {', '.join(stale)}\n")
            return 1 if stale else 0
        COMMITTED.mkdir(parents=True, exist_ok=True)
        for path in COMMITTED.glob("*_pb2*"):
            path.unlink()
        for path in fresh.iterdir():
            shutil.copy(path, COMMITTED / path.name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
