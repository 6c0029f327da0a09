"""Where the `shoal` command begins: imports next to nothing, so that Ctrl-C is quiet from the first moment.

`python -m shoal.cli` is the same as `shoal`.
"""

from typing import NoReturn

from shoal.cli.interrupt import quiet


def main() -> NoReturn:
    """Import the command, which takes most of a second, and run it."""
    with quiet():
        from shoal.cli.main import main as command
    command()


if __name__ == "__main__":
    main()
