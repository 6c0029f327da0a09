"""What was luck in a match: each use of chance, what came, and what could have come. Pure, as the engine is.

`adjusted_record` is all of it for a record, `adjusted` for the events of a match. docs/luck.md says what
it means, and why the mean of luck is zero.
"""

from shoal.luck.adjustment import (
    Adjustment,
    NotAdjustable,
    adjusted,
    adjusted_record,
    luck_of,
    shares_of,
    uses_of,
)
from shoal.luck.model import MODELS, NEWEST, Model, UnknownModel, model, model_of
from shoal.luck.outlook import Outlook
from shoal.luck.scene import Scene, follow
from shoal.luck.uses import Use, UseKind, uses_in
from shoal.luck.values import BySeat, Choice, Part, Values, Worth

__all__ = [
    "MODELS",
    "NEWEST",
    "Adjustment",
    "BySeat",
    "Choice",
    "Model",
    "NotAdjustable",
    "Outlook",
    "Part",
    "Scene",
    "UnknownModel",
    "Use",
    "UseKind",
    "Values",
    "Worth",
    "adjusted",
    "adjusted_record",
    "follow",
    "luck_of",
    "model",
    "model_of",
    "shares_of",
    "uses_in",
    "uses_of",
]
