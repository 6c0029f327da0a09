"""Lints the protos with buf. Run by `make lint`.

buf would fetch google/api from a registry; the wheel of googleapis-common-protos has the same files, so a
temporary workspace holds both as modules, and nothing is fetched.
"""

import importlib.util
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
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


def main() -> int:
    """Returns buf's exit status; its complaints name files as they are called below proto/."""
    buf = Path(sysconfig.get_path("scripts")) / "buf"
    with tempfile.TemporaryDirectory() as folder:
        make_workspace(Path(folder))
        done = subprocess.run(
            [buf, "lint", "ours"],
            cwd=folder,
            env={"BUF_CACHE_DIR": f"{folder}/cache", "PATH": "", "HOME": folder},
            capture_output=True,
            text=True,
            check=False,
        )
    sys.stderr.write((done.stdout + done.stderr).replace("ours/", "proto/"))
    return done.returncode


if __name__ == "__main__":
    raise SystemExit(main())
