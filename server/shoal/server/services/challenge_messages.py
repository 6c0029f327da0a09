"""Challenges and acceptances to messages and back; from them, or the refusal that names the field."""

from dataclasses import asdict
from typing import Final

from shoal.engine import RULESETS
from shoal.server.errors import LONGEST_ECHO, Reason, Refusal, malformed
from shoal.server.services.requests import MAX_MATCHES, TABLE_SIZES
from shoal.server.store.challenges import Acceptance, AcceptFrom, Challenge, Objection
from shoal.v1 import challenge_service_pb2 as pb
from shoal.v1 import match_pb2
from shoal.wire.matches import timestamp

DEFAULT_WAIT: Final = 300
MAX_WAIT: Final = 86_400
MAX_OWNERS: Final = 100
MAX_OWNER: Final = 64

_MS: Final = (
    *("least_move_ms", "most_move_ms", "most_bank_ms"),
    *("most_increment_ms", "most_match_ms"),
)


def wait_of(wait_s: int) -> int:
    """Return for how many seconds a challenge waits."""
    if not 0 <= wait_s <= MAX_WAIT:
        raise malformed("wait_s", f"1 to {MAX_WAIT}, not {wait_s}")
    return wait_s or DEFAULT_WAIT


def acceptance_of(message: pb.Acceptance) -> Acceptance:
    """Return what a bot is to accept."""
    if len(message.owner_ids) > MAX_OWNERS or any(
        not 0 < len(each) <= MAX_OWNER for each in message.owner_ids
    ):
        raise malformed("acceptance.owner_ids", f"at most {MAX_OWNERS} ids of owners")
    unknown = set(message.rulesets) - set(RULESETS)
    if unknown:
        raise Refusal(
            Reason.UNKNOWN_RULESET,
            f"no ruleset is called {min(unknown)[:LONGEST_ECHO]!r}",
            field="acceptance.rulesets",
            known=",".join(RULESETS),
        )
    if not set(message.table_sizes) <= set(TABLE_SIZES):
        raise malformed("acceptance.table_sizes", "table sizes are 2, 3 and 4")
    for name in _MS:
        if getattr(message, name) < 0:
            raise malformed(f"acceptance.{name}", "not negative")
    if 0 < message.most_move_ms < message.least_move_ms:
        raise malformed(
            "acceptance.most_move_ms",
            f"{message.most_move_ms} is less than least_move_ms, {message.least_move_ms}: "
            "nothing would be accepted",
        )
    if not 0 <= message.at_once <= MAX_MATCHES:
        raise malformed("acceptance.at_once", f"1 to {MAX_MATCHES}, not {message.at_once}")
    return Acceptance(
        accept_from=_accept_from(message.accept_from),
        owners=tuple(dict.fromkeys(message.owner_ids)),
        rulesets=tuple(sorted(set(message.rulesets))),
        seats=tuple(sorted(set(message.table_sizes))),
        at_once=message.at_once or 1,
        **{name: getattr(message, name) for name in _MS},
    )


def acceptance_message(acceptance: Acceptance) -> pb.Acceptance:
    """Return the message of what a bot accepts."""
    return pb.Acceptance(
        accept_from=pb.AcceptFrom.Value(f"ACCEPT_FROM_{acceptance.accept_from.name}"),
        owner_ids=acceptance.owners,
        rulesets=acceptance.rulesets,
        table_sizes=acceptance.seats,
        at_once=acceptance.at_once,
        **{name: getattr(acceptance, name) for name in _MS},
    )


def challenge_message(challenge: Challenge) -> pb.Challenge:
    """Return the message of a challenge; the id of its match once there is one."""
    has_started = challenge.state.name == "STARTED"
    return pb.Challenge(
        challenge_id=challenge.challenge_id,
        bot_ids=challenge.bots,
        ruleset=challenge.ruleset,
        time_control=match_pb2.TimeControl(**asdict(challenge.time_control)),
        owner_id=challenge.owner,
        state=pb.ChallengeState.Value(f"CHALLENGE_STATE_{challenge.state.name}"),
        objections=map(_objection, challenge.objections),
        match_id=challenge.match_id if has_started else "",
        create_time=timestamp(challenge.created_ms),
        expire_time=timestamp(challenge.expires_ms),
    )


def _objection(objection: Objection) -> pb.Objection:
    return pb.Objection(
        bot_id=objection.bot_id,
        reason=pb.DeclineReason.Value(f"DECLINE_REASON_{objection.decline.name}"),
        text=objection.text,
    )


def _accept_from(number: "pb.AcceptFrom.ValueType") -> AcceptFrom:
    if number == pb.ACCEPT_FROM_UNSPECIFIED:
        return AcceptFrom.LISTED
    try:
        return AcceptFrom[pb.AcceptFrom.Name(number).removeprefix("ACCEPT_FROM_")]
    except ValueError:
        raise malformed("acceptance.accept_from", f"no such value: {number}") from None
