"""Which operations need a token: the one thing that the protos say in words alone.

Looking needs none, but for what only organizers may see and for what is asked of one's own bot; all else
does, but for registering a bot, which is how one gets a token. A test asks a server of each operation.
"""

from shoal.server.openapi.scalars import Schema
from shoal.server.transcoding import Binding

BEARER = "token"

_LOOKING_WITH_TOKEN = frozenset(
    {
        "shoal.v1.CompetitionService.GetCompetition",
        "shoal.v1.CompetitionService.ListActions",
        "shoal.v1.PlayService.ListDecisions",
    }
)
_DOING_WITHOUT = frozenset({"shoal.v1.BotService.RegisterBot"})


def needs_token(binding: Binding) -> bool:
    """Whether a call without a token is always refused."""
    if binding.verb == "GET":
        return binding.rpc in _LOOKING_WITH_TOKEN
    return binding.rpc not in _DOING_WITHOUT


def security_schemes() -> Schema:
    """Return how a caller says who it is."""
    return {
        BEARER: {
            "type": "http",
            "scheme": "bearer",
            "description": "The token of a bot, an owner or an organizer. `RegisterBot` gives a bot its own.",
        }
    }


def security_of(binding: Binding) -> list[Schema]:
    """Return what an operation asks for; where it may go without, a token may still show more."""
    required: Schema = {BEARER: []}
    return [required] if needs_token(binding) else [{}, required]
