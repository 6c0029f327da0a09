"""What a check may find: a kind that is counted, and one line of evidence."""

from typing import Final, NamedTuple, final

BAD: Final = (
    "lost",
    "doubled",
    "disordered",
    "contradicted",
    "unverified",
    "stuck",
    "untold",
    "unexplained_endings",
    "charged_for_infrastructure",
    "uncharged",
    "ladder_miscounted",
    "leaked_keys",
    "leaked_descriptors",
    "died",
    "unclean_exits",
    "bugs_logged",
)
"""Each of these must not be found once."""

NOTED: Final = ("uncredited", "asked_again", "charged_to_network", "lost_by_failover")
"""These are told, and are no failure: docs/faults.md says what they are."""


@final
class Finding(NamedTuple):
    """One thing that was found."""

    kind: str
    what: str
