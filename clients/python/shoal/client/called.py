"""What a bot is called in standings, with what has become of it: the only place for these words."""

from shoal.client import pb


def called_on_ladder(line: pb.Standing) -> str:
    """Return the name of a bot on a ladder, and whether it is excluded or has left."""
    if line.excluded:
        return _excluded(line.bot_name, line.excluded_why)
    return line.bot_name if line.joined else f"{line.bot_name} (left)"


def called_in_tournament(line: pb.TournamentStanding, *, why: bool = True) -> str:
    """Return the name of a bot in a tournament, and whether it is excluded or has withdrawn.

    Who is excluded had to withdraw, which the server says too: it is not said twice. Without `why`, where
    there is no room for it, the reason is left out.
    """
    if line.excluded:
        return _excluded(line.bot_name, line.excluded_why if why else "")
    return f"{line.bot_name} (withdrawn)" if line.withdrawn else line.bot_name


def _excluded(name: str, why: str) -> str:
    return f"{name} (excluded: {why})" if why else f"{name} (excluded)"
