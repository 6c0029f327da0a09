"""Lints the protos with buf, and compares them with what was promised. Run by `make lint`.

`promised.binpb` has the descriptors of the last release: whoever speaks those, in binary or JSON, must be
understood for ever. `--promise`, at each release, takes the protos as they are then.

buf would fetch google/api from a registry; the wheel of googleapis-common-protos has the same files, so a
temporary workspace holds both as modules, and nothing is fetched.
"""

import argparse
import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
PROMISED = HERE / "promised.binpb"
NEEDED = ("google/api", "google/rpc")


def google_protos() -> Path:
    """The directory below which the wheel keeps google/api/*.proto."""
    spec = importlib.util.find_spec("google.rpc")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit("googleapis-common-protos is not installed: `make lint` installs it")
    return Path(next(iter(spec.submodule_search_locations))).parents[1]


def make_workspace(folder: Path) -> None:
    """Copies both modules below `folder`, and writes a buf.yaml with our rules for our module alone."""
    shutil.copytree(HERE / "shoal", folder / "ours" / "shoal")
    for name in NEEDED:
        (folder / "google" / name).mkdir(parents=True)
        for path in (google_protos() / name).glob("*.proto"):
            shutil.copy(path, folder / "google" / name)
    ours = yaml.safe_load((HERE / "buf.yaml").read_text())
    workspace = {
        "version": ours["version"],
        "modules": [{"path": "ours"}, {"path": "google"}],
        "lint": ours["lint"],
        "breaking": ours["breaking"],
    }
    (folder / "buf.yaml").write_text(yaml.safe_dump(workspace))


def run_buf(folder: str, *arguments: str) -> int:
    """Returns buf's exit status; its complaints name files as they are called below proto/."""
    done = subprocess.run(
        [Path(sysconfig.get_path("scripts")) / "buf", *arguments],
        cwd=folder,
        env={"BUF_CACHE_DIR": f"{folder}/cache", "PATH": "", "HOME": folder},
        capture_output=True,
        text=True,
        check=False,
    )
    sys.stderr.write((done.stdout + done.stderr).replace("ours/", "proto/"))
    return done.returncode


def main() -> int:
    """Lints and compares, or with --promise writes what later protos are compared with."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--promise", action="store_true", help="take the protos as they are")
    promise = parser.parse_args().promise
    with tempfile.TemporaryDirectory() as folder:
        make_workspace(Path(folder))
        if promise:
            return run_buf(
                folder, "build", "ours", "--exclude-source-info", "--output", str(PROMISED)
            )
        status = run_buf(folder, "lint", "ours")
        against = ("--against", str(PROMISED), "--exclude-imports")
        return run_buf(folder, "breaking", "ours", *against) or status


if __name__ == "__main__":
    raise SystemExit(main())
