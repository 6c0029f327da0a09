"""Specifications of tournaments: messages, and what they mean."""

from collections.abc import Mapping
from dataclasses import replace

from shoal.competition.specification import (
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Specification,
    Swiss,
)
from shoal.v1 import tournament_pb2 as pb
from shoal.wire.terms import (
    entry_message,
    entry_of,
    time_control_message,
    time_control_of,
)


class NoFormat(Exception):
    """A specification does not say who meets whom."""


def specification_of(message: pb.TournamentSpecification) -> Specification:
    """Return the specification that a message asks for; raise NoFormat if it names none."""
    return Specification(
        name=message.name,
        format=_format_of(message.format),
        rulesets=tuple(message.rulesets) or ("base",),
        seats=tuple(message.seats) or (2,),
        time_control=time_control_of(message.time_control),
        entry=entry_of(message.entry),
        starts_ms=message.starts_ms if message.HasField("starts_ms") else None,
        ends_ms=message.ends_ms if message.HasField("ends_ms") else None,
        rated=message.rated if message.HasField("rated") else True,
        names_hidden=message.names_hidden,
    )


def _format_of(message: pb.TournamentFormat) -> Format:
    match message.WhichOneof("kind"):
        case "round_robin":
            robin = message.round_robin
            return RoundRobin(robin.cycles or 1, robin.blocks_per_pairing or 1)
        case "gauntlet":
            gauntlet = message.gauntlet
            return Gauntlet(tuple(gauntlet.challengers), gauntlet.blocks_per_pairing or 1)
        case "swiss":
            return Swiss(message.swiss.rounds, message.swiss.blocks_per_pairing or 1)
        case "knockout":
            knockout = message.knockout
            cap = knockout.tie_cap if knockout.HasField("tie_cap") else Knockout().tie_cap
            return Knockout(knockout.best_of or 1, cap, knockout.third_place)
        case _:
            raise NoFormat


def specification_message(specification: Specification) -> pb.TournamentSpecification:
    """Return the message of a specification, with what was left out filled in."""
    return pb.TournamentSpecification(
        name=specification.name,
        format=_format_message(specification.format),
        rulesets=specification.rulesets,
        seats=specification.seats,
        time_control=time_control_message(specification.time_control),
        entry=entry_message(specification.entry),
        starts_ms=specification.starts_ms,
        ends_ms=specification.ends_ms,
        rated=specification.rated,
        names_hidden=specification.names_hidden,
    )


def _format_message(form: Format) -> pb.TournamentFormat:
    match form:
        case RoundRobin(cycles, blocks):
            return pb.TournamentFormat(
                round_robin=pb.RoundRobinFormat(cycles=cycles, blocks_per_pairing=blocks)
            )
        case Gauntlet(challengers, blocks):
            return pb.TournamentFormat(
                gauntlet=pb.GauntletFormat(challengers=challengers, blocks_per_pairing=blocks)
            )
        case Swiss(rounds, blocks):
            return pb.TournamentFormat(
                swiss=pb.SwissFormat(rounds=rounds, blocks_per_pairing=blocks)
            )
        case Knockout(best_of, tie_cap, third_place):
            return pb.TournamentFormat(
                knockout=pb.KnockoutFormat(
                    best_of=best_of, tie_cap=tie_cap, third_place=third_place
                )
            )
        case _:
            raise AssertionError("a ladder is no tournament")


def with_ids(specification: Specification, ids: Mapping[str, str]) -> Specification:
    """Return a specification with ids for the names of its challengers, its anchors and who is invited."""
    entry = specification.entry
    form = specification.format
    if isinstance(form, Gauntlet):
        form = replace(form, challengers=tuple(ids.get(bot, bot) for bot in form.challengers))
    if isinstance(form, Ladder):
        anchors = (replace(each, bot_id=ids.get(each.bot_id, each.bot_id)) for each in form.anchors)
        form = replace(form, anchors=tuple(anchors))
    invited = tuple(ids.get(bot, bot) for bot in entry.invited)
    return replace(specification, format=form, entry=replace(entry, invited=invited))
