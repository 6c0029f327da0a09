"""How the value function of `shoal.luck` is made: baselines play, and what hands come to is fitted."""
