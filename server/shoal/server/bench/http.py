"""What a move by POST costs a server, beside one on a gRPC stream: `shoal bench serve --http`."""

import asyncio
import statistics
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from shoal.server.bench.driver import Driver, driving
from shoal.server.bench.echo import WARM_UP
from shoal.server.bench.network import run_loop
from shoal.server.bench.posting import Poster
from shoal.server.bench.serve import LEAST_TURNS, SLICE_SECONDS, take_slice
from shoal.server.bench.turns import Slice
from shoal.server.children import ChildFailed, ServerChild, running_server, unless_one_ends
from shoal.server.together import first_error

MATCHES = 8
"""At once, by as many bots: so few that hardly two moves go out in one message, as none does by POST."""


def bench_http(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Measure moves for so many seconds each way, in turns; raise ChildFailed when a program fails.

    Questions come on gRPC streams both times: what is compared is the way of the answers.
    """
    try:
        return run_loop(_bench(seconds, progress))
    except ExceptionGroup as failures:
        raise ChildFailed(" ".join(str(first_error(failures)).split())) from failures


async def _bench(seconds: float, progress: Callable[[str], None]) -> dict[str, object]:
    """Run a server, and measure it."""
    with tempfile.TemporaryDirectory(prefix="shoal-bench-") as name:
        async with running_server(Path(name), "--no-director") as server:
            return await unless_one_ends(_play(server, seconds, progress), [server.child])


async def _play(
    server: ServerChild, seconds: float, progress: Callable[[str], None]
) -> dict[str, object]:
    """Play, and return the figures."""
    async with driving(server.address, server.admin_token) as driver:
        progress(f"playing {MATCHES} matches at once, moves on streams and by POST in turns")
        driver.resume()
        await driver.raise_to(MATCHES)
        with closing(Poster("127.0.0.1", server.http_port)) as poster:
            return await _in_turns(server, driver, poster, seconds)


async def _in_turns(
    server: ServerChild, driver: Driver, poster: Poster, seconds: float
) -> dict[str, object]:
    """Measure slices of either way beside each other: the speed of a machine drifts within seconds."""
    number = max(LEAST_TURNS, round(seconds / SLICE_SECONDS))
    by_stream, by_post, ratios = Slice(), Slice(), list[float]()
    for _ in range(number):
        pair = []
        for each in (None, poster):
            driver.poster = each
            await asyncio.sleep(WARM_UP)
            pair.append(await take_slice(server, driver, seconds / number))
        by_stream.add(pair[0])
        by_post.add(pair[1])
        ratios.append(pair[1].us_per_move / pair[0].us_per_move)
    low, _, high = statistics.quantiles(ratios, n=4)
    return {
        "matches": MATCHES,
        "stream": by_stream.figures(),
        "http": by_post.figures(),
        "http_over_stream": round(statistics.median(ratios), 2),
        "http_over_stream_spread": [round(low, 2), round(high, 2)],
        "seconds": seconds,
    }
