"""What the cards do is told for all of them, and told where the rules are."""

import re
from pathlib import Path

from shoal.engine import EventCard, Kind
from shoal.engine.glossary import EVENTS, KINDS

RULES = (Path(__file__).parents[2] / "docs" / "rules.md").read_text()


def test_every_kind_and_event_card_is_told() -> None:
    """No card is left out, and none is told that does not exist."""
    assert set(KINDS) == set(Kind)
    assert set(EVENTS) == set(EventCard)


def test_every_text_is_sentences_and_names_a_section_that_exists() -> None:
    """A text ends in a full stop, is short, and its section is a heading of docs/rules.md."""
    headings = set(re.findall(r"^#+ ([0-9]+(?:\.[0-9]+)?)", RULES, re.MULTILINE))
    for text, section in (*KINDS.values(), *EVENTS.values()):
        assert text.endswith(".")
        assert text[0].isupper() or text[0].isdigit()
        assert len(text) < 200
        assert section in headings


def test_the_rules_tell_every_kind_and_event_card() -> None:
    """docs/rules.md has every kind and event card by its name."""
    for named in (*Kind, *EventCard):
        assert named.name.lower() in RULES
