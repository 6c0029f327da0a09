"""What competitions are, and what they play next. Pure: no store, no clock, no chance but what is given.

A competition is described (`specification`), plays blocks (`block`), says which blocks are due after
those that are finished (`round_robin`, `gauntlet`, `swiss`, `knockout`, `ladder_pairing`), and ranks its
bots (`standings`). The same input gives the same output, in every process and on every machine.
"""
