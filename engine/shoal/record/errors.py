"""What is wrong with something that should be a record, and where."""


class BadRecord(ValueError):
    """Not a record, or not one that this version reads; `path` says where, "" for the whole."""

    def __init__(self, path: str, problem: str) -> None:
        """Keep the place and what is wrong with it."""
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem
