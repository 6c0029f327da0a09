"""Reading Python as a tree."""

import ast
import gc


def parsed(source: str) -> ast.Module:
    """Parse without collecting meanwhile.

    CPython counts how deep it is in a tree for all of the process, and what a collection runs in the middle
    may leave another number: a SystemError (gh-106905).
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        if collects:
            gc.enable()
