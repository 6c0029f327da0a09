"""`shoal challenge`: casual matches with bots of others, and which of them your bot accepts."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Final, TypeAlias, TypeVar

import typer

from shoal.cli.names import Names, names_of
from shoal.cli.options import (
    SEE_BOTS,
    SERVER,
    TOKEN_FILE,
    AsJson,
    Server,
    Tls,
    TokenFile,
    one_of,
    read_token,
)
from shoal.cli.output import fail, note, say, say_json, say_table
from shoal.cli.remote import connect
from shoal.client import Client, pb

app = typer.Typer(
    no_args_is_help=True, help="Casual matches with bots of others; they are never rated."
)

T = TypeVar("T")

Id: TypeAlias = Annotated[str, typer.Argument(metavar="CHALLENGE", help="Its id.")]

Bot: TypeAlias = Annotated[
    str,
    typer.Option("--bot", metavar="ID", help="Which bot; without it, that of the token file."),
]

SEE: Final = "`shoal challenge list` shows the ids"
LOOK_EVERY: Final = 0.5
"""Seconds between two looks at a challenge that is waited for."""

_FROM: Final = {
    "anyone": pb.ACCEPT_FROM_ANYONE,
    "listed": pb.ACCEPT_FROM_LISTED,
    "nobody": pb.ACCEPT_FROM_NOBODY,
}

_LIMITS: Final = (
    *("least_move_ms", "most_move_ms", "most_bank_ms"),
    *("most_increment_ms", "most_match_ms"),
)


@app.command()
def create(  # noqa: PLR0913 - one for each flag
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT BOT...", help="Two to four ids, by seat; one is your bot's."),
    ],
    *,
    ruleset: Annotated[str, typer.Option(help="The ruleset to play.")] = "base",
    move_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="Milliseconds for a decision; 0: 10000.")
    ] = 0,
    bank_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="Milliseconds beyond that in a match.")
    ] = 0,
    increment_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="Milliseconds that each move adds to them.")
    ] = 0,
    expires: Annotated[
        int, typer.Option(min=0, metavar="SECONDS", help="How long it may wait; 0: 300.")
    ] = 0,
    wait: Annotated[
        bool, typer.Option("--wait", help="Wait until it has started, or will not.")
    ] = False,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Challenge bots to a casual match.

    It begins as soon as all are connected and have room, if their owners accept such challenges.

    Example: shoal challenge create MY_BOT_ID OTHER_BOT_ID --move-ms 1000 --wait
    """

    async def work(client: Client) -> pb.Challenge:
        control = pb.TimeControl(move_ms=move_ms, bank_ms=bank_ms, increment_ms=increment_ms)
        made = await client.challenges.create(
            bots, ruleset=ruleset, time_control=control, wait_s=expires
        )
        return await wait_for(client, made) if wait else made

    _show(_ask(server, tls, work, token_file, SEE_BOTS), json=json)


@app.command()
def show(challenge: Id, *, server: Server = SERVER, tls: Tls = False, json: AsJson = False) -> None:
    """Show where a challenge stands, and what it waits for.

    Example: shoal challenge show 0a0199f5c1a2b30123456789abcdef
    """
    _show(_ask(server, tls, lambda client: client.challenges.get(challenge)), json=json)


