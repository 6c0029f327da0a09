"""`shoal ladder suspicion`: what an export tells that no strength explains, and what can be done about it."""
