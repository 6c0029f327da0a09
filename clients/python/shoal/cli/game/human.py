"""The person at the terminal: is told what happens, is asked, and may ask back."""

from collections.abc import Callable, Sequence
from typing import TypeAlias, assert_never

from shoal.cli.game.answers import Asked, Chosen, Command, Unclear, understand
from shoal.cli.game.ending import show_round_end
from shoal.cli.game.manual import COMMANDS, manual
from shoal.cli.game.options import option_rows, question
from shoal.cli.game.position import show_hand, show_table, show_worth
from shoal.cli.game.screen import Screen
from shoal.cli.game.telling import Clause, Names, clauses
from shoal.cli.output import Failed
from shoal.cli.sheet import find, lines_of, table
from shoal.engine import (
    DecisionKind,
    Event,
    HandRevealed,
    Move,
    Observation,
    RoundEnded,
    RoundStarted,
    format_move,
)

Ask: TypeAlias = Callable[[], str]
"""Returns the next line that was typed; raises EOFError at the end of input."""


class Left(Exception):
    """The person has left the table."""


class Human:
    """One seat played by a person, who sees what `observe` and `redact` give it, and nothing else."""

    def __init__(self, names: Names, screen: Screen, ask: Ask) -> None:
        """Sit down."""
        self._names = names
        self._screen = screen
        self._ask = ask
        self._told: list[Clause] = []
        self.view: Observation | None = None

    def hear(self, events: Sequence[Event], view: Observation) -> None:
        """Tell what happened: a line for each seat that did something, more at the end of a round."""
        before, self.view = self.view, view
        acts: list[Event] = []
        for event in events:
            if isinstance(event, RoundEnded) and before is not None:
                # The hands that are shown now are part of what is written about the end.
                self._tell([act for act in acts if not isinstance(act, HandRevealed)])
                self.flush()
                show_round_end(self._screen, event, events, before, self._names)
                acts = []
            elif isinstance(event, RoundStarted):
                self._tell(acts)
                self.flush()
                acts = []
                starter = self._names[event.starter]
                starts = self._names.does(event.starter, "starts")
                self._screen.blank()
                self._screen.line(f"Round {event.round} begins: {starter} {starts}.")
            else:
                acts.append(event)
        self._tell(acts)

    def choose(self, view: Observation) -> Move:
        """Return what the person chooses; raise Left."""
        self.flush()
        assert view.question is not None
        if len(view.options) == 1:
            self._screen.line(f"(the only thing to do: {format_move(view.options[0])})")
            return view.options[0]
        if view.question.kind is DecisionKind.TAKE:
            self._show_position(view)
        elif view.question.kind is DecisionKind.PLAY:
            self._screen.blank()
            show_hand(self._screen, view)
        self._show_options(view)
        while True:
            answer = understand(self._typed(), view.options)
            match answer:
                case Chosen(move):
                    return move
                case Asked(command, about):
                    self._answer(command, about, view)
                case Unclear(why):
                    self._screen.line(why)
                case _:
                    assert_never(answer)

    def note(self, text: str) -> None:
        """Tell something that is no event."""
        self.flush()
        self._screen.line(text)

    def flush(self) -> None:
        """Write the line that was begun."""
        told, self._told = self._told, []
        if told:
            seat = told[0].seat
            name = "" if seat is None else self._names[seat]
            text = "; ".join(clause.text for clause in told)
            self._screen.rows([[name.ljust(self._names.width), text]])

    def _tell(self, events: Sequence[Event]) -> None:
        """Take in what is to be told; a seat's line ends where another one acts."""
        for clause in clauses(events, self._names):
            if self._told and self._told[-1].seat != clause.seat:
                self.flush()
            self._told.append(clause)

    def _show_position(self, view: Observation) -> None:
        turn = "Your turn" if view.caller is None else "Your last turn in this round"
        self._screen.heading(f"{turn} - round {view.round}, {view.target} points win")
        show_table(self._screen, view, self._names)
        show_hand(self._screen, view)

    def _show_options(self, view: Observation) -> None:
        self._screen.blank()
        self._screen.line(question(view))
        self._screen.rows(option_rows(view, self._names), right={0}, indent=4)

    def _typed(self) -> str:
        try:
            return self._ask()
        except EOFError:
            raise Left from None

    def _answer(self, command: Command, about: str, view: Observation) -> None:
        """Do what a command asks for."""
        match command:
            case Command.HELP:
                for text in manual(view, self._names):
                    self._screen.line(text)
                    self._screen.blank()
                self._screen.rows(COMMANDS)
            case Command.RULES:
                self._show_rules(about)
            case Command.TABLE:
                self._show_position(view)
                self._show_options(view)
            case Command.WORTH:
                show_worth(self._screen, view)
            case Command.QUIT:
                raise Left
            case _:
                assert_never(command)

    def _show_rules(self, about: str) -> None:
        """Write what a card does, or a line for each."""
        try:
            lines = lines_of(find(about)) if about else table()
        except Failed as error:
            self._screen.line(str(error))
            return
        for line in lines:
            self._screen.line(line)
