"""What a bot has to say and has not yet written to its stream. The only builder of PlayRequests."""

import asyncio

from shoal.client import pb


class Outbox:
    """Answers and signals, gathered until the stream can take them, then sent as one message.

    Keyed by decision and by match, so that nothing is in it twice.
    """

    def __init__(self) -> None:
        """Start empty and open."""
        self._moves: dict[str, pb.Move] = {}
        self._ready: dict[str, pb.ReadySignal] = {}
        self._resignations: dict[str, pb.ResignSignal] = {}
        self._closed = False
        self._bell = asyncio.Event()

    def add_move(self, move: pb.Move) -> None:
        """Queue an answer."""
        self._moves[move.decision_id] = move
        self._bell.set()

    def add_ready(self, signal: pb.ReadySignal) -> None:
        """Queue a ready signal."""
        self._ready[signal.match_id] = signal
        self._bell.set()

    def add_resignation(self, signal: pb.ResignSignal) -> None:
        """Queue a wish to leave a match."""
        self._resignations[signal.match_id] = signal
        self._bell.set()

    def clear(self) -> None:
        """Forget what waits: a new stream begins, and its snapshot says what is still open."""
        self._moves.clear()
        self._ready.clear()
        self._resignations.clear()

    def open(self) -> None:
        """Be there for a new stream, after `close` ended another."""
        self._closed = False

    def close(self) -> None:
        """Let `take` return None once everything has been taken."""
        self._closed = True
        self._bell.set()

    async def take(self) -> pb.PlayRequest | None:
        """Wait until there is something, and return all of it; None after `close`."""
        while not (self._moves or self._ready or self._resignations):
            if self._closed:
                return None
            self._bell.clear()
            await self._bell.wait()
        await asyncio.sleep(0)  # what becomes ready in this turn of the loop goes along
        request = pb.PlayRequest(
            moves=self._moves.values(),
            ready=self._ready.values(),
            resignations=self._resignations.values(),
        )
        self.clear()
        return request
