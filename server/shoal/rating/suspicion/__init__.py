"""What strengths do not explain: points that wander, days that do not fit (T60, T61).

Pure, like the ratings. It accuses nobody: a finding is a question to an organizer, who decides (T62).
docs/ratings.md says what it says and what it does not, and how often it is wrong.
"""

from shoal.rating.suspicion.nouns import Asked, Facts, Finding, Kind, Report
from shoal.rating.suspicion.report import suspect

__all__ = ["Asked", "Facts", "Finding", "Kind", "Report", "suspect"]
