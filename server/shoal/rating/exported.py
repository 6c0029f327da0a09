"""What an export says, of its lines: the results that count, and the table that was published (T63).

docs/export.md says what lines there are. Whoever asks an export anything reads it by this.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, final

from shoal.rating.counting import gathered
from shoal.rating.model import WIN, Block, Match

Line: TypeAlias = Mapping[str, Any]
"""A line of an export."""

VERSION: Final = 1
"""The version of the lines that are known here."""


class BadExport(ValueError):
    """These lines are no whole export, or of a version that is not known here; the message says why."""


@final
@dataclass(frozen=True, slots=True)
class Counted:
    """A rated match that counts, the key of its block, and its place in the order, 0 where it has none.

    A match whose block is not known is one for itself, with its own id as the key. `noted` is the place at
    which its result without luck came to be known, 0 where it is not.
    """

    block_key: str
    match: Match
    order: int
    noted: int = 0


@final
@dataclass(frozen=True, slots=True)
class Shown:
    """What a published table shows of a bot: as in `Row`, as far as lines have it."""

    rank: int
    rating: int
    interval: int
    provisional: bool
    group: int
    blocks: int
    anchored: bool
    adjusted_rating: int | None = None
    adjusted_interval: int | None = None
    adjusted_matches: int = 0


@final
@dataclass(frozen=True, slots=True)
class PublishedTable:
    """The table that was published when an export was read, and since when, in ms of wall time.

    It is of the results up to a place in the `order`, by what else it followed from then: that is `current`
    if it still was so. It is `outlived` if a match that was in it is void after all.
    """

    at_ms: int
    order: int
    current: bool
    outlived: bool
    rows: Mapping[str, Shown]


@final
@dataclass(frozen=True, slots=True)
class Export:
    """What an export says.

    Bots are called as in the published table: the release that plays by its bot's id, an earlier one
    `<id>@<version>`; `bots` has the ids by these names. `names` and `owners` are by id, and a baseline has
    no owner. `anchors` are the ratings that are given, in displayed points. `rulesets` are by block.
    `by_adjusted` tells that standings go by ratings without luck.
    """

    competition: str
    results: tuple[Counted, ...]
    anchors: Mapping[str, float]
    bots: Mapping[str, str]
    names: Mapping[str, str]
    owners: Mapping[str, str]
    rulesets: Mapping[str, str]
    published: PublishedTable | None
    by_adjusted: bool = False

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What counts of its blocks. Raises BadBlock if a match is there twice."""
        return gathered((each.block_key, each.match) for each in self.results)


def read(lines: Iterable[Line]) -> Export:
    """Return what the lines of an export say, in whatever order they come. Raises BadExport."""
    try:
        return _read(lines)
    except (KeyError, TypeError, AttributeError) as error:
        raise BadExport(f"its lines are not those of an export: {error!r}") from error


def until(export: Export, order: int) -> Export:
    """Return an export as it was at a place in the order: without what was counted or noted later."""
    kept = (each for each in export.results if each.order <= order)
    known = (
        each
        if each.noted <= order
        else replace(each, match=replace(each.match, adjusted=()), noted=0)
        for each in kept
    )
    return replace(export, results=tuple(known))


def without(export: Export, excluded: Collection[str]) -> Export:
    """Return an export as if some matches had not been, by their ids, and those in which some bots sat."""
    out = set(excluded)
    kept = tuple(
        each
        for each in export.results
        if out.isdisjoint((each.match.match_id, *map(export.bots.__getitem__, each.match.bots)))
    )
    return replace(export, results=kept)


def _read(lines: Iterable[Line]) -> Export:
    by_type = defaultdict[str, list[Line]](list)
    for line in lines:
        by_type[line["type"]].append(line)
    results, ratings = by_type["result"], by_type["rating"]
    head = _head(by_type)
    playing = _playing(ratings, results)
    counted = [each for each in results if each["unrated"] is None]
    matches = {each["match_id"]: _match(each, playing) for each in counted}
    return Export(
        competition=head["competition"],
        results=tuple(
            Counted(
                _block_key(each),
                matches[each["match_id"]],
                each["order"] or 0,
                (each.get("adjusted") or {}).get("order", 0),
            )
            for each in counted
        ),
        anchors={
            anchor["bot_id"]: anchor["rating"]
            for anchor in head["specification"].get("anchors", ())
        },
        bots={
            name: bot
            for each in counted
            for name, bot in zip(matches[each["match_id"]].bots, each["bots"], strict=True)
        },
        names={each["bot_id"]: each["bot_name"] for each in ratings},
        owners={each["bot_id"]: each["owner_id"] for each in ratings if each["owner_id"]},
        rulesets={_block_key(each): each["ruleset"] for each in counted},
        published=_published(head["table"], ratings, results, playing),
        by_adjusted=head["specification"].get("official") == "OFFICIAL_RATING_ADJUSTED",
    )


def _head(by_type: Mapping[str, list[Line]]) -> Line:
    """Return the head of a whole export. Raises BadExport."""
    if len(by_type["head"]) != 1 or len(by_type["end"]) != 1:
        raise BadExport("not one whole export: it has one head and one end")
    (head,), (end,) = by_type["head"], by_type["end"]
    if head["version"] != VERSION:
        raise BadExport(f"lines of version {head['version']}, and only {VERSION} is known here")
    if head["since"]:
        raise BadExport("not one whole export: it has only what came since an earlier one")
    if len(by_type["result"]) != end["results"]:
        raise BadExport("not one whole export: results are missing, or there too often")
    return head


def _block_key(result: Line) -> str:
    return str(result["block"] or result["match_id"])


def _match(result: Line, playing: Mapping[str, str | None]) -> Match:
    names = (
        _name(bot, version, playing)
        for bot, version in zip(result["bots"], result["bot_versions"], strict=True)
    )
    placements = tuple(result["placements"])
    # Servers before this had none, and so had their tables.
    adjusted = result.get("adjusted")
    parts = () if adjusted is None else tuple(round(WIN * each) for each in adjusted["shares"])
    return Match(result["match_id"], tuple(names), placements, result["ended_ms"], parts)


def _name(bot: str, version: str | None, playing: Mapping[str, str | None]) -> str:
    return bot if version in {None, playing.get(bot)} else f"{bot}@{version}"


def _playing(ratings: Iterable[Line], results: Iterable[Line]) -> dict[str, str | None]:
    """Return by bot the version that plays: that which takes part, or took part last where none does."""
    playing: dict[str, str | None] = {}
    for result in sorted(results, key=lambda each: str(each["match_id"])):
        playing.update(zip(result["bots"], result["bot_versions"], strict=True))
    playing.update((each["bot_id"], each["bot_version"]) for each in ratings if each["entered"])
    return playing


def _published(
    table: Line | None,
    ratings: Iterable[Line],
    results: Iterable[Line],
    playing: Mapping[str, str | None],
) -> PublishedTable | None:
    if table is None:
        return None
    return PublishedTable(
        at_ms=table["published_ms"],
        order=table["order"],
        current=table["current"],
        outlived=any(
            each["void"] == "lost_moves" and (each["order"] or 0) > table["order"]
            for each in results
        ),
        rows={
            _name(each["bot_id"], each["bot_version"], playing): Shown(**each["published"])
            for each in ratings
            if each["published"] is not None
        },
    )
