"""Makes tables of ratings in a process of its own: `python -m shoal.server.director.fitting`.

A table of a large ladder takes seconds, and much of that no other thread could run. So the one who directs
hands results over as it reads them, and asks for tables. The only module of the director that needs arrays.

What it is asked comes as JSON lines on standard input, each with an answer on standard output:
`["add", competition, [[match, block, result, luck], …]]` with how many results it has then, `["forget",
competition]`, and `["table", competition, rulings, releases, anchors, by adjusted]` with the table.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import final

from shoal.competition.rulings import Rulings, counts
from shoal.rating import Match, Table, gathered
from shoal.rating.table import rate
from shoal.server.director.helper import answer
from shoal.server.director.releases import score_names
from shoal.server.director.result import finished, is_annulled, is_rated
from shoal.server.store import competition_texts as texts
from shoal.server.store.luck import without_luck_of
from shoal.server.store.releases import Releases, releases_of


@final
class Desk:
    """All results that it was handed; of those that are rated what a table needs. One takes 500 bytes."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._kept: dict[str, dict[str, tuple[str, Match] | None]] = {}

    def add(self, competition_id: str, results: Iterable[tuple[str, str, str, str]]) -> int:
        """Keep results, and return how many there are then; each takes the place of what was there of it.

        Each is a match, its block, what was counted, and that without luck or "".
        """
        kept = self._kept.setdefault(competition_id, {})
        kept.update((match_id, _rated(match_id, *rest)) for match_id, *rest in results)
        return len(kept)

    def table(
        self,
        competition_id: str,
        rulings: Rulings,
        known: Mapping[str, Releases],
        anchors: Mapping[str, float],
        *,
        by_adjusted: bool,
    ) -> Table:
        """Return the table of what is kept of a competition. Raises BadBlock and NoFit."""
        kept = (each for each in self._kept.get(competition_id, {}).values() if each is not None)
        return table(kept, rulings, known, anchors, by_adjusted=by_adjusted)

    def forget(self, competition_id: str) -> None:
        """Keep nothing more of a competition."""
        self._kept.pop(competition_id, None)


def answered(desk: Desk, line: bytes) -> object:
    """Do what a line asks for, and return the answer."""
    asked, name, *more = json.loads(line)
    match asked:
        case "add":
            return desk.add(name, more[0])
        case "table":
            rulings, releases, anchors, by_adjusted = more
            known = {bot: releases_of(text) for bot, text in releases.items()}
            heeded = texts.rulings_of(rulings.encode())
            return asdict(desk.table(name, heeded, known, anchors, by_adjusted=by_adjusted))
        case "forget":
            desk.forget(name)
            return None
        case _:
            raise LookupError(asked)


def table(
    results: Iterable[tuple[str, Match]],
    rulings: Rulings,
    known: Mapping[str, Releases],
    anchors: Mapping[str, float],
    *,
    by_adjusted: bool = False,
) -> Table:
    """Return the table of results with the keys of their blocks, by the rulings of their competition.

    `known` are the releases of bots: each is rated by itself. `anchors` are ratings that are given, by bot.
    A match that does not count is as if it had never been. Raises BadBlock if a result is there twice.
    """
    return rate(
        gathered(
            (key, replace(match, bots=score_names(match.match_id, match.bots, known)))
            for key, match in results
            if counts(rulings, match.match_id, match.bots, match.ended_ms)
        ),
        anchors,
        by_adjusted=by_adjusted,
    )


def _rated(match_id: str, block_key: str, payload: str, luck: str) -> tuple[str, Match] | None:
    """Return what a table needs of a result, None of one that is not rated."""
    match = finished(payload.encode())
    if not is_rated(match) or is_annulled(match):
        return None
    # The same few names come again and again.
    bots = tuple(map(sys.intern, match.bots))
    adjusted = without_luck_of(luck.encode()).parts if luck else ()
    return sys.intern(block_key), Match(match_id, bots, match.placements, match.ended_ms, adjusted)


def main() -> None:
    """Answer until the input ends."""
    desk = Desk()
    answer(lambda line: answered(desk, line))


if __name__ == "__main__":
    main()
