"""What a competition in the store may answer instead of what it was asked for."""

from shoal.server.store.errors import StoreError


class UnknownCompetition(StoreError):
    """There is no competition of this id or name."""


class AlreadyThere(StoreError):
    """There is a competition of this name, which somebody else has made."""


class Stale(StoreError):
    """What was read has changed since: read it again."""
