"""The table of bad calls: for every rpc, what may be wrong with it and what it is answered."""

from tests.server.refusals.bots import CASES as BOT_CASES
from tests.server.refusals.challenges import CASES as CHALLENGE_CASES
from tests.server.refusals.competitions import CASES as COMPETITION_CASES
from tests.server.refusals.exports import CASES as EXPORT_CASES
from tests.server.refusals.ladders import CASES as LADDER_CASES
from tests.server.refusals.matches import CASES as MATCH_CASES
from tests.server.refusals.plays import CASES as PLAY_CASES
from tests.server.refusals.table import CODES, METADATA, Case, World
from tests.server.refusals.tournaments import CASES as TOURNAMENT_CASES

__all__ = ["CASES", "CODES", "METADATA", "Case", "World"]

CASES = [
    *BOT_CASES,
    *CHALLENGE_CASES,
    *MATCH_CASES,
    *PLAY_CASES,
    *LADDER_CASES,
    *TOURNAMENT_CASES,
    *COMPETITION_CASES,
    *EXPORT_CASES,
]
