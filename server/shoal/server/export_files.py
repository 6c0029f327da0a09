"""Files of `shoal ladder export --out`, and of tournaments, read for whoever asks one anything."""

import json
from pathlib import Path

from shoal.rating import BadBlock, BadExport, Export
from shoal.rating.exported import read


def read_file(path: Path) -> Export:
    """Return what a file says. Raises BadExport, whose message names it and says what to do, and OSError."""
    try:
        with path.open(encoding="utf-8") as text:
            export = read([json.loads(line) for line in text])
        # Whether a match is there twice is found when blocks are put together.
        _ = export.blocks
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadExport(f"{path} is no export: make one with export --out") from error
    except (BadExport, BadBlock) as error:
        raise BadExport(f"{path}: {error}: make another one with export --out") from error
    return export
