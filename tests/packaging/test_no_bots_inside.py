"""A server has no bots of its own: baselines are clients like any other, on the same clock (T51)."""

import ast
from pathlib import Path

import shoal.server.app
from tests.syntax import parsed

SERVER = Path(shoal.server.app.__file__).parent
RUNS_CLIENTS = {
    *("baselines.py", "bench", "chaos", "children.py", "cup", "demo.py"),
    *("calibration", "scoreboard.py", "simulation"),
}
"""What runs servers and clients beside each other, as processes or on channels of their own."""


def imports_of(file: Path) -> set[str]:
    """Return the modules that a file imports."""
    nodes = list(ast.walk(parsed(file.read_text(encoding="utf-8"))))
    plain = {each.name for node in nodes if isinstance(node, ast.Import) for each in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


def test_nothing_that_serves_knows_a_bot() -> None:
    """No module of the serving process imports the client, in which all bots are (T51)."""
    serving = [
        file
        for file in SERVER.rglob("*.py")
        if file.relative_to(SERVER).parts[0] not in RUNS_CLIENTS
    ]
    assert len(serving) > 50
    guilty = [
        str(file.relative_to(SERVER))
        for file in serving
        if any(name.startswith("shoal.client") for name in imports_of(file))
    ]
    assert guilty == []
