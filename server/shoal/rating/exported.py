"""The table of an export: whoever has the lines of a competition can work its ratings out (T63)."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any, TypeAlias

from shoal.rating.counting import gathered
from shoal.rating.model import Match, Table
from shoal.rating.table import rate

Line: TypeAlias = Mapping[str, Any]
"""A line of an export, as docs/export.md has it."""


class BadExport(ValueError):
    """These lines are no whole export, or of a version that is not known here; the message says why."""


def table_of(lines: Iterable[Line], excluded: Collection[str] = ()) -> Table:
    """Return the table of all that counts in an export, as its server publishes it.

    Bots are called as there: the release that plays by its bot's id, an earlier one `<id>@<version>`.
    Matches in which one of the `excluded` bots sat are left out, and so are `excluded` matches, both by id.
    Raises BadExport, and BadBlock if a match is there twice.
    """
    by_type = defaultdict[str, list[Line]](list)
    for line in lines:
        by_type[line.get("type", "")].append(line)
    if len(by_type["head"]) != 1 or len(by_type["end"]) != 1:
        raise BadExport("not one whole export: it has one head and one end")
    if len(by_type["result"]) != by_type["end"][0]["results"]:
        raise BadExport("not one whole export: results are missing, or there too often")
    out = set(excluded)
    results = [each for each in by_type["result"] if out.isdisjoint(_ids(each))]
    playing = _playing(by_type["rating"], by_type["result"])
    anchors = by_type["head"][0]["specification"].get("anchors", ())
    return rate(
        gathered(
            (each["block"], _match(each, playing))
            for each in results
            if each["unrated"] is None and each["block"] is not None
        ),
        {anchor["bot_id"]: anchor["rating"] for anchor in anchors},
    )


def _ids(result: Line) -> list[str]:
    return [result["match_id"], *result["bots"]]


def _match(result: Line, playing: Mapping[str, str | None]) -> Match:
    names = (
        bot if version in {None, playing.get(bot)} else f"{bot}@{version}"
        for bot, version in zip(result["bots"], result["bot_versions"], strict=True)
    )
    placements = tuple(result["placements"])
    return Match(result["match_id"], tuple(names), placements, result["ended_ms"])


def _playing(ratings: Iterable[Line], results: Iterable[Line]) -> dict[str, str | None]:
    """Return by bot the version that plays: that which takes part, or took part last where none does."""
    playing: dict[str, str | None] = {}
    for result in sorted(results, key=lambda each: str(each["match_id"])):
        playing.update(zip(result["bots"], result["bot_versions"], strict=True))
    playing.update((each["bot_id"], each["bot_version"]) for each in ratings if each["entered"])
    return playing
