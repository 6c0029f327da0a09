"""One match from the deal to the standings: seats the players, and ends however the person leaves."""

import contextlib
import io
import sys
from collections import Counter
from collections.abc import Sequence

from shoal.cli.game.arena import Player, play
from shoal.cli.game.ending import show_result
from shoal.cli.game.human import Human, Left
from shoal.cli.game.opponent import Loop, Opponent
from shoal.cli.game.screen import INDENT, Screen
from shoal.cli.game.telling import Names
from shoal.client import Bot, pb
from shoal.engine import Ruleset

with contextlib.suppress(ImportError):
    import readline  # noqa: F401  # so that input() lets the keys of a terminal edit a line

_PROMPT = f"{' ' * INDENT}> "


def play_match(bots: Sequence[Bot], rules: Ruleset, seed: int, seat: int, again: str) -> None:
    """Play one match against bots; `again` is the command that deals it again."""
    called = _called(bots)
    called.insert(seat, "you")
    for stream in (sys.stdin, sys.stdout):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that nobody knows is no reason to end
    names, screen = Names(called, seat), Screen()
    human = Human(names, screen, _typed)
    screen.line(f"You sit at seat {seat}: {', '.join(called)}. ? explains the game, q leaves.")
    try:
        with Loop() as loop:
            opponents = _seat(bots, rules, human, names, loop)
            players: list[Player] = [*opponents]
            players.insert(seat, human)
            result = play(rules, seed, players)
            for opponent in opponents:
                opponent.end(result)
    except (Left, KeyboardInterrupt):
        screen.blank()
        screen.line("You have left the table.")
        _show_totals(screen, human, names)
    else:
        human.flush()
        show_result(screen, result, names)
    screen.blank()
    screen.line("The same deal again:")
    screen.whole(again)


def _seat(
    bots: Sequence[Bot], rules: Ruleset, human: Human, names: Names, loop: Loop
) -> list[Opponent]:
    """Seat the bots around the person."""
    seats = [seat for seat in range(len(names)) if seat != names.me]
    sitting = [
        pb.Seat(seat=seat, bot_id=f"local-{seat}", bot_name=names[seat])
        for seat in range(len(names))
    ]
    opponents = []
    for seat, bot in zip(seats, bots, strict=True):
        match = pb.Match(
            match_id="local",
            status=pb.MATCH_STATUS_LIVE,
            ruleset=rules.name,
            ruleset_version=rules.version,
            seats=sitting,
        )

        def say(text: str, name: str = names[seat]) -> None:
            human.note(f"{name}: {text}")

        opponents.append(Opponent(bot, match, seat, loop, say))
    return opponents


def _called(bots: Sequence[Bot]) -> list[str]:
    """Return what the bots are called; those that share a name are numbered."""
    names = [bot.name or type(bot).__name__ for bot in bots]
    often, seen = Counter(names), Counter[str]()
    called = []
    for name in names:
        seen[name] += 1
        called.append(f"{name} {seen[name]}" if often[name] > 1 else name)
    return called


def _show_totals(screen: Screen, human: Human, names: Names) -> None:
    """Write where the match stood when it was left."""
    if human.view is not None:
        totals = ", ".join(f"{names[each.seat]} {each.total}" for each in human.view.players)
        screen.line(f"Round {human.view.round}; points so far: {totals}.")


def _typed() -> str:
    """Return the next line from the person; raise EOFError at the end of input.

    Where input is no terminal, what was read is written, so that the output reads like a game.
    """
    if sys.stdin is None:
        raise EOFError
    text = input(_PROMPT)
    if not sys.stdin.isatty():
        sys.stdout.write(f"{text}\n")
    return text
