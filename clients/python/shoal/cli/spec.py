"""Finding the bot that a user means: a file, a module or a baseline."""

import importlib
import importlib.util
import inspect
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from shoal.cli.output import fail
from shoal.client import Bot
from shoal.client.bots import BASELINES
from shoal.engine import Ruleset, UnknownRuleset, ruleset


def load_bot(spec: str) -> Bot:
    """Make the bot that `path.py:Class`, `package.module:Class` or a baseline's name stands for."""
    return make_bot(find_bot(spec), spec)


def find_bot(spec: str) -> type[Bot]:
    """Return the class that a SPEC stands for."""
    if spec in BASELINES:
        return BASELINES[spec]
    where, colon, name = spec.rpartition(":")
    if not colon or not where or not name.isidentifier():
        if spec.endswith(".py") and Path(spec).is_file():
            bots = _bots_in(_load_file(Path(spec)))
            fail(
                f"{spec!r} names no bot: use {spec}:{bots[0] if bots else 'MyBot'}; {_listed(bots)}"
            )
        known = ", ".join(BASELINES)
        fail(
            f"{spec!r} names no bot: use path.py:MyBot, package.module:MyBot "
            f"or one of the baselines {known}"
        )
    module = _load_file(Path(where)) if where.endswith(".py") else _load_module(where)
    found = getattr(module, name, None)
    if found is None:
        fail(f"{where} has no {name}; {_listed(_bots_in(module))}")
    if not (inspect.isclass(found) and issubclass(found, Bot)):
        fail(f"{spec} is not a subclass of shoal.client.Bot")
    return found


def make_bot(kind: type[Bot], spec: str) -> Bot:
    """Return an object of the class, made without arguments."""
    try:
        bot = kind()
    except Exception as error:  # noqa: BLE001
        fail(f"{spec}: {kind.__name__}() failed: {place(error)}{describe(error)}")
    if not (_writes(bot, "choose") or _writes(bot, "for_match")):
        fail(f"{spec}: {kind.__name__} has no choose()")
    return bot


def ruleset_named(name: str) -> Ruleset:
    """Return a ruleset by its name."""
    try:
        return ruleset(name)
    except UnknownRuleset as error:
        fail(str(error))


def bot_for(spec: str, rules: Ruleset, seats: int, dice: str) -> Bot:
    """Return a bot for such a table; a baseline's follow from `dice`, so that it plays the same again."""
    baseline: Callable[..., Bot] | None = BASELINES.get(spec)
    bot = make_bot(find_bot(spec), spec) if baseline is None else baseline(seed=dice)
    check_plays(bot, spec, rules, seats)
    return bot


def check_plays(bot: Bot, spec: str, rules: Ruleset, seats: int) -> None:
    """End the command with a bot that does not play at such a table."""
    plays = bot.rulesets or ("base",)
    if rules.name not in plays:
        fail(f"{spec} does not play {rules.name!r}; it plays {', '.join(plays)}")
    if bot.table_sizes and seats not in bot.table_sizes:
        fail(f"{spec} does not play at a table of {seats}")


def _writes(bot: Bot, name: str) -> bool:
    """Return whether a bot has a method of its own, and not just the one that it inherits from Bot."""
    method = getattr(bot, name)
    return getattr(method, "__func__", method) is not getattr(Bot, name)


def _load_file(path: Path) -> ModuleType:
    """Run a file as a module; imports beside it work, as they do when Python runs the file."""
    if not path.is_file():
        fail(f"{path}: no such file")
    folder = str(path.resolve().parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    made = importlib.util.spec_from_file_location(path.stem, path)
    if made is None or made.loader is None:
        fail(f"{path}: not a Python file")
    module = importlib.util.module_from_spec(made)
    sys.modules[path.stem] = module
    try:
        made.loader.exec_module(module)
    except Exception as error:  # noqa: BLE001
        fail(f"{place(error) or f'{path}: '}{describe(error)}")
    return module


def _load_module(name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    try:
        return importlib.import_module(name)
    except Exception as error:  # noqa: BLE001
        fail(f"cannot import {name}: {place(error)}{describe(error)}")


def _listed(bots: list[str]) -> str:
    return f"bots in it: {', '.join(bots) or 'none'}"


def _bots_in(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and issubclass(value, Bot) and value is not Bot
    ]


def place(error: BaseException) -> str:
    """Return file and line of the author's code that an error comes from, as `file:line: `."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{error.filename}:{error.lineno}: "
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename != __file__ and not frame.filename.startswith("<frozen")
    ]
    own = [frame for frame in frames if frame.filename != importlib.__file__]
    return f"{own[-1].filename}:{own[-1].lineno}: " if own else ""


def describe(error: BaseException) -> str:
    """Return what an error is and says."""
    text = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {text}"
