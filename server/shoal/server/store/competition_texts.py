"""How what is stored of competitions is written as JSON, and read again."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from shoal.competition import document
from shoal.competition.block import Attempt, Ending
from shoal.competition.plan import Entrant
from shoal.competition.rulings import Exclusion, Rulings, Uncounted
from shoal.competition.specification import Specification
from shoal.server.store.competition_nouns import Block, Competition, Ended, Note, Score, State, Try

HEAD: Final = (
    *("spec", "state", "rev", "entered", "rated", "created", "started", "ended"),
    *("rulings", "recounted", "forced"),
)
"""The fields of a competition, in the order in which `competition_of` takes them."""

_ROTATIONS: Final = 3
"""How many matches a block had on average where earlier versions did not count blocks."""


@dataclass(frozen=True, slots=True)
class EndedTexts:
    """Blocks that are over as they are stored, by key."""

    texts: Mapping[str, bytes]

    def read(self) -> list[Ended]:
        """Read them all, in the same order; it takes 40 us each."""
        return [ended_of(key, text) for key, text in self.texts.items()]


def to_json(value: object) -> str:
    """Return the shortest JSON."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def specification_json(specification: Specification) -> str:
    """Write a specification as the document that people write."""
    return to_json(document.write(specification))


def specification_of(text: bytes) -> Specification:
    """Read a specification, which was checked when it was made.

    Raises ValueError for a format that is unknown here: another one must not be taken for it.
    """
    reading = document.read(json.loads(text))
    for problem in reading.problems:
        if problem.path in {"format", "format.kind"}:
            raise ValueError(f"{problem.path} {problem.message}")
    return reading.specification


def competition_of(
    competition_id: str,
    values: Sequence[bytes | None],
    read: Callable[[bytes], Specification] = specification_of,
) -> Competition | None:
    """Read the fields `HEAD` of a competition, None where there is none."""
    spec, state, rev, entered, rated, created, started, ended, *later = values
    rulings, recounted, forced = later
    if spec is None or state is None:
        return None
    return Competition(
        competition_id=competition_id,
        specification=read(spec),
        state=State(state.decode()),
        rev=int(rev or 0),
        entered=int(entered or 0),
        rated=int(rated or 0),
        created_ms=int(created or 0),
        started_ms=None if started is None else int(started),
        ended=(ended or b"").decode(),
        rulings=rulings_of(rulings),
        recounted=int(recounted or 0),
        forced=(forced or b"").decode(),
    )


def rulings_json(rulings: Rulings) -> str:
    """Write what an organizer has decided."""
    return to_json(asdict(rulings))


def rulings_of(text: bytes | None) -> Rulings:
    """Read what an organizer has decided, nothing where nothing is stored."""
    if text is None:
        return Rulings()
    fields = json.loads(text)
    return Rulings(
        excluded={bot: Exclusion(**one) for bot, one in fields["excluded"].items()},
        uncounted=tuple(Uncounted(**one) for one in fields["uncounted"]),
        voided=fields["voided"],
        number=fields["number"],
    )


def entrant_json(entrant: Entrant, number: int) -> str:
    """Write an entrant with its place in the seeded order."""
    fields: dict[str, object] = {"owner": entrant.owner, "number": number}
    if entrant.gone_from is not None:
        fields["gone_from"] = entrant.gone_from
    return to_json(fields)


def entrants_of(found: Mapping[str, bytes]) -> dict[str, tuple[int, Entrant]]:
    """Read all entrants with their numbers, in seeded order: that in which they have entered."""
    return in_order(entrant_of(bot, text) for bot, text in found.items())


def entrant_of(bot: str, text: bytes) -> tuple[int, Entrant]:
    """Read an entrant with its number."""
    fields = json.loads(text)
    return fields["number"], Entrant(bot, fields["owner"], fields.get("gone_from"))


def in_order(numbered: Iterable[tuple[int, Entrant]]) -> dict[str, tuple[int, Entrant]]:
    """Return entrants with their numbers by bot, in seeded order."""
    order = sorted(numbered, key=lambda each: (each[0], each[1].bot_id))
    return {entrant.bot_id: (number, entrant) for number, entrant in order}


def score_json(score: Score) -> str:
    """Write a score."""
    return to_json(asdict(score))


def score_of(text: bytes) -> Score:
    """Read a score, one of an earlier version too."""
    fields = json.loads(text)
    fields.setdefault("blocks", fields["matches"] // _ROTATIONS)
    return Score(**fields)


def block_json(block: Block) -> str:
    """Write a block."""
    return to_json(_block_fields(block))


def block_of(key: str, text: bytes) -> Block:
    """Read a block."""
    return _block(key, json.loads(text))


def ended_json(ended: Ended) -> str:
    """Write a block that is over."""
    fields = {**_block_fields(ended.block), "state": ended.state, "matches": ended.matches}
    return to_json(fields)


def ended_of(key: str, text: bytes) -> Ended:
    """Read a block that is over."""
    fields = json.loads(text)
    return Ended(_block(key, fields), fields["state"], tuple(map(tuple, fields["matches"])))


def note_json(note: Note) -> str:
    """Write a line of the audit list."""
    return to_json(asdict(note))


def note_of(text: bytes) -> Note:
    """Read a line of the audit list."""
    return Note(**json.loads(text))


def _block_fields(block: Block) -> dict[str, object]:
    return {
        "bots": block.bots,
        "ruleset": block.ruleset,
        "rated": block.rated,
        "tries": [_try_fields(each) for each in block.tries],
        "match": block.match_id,
        "rotation": block.rotation,
        "why": block.why,
        "numbers": block.numbers,
    }


def _try_fields(each: Try) -> list[object]:
    attempt = each.attempt
    return [
        each.match_id,
        attempt.rotation,
        attempt.ending.value,
        attempt.placements,
        sorted(attempt.absent),
    ]


def _block(key: str, fields: Mapping[str, Any]) -> Block:
    return Block(
        key=key,
        bots=tuple(fields["bots"]),
        ruleset=fields["ruleset"],
        rated=fields["rated"],
        tries=tuple(
            Try(match_id, Attempt(rotation, Ending(ending), tuple(places), frozenset(absent)))
            for match_id, rotation, ending, places, absent in fields["tries"]
        ),
        match_id=fields["match"],
        rotation=fields["rotation"],
        why=tuple(fields["why"]),
        numbers=fields.get("numbers", {}),
    )


def old_ladder_of(text: bytes) -> tuple[str, tuple[int, ...]]:
    """Read the ruleset and the table sizes of a ladder as an earlier version has stored it."""
    fields = json.loads(text)
    return fields["ruleset"], tuple(fields["seats"])
