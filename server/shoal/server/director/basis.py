"""What a published table follows from: of the same basis it is the same. No input or output."""

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from typing import Final

from shoal.competition.specification import ADJUSTED, Ladder, Specification
from shoal.server.store import competition_texts as texts
from shoal.server.store.competition_data import Place
from shoal.server.store.competition_nouns import Competition
from shoal.server.store.published import Basis
from shoal.server.store.releases import Releases

METHOD: Final = 2
"""Grows whenever the same results come to another table: then all of them are worked out anew."""


def basis_of(found: Competition, place: Place, known: Mapping[str, Releases]) -> Basis:
    """Return the basis of a table of all results up to a place; `known` are the releases of all bots."""
    return Basis(place, found.rulings.number, _other(known, anchors_of(found.specification)))


def anchors_of(specification: Specification) -> dict[str, float]:
    """Return the ratings that are given, in displayed points, by bot."""
    form = specification.format
    anchors = form.anchors if isinstance(form, Ladder) else ()
    return {anchor.bot_id: anchor.rating for anchor in anchors}


def is_by_adjusted(specification: Specification) -> bool:
    """Tell whether the official order is that of the ratings without luck."""
    form = specification.format
    return isinstance(form, Ladder) and form.official == ADJUSTED


def _other(known: Mapping[str, Releases], anchors: Mapping[str, float]) -> str:
    """Return a hash of what a table follows from beside the results and the rulings."""
    releases = sorted((bot, asdict(each)) for bot, each in known.items())
    said = texts.to_json([METHOD, releases, sorted(anchors.items())])
    return hashlib.sha256(said.encode()).hexdigest()[:16]
