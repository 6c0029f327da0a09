"""Names for the ids in explanations: people know bots by their names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shoal.competition.explanation import Explanation
from shoal.server.store.bots import BotStore


async def with_names(explanations: Sequence[Explanation], bots: BotStore) -> list[Explanation]:
    """Return explanations with names instead of ids in their sentences."""
    ids = list(dict.fromkeys(bot for each in explanations for bot in each.bots))
    found = await bots.get_many(ids)
    names = {bot.bot_id: bot.name for bot in found if bot is not None}
    return [named(each, names) for each in explanations]


def named(explanation: Explanation, names: Mapping[str, str]) -> Explanation:
    """Return an explanation with names in its sentences."""
    sentences = []
    for sentence in explanation.sentences:
        text = sentence
        for bot_id, name in names.items():
            text = text.replace(bot_id, name)
        sentences.append(text)
    return replace(explanation, sentences=tuple(sentences))
