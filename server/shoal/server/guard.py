"""One bad item among many must not stop the others."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from shoal.server.store.errors import Fenced, StoreUnavailable

log = structlog.get_logger()


@contextmanager
def one_of_many(event: str, **facts: object) -> Iterator[None]:
    """Log what goes wrong with this item alone, so that the caller goes on with the next (T74).

    That the store is away or the lease is lost concerns all of them, and is passed on.
    """
    try:
        yield
    except (StoreUnavailable, Fenced):
        raise
    except Exception:
        log.exception(event, **facts)
