"""Specifications of ladders: messages, and what they mean."""

from typing import Final

from shoal.competition.specification import (
    ADJUSTED,
    PLAIN,
    Anchor,
    Ladder,
    Specification,
    Stopping,
)
from shoal.v1 import ladder_service_pb2 as pb
from shoal.v1 import rating_pb2
from shoal.wire.terms import (
    entry_message,
    entry_of,
    time_control_message,
    time_control_of,
)

_OFFICIAL: Final = {
    PLAIN: rating_pb2.OFFICIAL_RATING_PLAIN,
    ADJUSTED: rating_pb2.OFFICIAL_RATING_ADJUSTED,
}


def ladder_specification_of(message: pb.LadderSpecification) -> Specification:
    """Return the specification that a message asks for."""
    return Specification(
        name=message.name,
        format=_format_of(message),
        rulesets=tuple(message.rulesets) or ("base",),
        seats=tuple(message.seats) or (2,),
        time_control=time_control_of(message.time_control),
        entry=entry_of(message.entry),
        starts_ms=message.starts_ms if message.HasField("starts_ms") else None,
        ends_ms=message.ends_ms if message.HasField("ends_ms") else None,
        rated=message.rated if message.HasField("rated") else True,
        names_hidden=message.names_hidden,
    )


def _format_of(message: pb.LadderSpecification) -> Ladder:
    stopping, default = message.stopping, Ladder()
    return Ladder(
        Stopping(
            blocks_per_bot=stopping.blocks_per_bot if stopping.HasField("blocks_per_bot") else None,
            interval=stopping.interval if stopping.HasField("interval") else None,
            minutes=stopping.minutes if stopping.HasField("minutes") else None,
        ),
        trial=message.trial if message.HasField("trial") else default.trial,
        faults=message.faults if message.HasField("faults") else default.faults,
        releases=message.releases if message.HasField("releases") else default.releases,
        anchors=tuple(
            Anchor(each.bot_id, each.rating if each.HasField("rating") else Anchor().rating)
            for each in message.anchors
        ),
        official=_official_of(message.official) or default.official,
    )


def _official_of(value: rating_pb2.OfficialRating.ValueType) -> str:
    """Return the name of an official rating, "" if it is left out, its number if it is unknown here."""
    if value not in rating_pb2.OfficialRating.values():
        return str(value)
    name = rating_pb2.OfficialRating.Name(value).removeprefix("OFFICIAL_RATING_").lower()
    return "" if name == "unspecified" else name


def ladder_specification_message(specification: Specification) -> pb.LadderSpecification:
    """Return the message of a specification, with what was left out filled in."""
    form = specification.format
    if not isinstance(form, Ladder):
        raise TypeError("a tournament is no ladder")
    return pb.LadderSpecification(
        name=specification.name,
        rulesets=specification.rulesets,
        seats=specification.seats,
        time_control=time_control_message(specification.time_control),
        entry=entry_message(specification.entry),
        starts_ms=specification.starts_ms,
        ends_ms=specification.ends_ms,
        rated=specification.rated,
        names_hidden=specification.names_hidden,
        stopping=pb.LadderStopping(
            blocks_per_bot=form.stopping.blocks_per_bot,
            interval=form.stopping.interval,
            minutes=form.stopping.minutes,
        ),
        trial=form.trial,
        faults=form.faults,
        releases=form.releases,
        anchors=[
            pb.LadderAnchor(bot_id=anchor.bot_id, rating=anchor.rating) for anchor in form.anchors
        ],
        official=_OFFICIAL[form.official],
    )
