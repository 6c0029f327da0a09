"""Specifications of tournaments: messages, and what they mean."""

from collections.abc import Mapping
from dataclasses import replace

from shoal.competition.specification import (
    Entry,
    Format,
    Gauntlet,
    Knockout,
    RoundRobin,
    Specification,
    Swiss,
    TimeControl,
)
from shoal.v1 import match_pb2
from shoal.v1 import tournament_pb2 as pb


class NoFormat(Exception):
    """A specification does not say who meets whom."""


def specification_of(message: pb.TournamentSpecification) -> Specification:
    """Return the specification that a message asks for; raise NoFormat if it names none."""
    entry, control = message.entry, message.time_control
    return Specification(
        name=message.name,
        format=_format_of(message.format),
        rulesets=tuple(message.rulesets) or ("base",),
        seats=tuple(message.seats) or (2,),
        time_control=TimeControl(
            move_ms=control.move_ms,
            bank_ms=control.bank_ms,
            increment_ms=control.increment_ms,
            max_strikes=control.max_strikes,
            max_illegal=control.max_illegal,
            match_ms=control.match_ms,
        ),
        entry=Entry(
            invited=tuple(entry.invited),
            bots_per_owner=entry.bots_per_owner,
            entrants=entry.entrants,
            opens_ms=entry.opens_ms if entry.HasField("opens_ms") else None,
            closes_ms=entry.closes_ms if entry.HasField("closes_ms") else None,
        ),
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
            return Knockout(knockout.best_of or 1, cap)
        case _:
            raise NoFormat


def specification_message(specification: Specification) -> pb.TournamentSpecification:
    """Return the message of a specification, with what was left out filled in."""
    entry, control = specification.entry, specification.time_control
    return pb.TournamentSpecification(
        name=specification.name,
        format=_format_message(specification.format),
        rulesets=specification.rulesets,
        seats=specification.seats,
        time_control=match_pb2.TimeControl(
            move_ms=control.move_ms,
            bank_ms=control.bank_ms,
            increment_ms=control.increment_ms,
            max_strikes=control.max_strikes,
            max_illegal=control.max_illegal,
            match_ms=control.match_ms,
        ),
        entry=pb.TournamentEntry(
            invited=entry.invited,
            bots_per_owner=entry.bots_per_owner,
            entrants=entry.entrants,
            opens_ms=entry.opens_ms,
            closes_ms=entry.closes_ms,
        ),
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
        case Knockout(best_of, tie_cap):
            return pb.TournamentFormat(knockout=pb.KnockoutFormat(best_of=best_of, tie_cap=tie_cap))
        case _:
            raise AssertionError("a ladder is no tournament")


def with_ids(specification: Specification, ids: Mapping[str, str]) -> Specification:
    """Return a specification with ids for the names of its challengers and of who is invited."""
    entry = specification.entry
    form = specification.format
    if isinstance(form, Gauntlet):
        form = replace(form, challengers=tuple(ids.get(bot, bot) for bot in form.challengers))
    invited = tuple(ids.get(bot, bot) for bot in entry.invited)
    return replace(specification, format=form, entry=replace(entry, invited=invited))
