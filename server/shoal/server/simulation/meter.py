"""What the scheduler costs, and whether the process grows."""

import gc
import time
from dataclasses import dataclass, field
from typing import Final, final

import psutil

_MIB: Final = 1024 * 1024


@final
@dataclass(slots=True)
class Meter:
    """The CPU of the scheduler in seconds, and the memory at some moments of a run."""

    calls: int = 0
    cpu_s: float = 0.0
    longest_s: float = 0.0
    started_s: float = 0.0
    memory_mib: list[float] = field(default_factory=list)
    objects: list[int] = field(default_factory=list)
    """How many objects the collector knows, looked at together with the memory."""


def start(meter: Meter) -> None:
    """Begin to count the CPU of a call."""
    meter.started_s = time.process_time()


def stop(meter: Meter) -> None:
    """End it."""
    used = time.process_time() - meter.started_s
    meter.calls += 1
    meter.cpu_s += used
    meter.longest_s = max(meter.longest_s, used)


def weigh(meter: Meter) -> None:
    """Look at the memory, after what is dead is gone."""
    gc.collect()
    meter.memory_mib.append(psutil.Process().memory_info().rss / _MIB)
    meter.objects.append(len(gc.get_objects()))
