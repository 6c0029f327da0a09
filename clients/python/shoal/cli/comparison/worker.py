"""A process that plays blocks for a test: it reads their numbers, a line each, and writes what they came to.

The first line is the plan. It ends when its input does, whatever a bot is doing then. What bots print goes to
standard error: standard output is for the answers.
"""

import asyncio
import json
import os
import sys
import threading
from queue import SimpleQueue
from typing import BinaryIO, Final

from shoal.cli.comparison.block import FIELD, A, B, Chair, Tables
from shoal.cli.comparison.loading import Loader
from shoal.cli.comparison.plan import Plan
from shoal.cli.comparison.scoring import scored
from shoal.cli.output import Failed
from shoal.client.bots import BASELINES
from shoal.engine import ruleset

ENDED: Final = 0


def main() -> None:
    """Play until there is no more input."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    lines: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_read, args=(sys.stdin.buffer, lines), daemon=True).start()
    plan = Plan.from_json(json.loads(lines.get()))
    try:
        loader = Loader()
        chairs = [_chair(side, spec, loader) for side, spec in _sides(plan)]
    except Failed as error:
        _answer(answers, {"failed": str(error)})
        return
    with asyncio.Runner() as runner:
        tables = Tables(plan, ruleset(plan.ruleset), chairs, scored, runner)
        while True:
            block = int(lines.get())
            played = tables.play(block)
            _answer(answers, {**played.row.as_json(), "said": played.said})


def _read(source: BinaryIO, lines: "SimpleQueue[bytes]") -> None:
    """Pass lines on, and end the process with the last: nobody wants an answer any more."""
    for line in source:
        lines.put(line)
    os._exit(ENDED)


def _sides(plan: Plan) -> list[tuple[str, str]]:
    return [(A, plan.a), (B, plan.b), *((FIELD, spec) for spec in plan.field)]


def _chair(side: str, spec: str, loader: Loader) -> Chair:
    return Chair(side, spec, None if spec in BASELINES else loader.load(spec)[0])


def _answer(answers: BinaryIO, row: dict[str, object]) -> None:
    answers.write(json.dumps(row).encode() + b"\n")


if __name__ == "__main__":
    main()
