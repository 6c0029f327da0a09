"""The rulesets that the baselines play: all of them."""

ALL_RULESETS = tuple(
    f"{parts}{double}"
    for parts in ("base", "salt", "pepper", "salt-pepper")
    for double in ("", "-double")
)
"""Every ruleset there is (docs/rules.md, sections 10 to 12)."""
