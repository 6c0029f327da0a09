"""What an organizer can do about a finding: the commands, ready to be run after a look at the matches (T62).

They mark, and delete nothing: `shoal competition readmit --restore` takes them back.
"""

import shlex
from collections.abc import Iterator
from datetime import UTC, datetime

from shoal.rating import Export
from shoal.rating.suspicion import Finding, Kind

_TOKEN = "--token-file admin.token"  # noqa: S105 - the name of a file, as in all examples


def commands(export: Export, finding: Finding) -> list[str]:
    """Return the commands; none where it cannot be told whose results should not count."""
    begin, until = moment(finding.from_ms), moment(finding.until_ms)
    which = shlex.quote(export.competition)
    match finding.kind:
        case Kind.TRANSFER:
            return [_exclude(which, finding.other, f"{begin}/{until}", "points go to another bot")]
        case Kind.OWNERS:
            bots = _bots_of(export, finding.other)
            return [_exclude(which, bot, f"{begin}/{until}", "points go to others") for bot in bots]
        case Kind.BOT_PERIOD:
            return [
                _exclude(which, finding.subject, f"{begin}/{until}", "not itself in this time"),
                f"shoal competition readmit {which} {finding.subject} {_TOKEN}",
            ]
        case Kind.PERIOD:
            why = shlex.quote("results of this time do not fit")
            time = f"--from {begin} --until {until}"
            return [f"shoal competition exclude-period {which} {time} --why {why} {_TOKEN}"]
        case Kind.OPPONENT | Kind.RULESET | Kind.SEATS:
            return []


def moment(ms: int) -> str:
    """Write a moment, in UTC: the beginning of its second, or, with a rest, to the millisecond."""
    exact = "milliseconds" if ms % 1000 else "seconds"
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec=exact)


def _exclude(competition: str, bot: str, time: str, why: str) -> str:
    return (
        f"shoal competition exclude {competition} {bot} --uncounted {time} "
        f"--why {shlex.quote(why)} {_TOKEN}"
    )


def _bots_of(export: Export, owner: str) -> Iterator[str]:
    """Yield the bots of an owner; who has none is its own."""
    own = sorted(bot for bot, each in export.owners.items() if each == owner)
    yield from own or [owner]
