"""Generates the Python code of the protos into proto/gen; with --check, compares instead of writing.

Run by `make proto`. The code that it makes is committed, so that nobody needs a compiler to install. Beside
it goes comments.json: what the protos say of everything in them, which the code does not have.
"""

import argparse
import filecmp
import importlib.util
import json
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
)
from grpc_tools import protoc

HERE = Path(__file__).resolve().parent
COMMITTED = HERE / "gen" / "shoal" / "v1"
COMMENTS = "comments.json"
MADE = ("*_pb2*", COMMENTS)
"""Patterns of what is generated: all that is in the folder but what the package itself has."""


def google_protos() -> Path:
    """The directory that holds google/api/*.proto: the wheel of googleapis-common-protos ships them."""
    spec = importlib.util.find_spec("google.rpc")
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(
            "googleapis-common-protos is not installed: run `make` targets, or pip install it"
        )
    return Path(next(iter(spec.submodule_search_locations))).parents[1]


def generate(target: Path) -> None:
    """Compiles every proto of shoal.v1 to messages, stubs, type hints and comments below `target`."""
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
    described = target / "described.binpb"
    described_with = ["--include_source_info", f"--descriptor_set_out={described}"]
    for options, names in ((messages, files), (stubs, services), (described_with, files)):
        if protoc.main(["protoc", *includes, *options, *names]) != 0:
            raise SystemExit("protoc failed: see the lines above")
    said = comments(FileDescriptorSet.FromString(described.read_bytes()))
    written = json.dumps(said, ensure_ascii=False, indent=1, sort_keys=True)
    (target / "shoal" / "v1" / COMMENTS).write_text(f"{written}\n", encoding="utf-8")


def comments(files: FileDescriptorSet) -> dict[str, str]:
    """What stands above everything that has a name, by that name: a line for each paragraph."""
    said: dict[str, str] = {}
    for file in files.file:
        names = dict(named(file))
        for place in file.source_code_info.location:
            name = names.get(tuple(place.path))
            text = place.leading_comments
            if name is not None and text:
                paragraphs = "\n".join(line.strip() for line in text.splitlines()).split("\n\n")
                said[name] = "\n".join(" ".join(each.split()) for each in paragraphs)
    return said


def named(file: FileDescriptorProto) -> Iterator[tuple[tuple[int, ...], str]]:
    """Where each named thing of a file is, as source_code_info says it, and its full name."""
    package = file.package
    for number, service in enumerate(file.service):
        yield (6, number), f"{package}.{service.name}"
        for index, method in enumerate(service.method):
            yield (6, number, 2, index), f"{package}.{service.name}.{method.name}"
    yield from named_messages(file.message_type, (4,), package)
    yield from named_enums(file.enum_type, (5,), package)


def named_messages(
    messages: Sequence[DescriptorProto], way: tuple[int, ...], inside: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Messages, and what is in them."""
    for number, message in enumerate(messages):
        here, name = (*way, number), f"{inside}.{message.name}"
        yield here, name
        for index, field in enumerate(message.field):
            yield (*here, 2, index), f"{name}.{field.name}"
        for index, choice in enumerate(message.oneof_decl):
            yield (*here, 8, index), f"{name}.{choice.name}"
        yield from named_messages(message.nested_type, (*here, 3), name)
        yield from named_enums(message.enum_type, (*here, 4), name)


def named_enums(
    enums: Sequence[EnumDescriptorProto], way: tuple[int, ...], inside: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    """Enums, and their values, which are named inside of them."""
    for number, enum in enumerate(enums):
        here, name = (*way, number), f"{inside}.{enum.name}"
        yield here, name
        for index, value in enumerate(enum.value):
            yield (*here, 2, index), f"{name}.{value.name}"


def differences(fresh: Path) -> list[str]:
    """Names of generated files that are not what is committed."""
    made = {path.name for path in fresh.iterdir()}
    kept = {path.name for pattern in MADE for path in COMMITTED.glob(pattern)}
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
        for pattern in MADE:
            for path in COMMITTED.glob(pattern):
                path.unlink()
        for path in fresh.iterdir():
            shutil.copy(path, COMMITTED / path.name)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
