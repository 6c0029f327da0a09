"""The matches that this process has at hand, and the readers it must tell about them."""
