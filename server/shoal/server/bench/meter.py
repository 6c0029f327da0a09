"""CPU that a process spent, from the system's own accounting."""

from typing import final

import psutil


@final
class Meter:
    """Counts from its making on."""

    def __init__(self, pid: int) -> None:
        """Begin to count; all threads of the process are included."""
        self._process = psutil.Process(pid)
        self._begin = self._total()

    def spent(self) -> float:
        """Return the seconds of CPU, user and system, since the beginning."""
        return self._total() - self._begin

    def _total(self) -> float:
        times = self._process.cpu_times()
        return float(times.user + times.system)
