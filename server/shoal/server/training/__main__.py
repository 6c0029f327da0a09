"""`python -m shoal.server.training`: play, fit, and write a model. docs/luck.md is the recipe."""

import argparse
import json
import sys
from pathlib import Path

from shoal.server.bench.tables import blocks
from shoal.server.training.fitting import fitted


def main() -> int:
    """Play what is not in the folder yet, and write the model."""
    parser = argparse.ArgumentParser(prog="python -m shoal.server.training", description=__doc__)
    parser.add_argument("--ruleset", default="base")
    parser.add_argument("--seats", type=int, default=2)
    parser.add_argument("--blocks", type=int, default=800, help="how many tables are played")
    parser.add_argument("--seed", type=int, default=1000, help="another than any measurement has")
    parser.add_argument("--folder", type=Path, required=True, help="where matches are kept")
    parser.add_argument("--name", default="luck-next")
    parser.add_argument("--out", type=Path, required=True, help="the file of the model")
    plan = parser.parse_args()
    plan.folder.mkdir(parents=True, exist_ok=True)
    played = blocks(plan.ruleset, plan.seats, plan.blocks, plan.seed, plan.folder)
    fields, rows = fitted(plan.ruleset, played, plan.name)
    plan.out.write_text(json.dumps(fields, indent=1) + "\n", encoding="ascii")
    sys.stderr.write(f"{rows} rows, {plan.out}\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
