"""The results of an export as blocks: those that are rated and count, by release where it says so."""

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from shoal.rating import BadBlock, Block, Match, gathered
from shoal.rating.suspicion import Facts


class BadExport(ValueError):
    """A file is no whole export; the message names it and says what to do."""


@final
@dataclass(frozen=True, slots=True)
class Export:
    """What an export says: of which competition, the blocks that count, and the names of bots by id."""

    competition: str
    blocks: tuple[Block, ...]
    facts: Facts
    names: Mapping[str, str]


def read_export(path: Path) -> Export:
    """Return what a file has. Raises BadExport and OSError."""
    try:
        with path.open(encoding="utf-8") as text:
            lines = [json.loads(line) for line in text]
        if not lines or lines[0]["type"] != "head" or lines[-1]["type"] != "end":
            raise BadExport(f"{path} is no whole export: make one with shoal ladder export --out")
        return _export(lines)
    except (UnicodeDecodeError, json.JSONDecodeError, KeyError, TypeError, IndexError) as error:
        raise BadExport(f"{path} is no export: make one with shoal ladder export --out") from error
    except BadBlock as error:
        raise BadExport(f"{path}: {error}: make another export, without --since") from error


def _export(lines: Iterable[Mapping[str, Any]]) -> Export:
    competition = ""
    results: defaultdict[str, list[Mapping[str, Any]]] = defaultdict(list)
    owners: dict[str, str] = {}
    names: dict[str, str] = {}
    for line in lines:
        match line["type"]:
            case "head":
                competition = line["competition"]
            case "result" if line["rated"] and line["counted"] and line["block"]:
                results[line["block"]].append(line)
            case "rating":
                names[line["bot_id"]] = line["bot_name"]
                if line["owner_id"]:
                    owners[line["bot_id"]] = line["owner_id"]
            case _:
                pass  # nothing that is played, or of a later version
    bots: dict[str, str] = {}
    matches = [(key, match) for key, block in results.items() for match in _matches(block, bots)]
    rulesets = {key: str(block[0]["ruleset"]) for key, block in results.items()}
    return Export(competition, gathered(matches), Facts(bots, owners, rulesets), names)


def _matches(block: list[Mapping[str, Any]], bots: dict[str, str]) -> Iterable[Match]:
    """Yield the matches of a block, bots by the releases with which they began it; note whose those are."""
    first = min(block, key=lambda line: line["match_id"])
    named = {
        bot: f"{bot}@{version}" if version else bot
        for bot, version in zip(first["bots"], first["bot_versions"], strict=False)
    }
    bots |= {name: bot for bot, name in named.items()}
    for line in block:
        yield Match(
            match_id=line["match_id"],
            bots=tuple(named.get(bot, bot) for bot in line["bots"]),
            placements=tuple(line["placements"]),
            ended_ms=line["ended_ms"],
        )
