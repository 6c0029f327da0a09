"""A whole tournament from its beginning to its end: `shoal tournament run`.

On this machine everything is private, as in a demonstration, and nothing of it is left; on a given server it
is a tournament like any other, with bots that play from here and bots that others run.
"""

from shoal.server.cup.bots import BadEntrant, Entrant, entrants_of
from shoal.server.cup.fitting import check_fit
from shoal.server.cup.place import Place
from shoal.server.cup.run import run_cup

__all__ = ["BadEntrant", "Entrant", "Place", "check_fit", "entrants_of", "run_cup"]
