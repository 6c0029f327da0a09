"""Moves by POST: a lean HTTP client for measurements, on connections that stay open."""

import asyncio
import json
from typing import final

from shoal.v1 import play_service_pb2


@final
class Poster:
    """Sends moves to the gateway of a server."""

    def __init__(self, host: str, port: int) -> None:
        """Connect when there is something to send."""
        self._host = host
        self._port = port
        self._free: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []

    async def play(self, token: str, move: play_service_pb2.Move) -> play_service_pb2.MoveResult:
        """Make a move, and return what became of it."""
        said = {"decisionId": move.decision_id, "optionId": move.option_id}
        body = json.dumps(said).encode()
        head = (
            f"POST /v1/matches/{move.match_id}:play HTTP/1.1\r\nhost: {self._host}\r\n"
            f"authorization: Bearer {token}\r\ncontent-type: application/json\r\n"
            f"accept: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
        )
        code, answer = await self._ask(head.encode() + body)
        result = play_service_pb2.MoveResult(match_id=move.match_id, decision_id=move.decision_id)
        if code == 200:
            overhead = json.loads(answer)["receipt"]["overheadUs"]
            result.receipt.overhead_us = overhead
        else:
            result.error.message = answer.decode()
        return result

    async def _ask(self, request: bytes) -> tuple[int, bytes]:
        """Send a request on a connection that is free, or a new one; return the answer's code and body."""
        reader, writer = (
            self._free.pop()
            if self._free
            else await asyncio.open_connection(self._host, self._port)
        )
        writer.write(request)
        lines = (await reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        sizes = [line for line in lines if line.startswith(b"content-length:")]
        body = await reader.readexactly(int(sizes[0].partition(b":")[2]))
        self._free.append((reader, writer))
        return int(lines[0].split()[1]), body

    def close(self) -> None:
        """Close what is open."""
        for _, writer in self._free:
            writer.close()
