"""What is wrong with the words of a command line, in one line that names the option and what it takes."""

import re

import typer


def explain_usage(error: typer.TyperException) -> str:
    """Return what is wrong with the arguments in one line; the help, where there were none."""
    text = error.format_message()
    if "\n" in text.strip():
        return text
    context: typer.Context | None = getattr(error, "ctx", None)
    hint = f" (`{context.command_path} --help` explains)" if context else ""
    return f"shoal: {_number(error) or _misplaced(error) or text}{hint}"


def _number(error: typer.TyperException) -> str:
    """Return which numbers an option takes, where it was given none of them; else "".

    The library says what a number is not, and neither all that it may be nor who says so in the environment.
    """
    parameter = getattr(error, "param", None)
    said = str(getattr(error, "message", ""))
    if parameter is None or not said.startswith("Input should be"):
        return ""
    name = (
        parameter.opts[-1] if parameter.opts[-1].startswith("-") else parameter.human_readable_name
    )
    where = f"{name} ({parameter.envvar})" if getattr(parameter, "envvar", None) else name
    kind = "a whole number" if "integer" in said else "a number"
    least, most = getattr(parameter, "min", None), getattr(parameter, "max", None)
    if least is not None and most is not None:
        return f"{where} must be {kind} from {least} to {most}"
    return (
        f"{where} must be {kind}" if least is None else f"{where} must be {kind}, {least} or more"
    )


def _misplaced(error: typer.TyperException) -> str:
    """Return which option takes a word that a command does not, where it is what its group is about; else "".

    So `shoal ladder join main` is told of `--ladder`.
    """
    context: typer.Context | None = getattr(error, "ctx", None)
    found = re.fullmatch(
        r"Got unexpected extra arguments?(?:\(s\))? \((\S+)\)", str(getattr(error, "message", ""))
    )
    if found is None or context is None or context.parent is None:
        return ""
    option = f"--{context.parent.info_name}"
    if not any(option in parameter.opts for parameter in context.command.params):
        return ""
    return f"`{context.command_path}` takes no {found[1]!r} by itself: say {option} {found[1]}"
