"""A game at the terminal: one person and up to three bots at a table that needs no server."""
