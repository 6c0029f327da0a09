"""Ladders as text."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from shoal.cli.bot_view import ADJUSTED, adjusted_of, interval_of, points_of
from shoal.cli.names import Names, called
from shoal.cli.output import WIDEST, say, say_table
from shoal.cli.view import clock_text
from shoal.client import pb
from shoal.client.called import called_on_ladder

_STATE = len("LADDER_STATE_")

_RELEASES: Final = {
    True: "a bot with another version is rated anew",
    False: "all versions of a bot have one rating",
}


def state_of(ladder: pb.Ladder) -> str:
    """Return the state of a ladder as a word."""
    return pb.LadderState.Name(ladder.state)[_STATE:].lower()


def show_list(ladders: Sequence[pb.Ladder]) -> None:
    """Print a line for each."""
    rows = [
        [
            each.ladder_id,
            ", ".join(each.rulesets),
            ", ".join(map(str, each.table_sizes)),
            state_of(each),
            str(each.bot_count),
            str(each.match_count),
        ]
        for each in ladders
    ]
    say_table(["ladder", "rulesets", "seats", "state", "bots", "matches"], rows, right={4, 5})


def show_ladder(found: pb.Ladder, names: Names) -> None:
    """Print what it plays, by which rules, how far it is, and when it ends."""
    specification = found.specification
    ended = f": {found.ended}" if found.ended else ""
    say(found.ladder_id)
    say(f"state     {state_of(found)}{ended}")
    say(f"plays     {', '.join(found.rulesets)} at tables of {_listed(found.table_sizes)}")
    say(
        f"matches   {'rated' if specification.rated else 'casual'}, {found.match_count} rated so far"
    )
    say(f"clock     {clock_text(specification.time_control)}")
    say(f"bots      {found.bot_count}{limits(specification.entry)}")
    for line in _rules(specification):
        say(line)
    say(f"blocks    {found.finished_blocks} over, {found.open_blocks} in play")
    say(f"begins    {moment(specification.starts_ms) if specification.starts_ms else 'at once'}")
    say(f"ends      {_end(specification)}")
    for anchor in specification.anchors:
        say(
            f"anchor    {called(anchor.bot_id, names)} is rated {anchor.rating:g}, whatever it plays"
        )


def show_standings(lines: Sequence[pb.Standing]) -> None:
    """Print a line for each, best first; who has no published rating has no rank, and is last."""
    header = ["rank", "bot", "rating", "interval", *ADJUSTED, "blocks", "matches", "wins"]
    header += ["average placement", "pairing", "id"]
    say_table(header, [_row(line) for line in lines], right={0, *range(2, 12)}, widest=WIDEST)


def _row(line: pb.Standing) -> list[str]:
    rated = line.published if line.HasField("published") else None
    return [
        str(line.rank) if rated else "-",
        called_on_ladder(line) + _apart(rated),
        points_of(rated) if rated else "-",
        interval_of(rated) if rated else "-",
        *adjusted_of(rated),
        str(rated.block_count) if rated else "0",
        str(line.match_count),
        str(line.wins),
        f"{line.average_placement:.2f}" if line.match_count else "-",
        f"{line.rating:.0f}",
        line.bot_id,
    ]


def _apart(rated: pb.PublishedRating | None) -> str:
    """Return what is said of a bot that cannot be compared with those of the ladder."""
    return f" (group {rated.group})" if rated and rated.group > 1 else ""


def _rules(specification: pb.LadderSpecification) -> Iterator[str]:
    """Yield what happens to a bot that joins, and what it is told."""
    if specification.trial:
        yield "trial     a bot finishes one casual match before it is paired"
    else:
        yield "trial     none: who joins is paired at once"
    match specification.faults:
        case 0:
            yield "pause     never, whatever goes wrong by a bot"
        case 1:
            yield "pause     after a match that went wrong by the bot"
        case count:
            yield f"pause     when {count} of a bot's latest matches went wrong by it"
    yield f"releases  {_RELEASES[specification.releases]}"
    if specification.official == pb.OFFICIAL_RATING_ADJUSTED:
        yield "official  the rating without luck: standings go by it"
    if specification.names_hidden:
        yield "names     hidden: who sits at a match is told when it is over"


def _end(specification: pb.LadderSpecification) -> str:
    stop = specification.stopping
    parts = []
    if stop.HasField("blocks_per_bot"):
        parts.append(f"when every bot has played {stop.blocks_per_bot} blocks")
    if stop.HasField("interval"):
        parts.append(f"when every rating is certain to ±{stop.interval:g}")
    if stop.HasField("minutes"):
        parts.append(f"after {stop.minutes} minutes")
    if specification.HasField("ends_ms"):
        parts.append(f"at {moment(specification.ends_ms)}")
    return ", or ".join(parts) or "when an organizer ends it"


def limits(entry: pb.TournamentEntry) -> str:
    """Return who may enter, in brackets; "" if everybody may."""
    parts = []
    if entry.invited:
        parts.append(f"{len(entry.invited)} invited")
    if entry.entrants:
        parts.append(f"{entry.entrants} at most")
    if entry.bots_per_owner:
        parts.append(f"{entry.bots_per_owner} of each owner at most")
    return f" ({', '.join(parts)})" if parts else ""


def moment(ms: int) -> str:
    """Return a moment, given in ms since 1970, to the minute."""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M} UTC"


def _listed(sizes: Sequence[int]) -> str:
    return " and ".join(str(size) for size in sizes)
