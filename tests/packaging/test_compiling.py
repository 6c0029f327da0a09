"""What docs/api.md says of compiling the protos works with protoc and with buf, from what the wheel has."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOOGLEAPIS = Path(sysconfig.get_path("purelib"))
SERVICES = {path.stem for path in (ROOT / "proto/shoal/v1").glob("*.proto")}


def command(first: str) -> str:
    """The block of the document that begins with this word."""
    text = (ROOT / "docs/api.md").read_text().split("## Compiling the protos")[1]
    [found] = re.findall(rf"^```sh\n({first} .*?)^```", text, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The protos, and googleapis beside them."""
    shutil.copytree(ROOT / "proto/shoal", tmp_path / "proto/shoal")
    for name in ("google/api", "google/rpc"):
        shutil.copytree(GOOGLEAPIS / name, tmp_path / "googleapis" / name)
    return tmp_path


def run(script: str, checkout: Path) -> set[str]:
    """Run a script in a checkout; return which protos it made code of."""
    tools = checkout / "tools"
    tools.mkdir()
    protoc = tools / "protoc"
    protoc.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m grpc_tools.protoc "$@"\n')
    protoc.chmod(0o700)
    out = checkout / "gen"
    out.mkdir()
    path = os.pathsep.join([str(tools), sysconfig.get_path("scripts"), os.defpath])
    places = {"GOOGLEAPIS": str(checkout / "googleapis"), "OUT": str(out), "HOME": str(checkout)}
    command = ["sh", "-ec", script]
    subprocess.run(command, cwd=checkout, env={"PATH": path, **places}, check=True)
    return {made.name.partition("_pb2")[0] for made in out.rglob("*_pb2*")}


def test_the_line_for_protoc_compiles_every_proto(checkout: Path) -> None:
    assert run(command("protoc"), checkout) == SERVICES


def test_the_line_for_buf_compiles_every_proto(checkout: Path) -> None:
    assert run(command("buf"), checkout) == SERVICES
