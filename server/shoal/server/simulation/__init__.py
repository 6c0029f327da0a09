"""A ladder on a fake clock: the real scheduler and ratings, with bots whose strength is known.

A measurement like the bench: nothing that serves imports it.
"""
