"""The fault kit: a private stack under seeded faults, and the journals of its bots held against the records.

`shoal chaos` runs it. Nothing that serves imports it.
"""
