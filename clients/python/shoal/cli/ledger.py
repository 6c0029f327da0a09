"""`ledger` of ladders and tournaments: what each match of a bot did to its rating, or why nothing (T58)."""

import asyncio
from typing import Annotated, TypeAlias

import typer

from shoal.cli.options import SEE_BOTS, SEE_LADDERS, SERVER, AsJson, Ladder, Server, Tls
from shoal.cli.output import say_json, say_table
from shoal.cli.remote import connect
from shoal.cli.view import placements, rated_text
from shoal.client import pb

Bot: TypeAlias = Annotated[str, typer.Argument(metavar="BOT", help="Whose matches: its id.")]
Limit: TypeAlias = Annotated[int, typer.Option(min=1, help="At most so many.")]


def ledger_ladder(
    bot: Bot,
    *,
    ladder: Ladder = "main",
    limit: Limit = 20,
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show what each match of a bot did to its rating.

    Its matches on a ladder, the newest first: what of the win is left to it without luck, whether they
    count for ratings, if not why, and the rating that tables are made with before and after. The
    published rating is worked out of all that count, at once: no single match can be said to have moved
    it. docs/ratings.md says more.

    Example: shoal ladder ledger 0a0199f5c1a2b30123456789abcdef --ladder main
    """
    _ledger(bot, ladder, limit, f"{SEE_LADDERS}, {SEE_BOTS}", server, tls=tls, json=json)


def ledger_tournament(
    tournament: Annotated[str, typer.Argument(metavar="ID", help="Which tournament.")],
    bot: Bot,
    *,
    limit: Limit = 20,
    server: Server = SERVER,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Show what each match of a bot did to its rating.

    Its matches in a tournament, the newest first: what of the win is left to it without luck, whether they
    count for ratings, if not why, and the rating before and after. The published rating is worked out of
    all that count, at once: no single match can be said to have moved it. docs/ratings.md says more.

    Example: shoal tournament ledger 0a0199f5c1a2b30123456789abcdef 0a0199f5c1a2b30123456789abcd01
    """
    missing = f"`shoal tournament list` shows the tournaments, {SEE_BOTS}"
    _ledger(bot, tournament, limit, missing, server, tls=tls, json=json)


def _ledger(
    bot: str, competition: str, limit: int, missing: str, server: str, *, tls: bool, json: bool
) -> None:
    async def work() -> list[pb.Match]:
        async with connect(server, tls=tls, missing=missing) as client:
            return await client.list_matches(bot, limit, competition)

    matches = asyncio.run(work())
    if json:
        say_json(matches)
        return
    header = [
        "match",
        "made",
        "ruleset",
        "bots",
        "without luck",
        "before",
        "after",
        "moved",
        "counts",
    ]
    say_table(header, [_row(match, bot) for match in matches], right={4, 5, 6, 7})


def _row(match: pb.Match, bot: str) -> list[str]:
    return [
        match.match_id,
        f"{match.create_time.ToDatetime():%Y-%m-%d %H:%M}",
        match.ruleset,
        ", ".join(placements(match)),
        _without_luck(match, bot),
        *_moved(match, bot),
        _counts(match),
    ]


def _without_luck(match: pb.Match, bot: str) -> str:
    """Return what is left of the win to the bot without luck."""
    seats = [seat.seat for seat in match.seats if seat.bot_id == bot]
    if not seats or not match.HasField("adjusted"):
        return "-"
    return f"{match.adjusted.shares[seats[0]]:+.3f}"


def _moved(match: pb.Match, bot: str) -> list[str]:
    """Return the rating of the bot before and after, and by how much it moved."""
    seats = [seat.seat for seat in match.seats if seat.bot_id == bot]
    if not seats or not match.rating_changes:
        return ["-", "-", "-"]
    change = match.rating_changes[seats[0]]
    return [f"{change.before:.0f}", f"{change.after:.0f}", f"{change.after - change.before:+.1f}"]


def _counts(match: pb.Match) -> str:
    if match.status != pb.MATCH_STATUS_FINISHED:
        return "not over"
    return rated_text(match)
