"""Makes the helpers of the engine's tests importable for those of the server."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "engine"))