@app.command("list")
def list_challenges(
    *,
    bot: Bot = "",
    limit: Annotated[int, typer.Option(min=1, help="At most so many.")] = 20,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """List the challenges that a bot is in, the newest first.

    Example: shoal challenge list --token-file bot.token
    """

    async def work(client: Client) -> tuple[list[pb.Challenge], Names]:
        found = await client.challenges.list_of(bot, limit)
        return found, await names_of(client, (each.challenge_id for each in found))

    found, names = _ask(server, tls, work, None if bot else token_file, SEE_BOTS)
    if json:
        say_json(found)
        return
    rows = [
        [
            each.challenge_id,
            _state(each),
            each.ruleset,
            ", ".join(names.get(bot_id, bot_id) for bot_id in each.bot_ids),
        ]
        for each in found
    ]
    say_table(["challenge", "state", "ruleset", "bots"], rows, right=set())


@app.command()
def cancel(
    challenge: Id,
    *,
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
) -> None:
    """Take a challenge back that waits: your own, or one to your bot.

    Example: shoal challenge cancel 0a0199f5c1a2b30123456789abcdef --token-file bot.token
    """
    _ask(server, tls, lambda client: client.challenges.cancel(challenge), token_file)
    note(f"took back the challenge {challenge}")


@app.command()
def accept(  # noqa: PLR0913 - one for each flag
    who: Annotated[
        str,
        typer.Argument(
            metavar="WHO",
            help="anyone, listed (its own owner's, and those of --owner), or nobody.",
        ),
    ],
    *,
    owner: Annotated[
        list[str] | None,
        typer.Option("--owner", metavar="ID", help="An owner that `shoal bot list` shows."),
    ] = None,
    ruleset: Annotated[
        list[str] | None, typer.Option("--ruleset", metavar="NAME", help="Only these rulesets.")
    ] = None,
    seats: Annotated[
        list[int] | None,
        typer.Option("--seats", min=2, max=4, metavar="N", help="Only tables of these sizes."),
    ] = None,
    least_move_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="The shortest time for a decision; 0: any.")
    ] = 0,
    most_move_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="The longest time for a decision; 0: any.")
    ] = 0,
    most_bank_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="The largest bank; 0: any.")
    ] = 0,
    most_increment_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="The largest increment; 0: any.")
    ] = 0,
    most_match_ms: Annotated[
        int, typer.Option(min=0, metavar="MS", help="The longest match; 0: any.")
    ] = 0,
    at_once: Annotated[
        int, typer.Option(min=1, max=1000, metavar="N", help="How many at a time.")
    ] = 1,
    bot: Bot = "",
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Set which challenges your bot accepts.

    Without it a bot accepts those of its own owner, and the arena's own bots everybody's.

    Example: shoal challenge accept anyone --most-move-ms 5000 --at-once 2
    """
    if who not in _FROM:
        fail(f"{who!r} is none of {', '.join(_FROM)}")
    if 0 < most_move_ms < least_move_ms:
        fail(
            f"--most-move-ms {most_move_ms} is less than --least-move-ms {least_move_ms}: "
            "it would accept nothing"
        )
    wanted = pb.Acceptance(
        accept_from=_FROM[who],
        owner_ids=owner or (),
        rulesets=ruleset or (),
        table_sizes=seats or (),
        least_move_ms=least_move_ms,
        most_move_ms=most_move_ms,
        most_bank_ms=most_bank_ms,
        most_increment_ms=most_increment_ms,
        most_match_ms=most_match_ms,
        at_once=at_once,
    )

    async def work(client: Client) -> pb.Acceptance:
        if owner:
            known = {each.owner_id for each in await client.list_bots()}
            if unknown := [each for each in owner if each not in known]:
                fail(
                    f"--owner {unknown[0]}: no bot here is of that owner; `shoal bot list` shows the owners"
                )
        return await client.challenges.set_acceptance(wanted, bot)

    _policy(_ask(server, tls, work, token_file, SEE_BOTS), json=json)


@app.command()
def policy(
    bot: Annotated[
        str, typer.Argument(metavar="[BOT]", help="Its id; without it, the bot of --token-file.")
    ] = "",
    *,
    option: Annotated[
        str, typer.Option("--bot", metavar="ID", help="The same, as other commands take it.")
    ] = "",
    server: Server = SERVER,
    token_file: TokenFile = TOKEN_FILE,
    tls: Tls = False,
    json: AsJson = False,
) -> None:
    """Say which challenges a bot accepts.

    Example: shoal challenge policy 0a0199f5c1a2b30123456789abcdef
    """
    bot = one_of(bot, option)
    file = None if bot else token_file
    found = _ask(server, tls, lambda client: client.challenges.acceptance(bot), file, SEE_BOTS)
    _policy(found, json=json)


async def wait_for(client: Client, made: pb.Challenge) -> pb.Challenge:
    """Return a challenge when it waits no more; say meanwhile what it waits for, whenever that changes.

    It does not go with the command, so at Ctrl-C it is said how it is taken back.
    """
    number, said = made.challenge_id, ""
    try:
        while made.state == pb.CHALLENGE_STATE_PENDING:
            waits = "; ".join((_state(made), *(each.text for each in made.objections)))
            if waits != said:
                note(f"challenge {number}: {waits}")
                said = waits
            await asyncio.sleep(LOOK_EVERY)
            made = await client.challenges.get(number)
    except asyncio.CancelledError:
        note(f"challenge {number} still waits: `shoal challenge cancel {number}` takes it back")
        raise
    return made


def _show(challenge: pb.Challenge, *, json: bool) -> None:
    if json:
        say_json(challenge)
        return
    say(f"challenge {challenge.challenge_id}: {_state(challenge)}")
    if challenge.match_id:
        say(f"its match is {challenge.match_id}")
    for each in challenge.objections:
        say(f"{each.text} ({pb.DeclineReason.Name(each.reason).removeprefix('DECLINE_REASON_')})")


def _state(challenge: pb.Challenge) -> str:
    return pb.ChallengeState.Name(challenge.state).removeprefix("CHALLENGE_STATE_").lower()


def _policy(acceptance: pb.Acceptance, *, json: bool) -> None:
    if json:
        say_json(acceptance)
        return
    who = pb.AcceptFrom.Name(acceptance.accept_from).removeprefix("ACCEPT_FROM_").lower()
    owners = f": its own owner, {', '.join(acceptance.owner_ids)}" if acceptance.owner_ids else ""
    say(f"from {who}{owners}, {acceptance.at_once} at a time")
    if acceptance.rulesets:
        say(f"rulesets: {', '.join(acceptance.rulesets)}")
    if acceptance.table_sizes:
        say(f"seats: {', '.join(map(str, acceptance.table_sizes))}")
    for name in _LIMITS:
        if value := getattr(acceptance, name):
            say(f"{name}: {value}")


def _ask(
    server: str,
    tls: bool,
    work: Callable[[Client], Awaitable[T]],
    token_file: Path | None = None,
    missing: str = SEE,
) -> T:
    """Return what a call to the server returns."""
    token = None if token_file is None else read_token(token_file)

    async def ask() -> T:
        async with connect(server, token, tls=tls, missing=missing) as client:
            return await work(client)

    return asyncio.run(ask())
