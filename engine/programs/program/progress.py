"""How far a program is while it runs: reported now and then, for whoever waits for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.languages.interpreter import Interpreter

FIRST_S = 1.0  # most programs end sooner
EVERY_S = 0.4

Report = Callable[[dict[str, Any]], None]


class Progress:
    """Reports of one program's run: where it is, how much it did, and what it printed since the last one."""

    def __init__(self, interpreter: Interpreter, report: Report) -> None:
        self._interpreter = interpreter
        self._report = report
        self._lines = 0
        interpreter.budget.report_to(self._look, FIRST_S, EVERY_S)

    def _look(self, elapsed_s: float) -> None:
        interpreter = self._interpreter
        printed = interpreter.printed
        ends_a_line = "".join(interpreter.output[-1:]).endswith("\n")
        complete = printed if ends_a_line else printed[:-1]  # the last may still go on
        new, self._lines = complete[self._lines :], len(complete)
        self._report(
            {
                "line": interpreter.line,
                "steps": interpreter.budget.steps,
                "runs": sum(session.runs for session in interpreter.workspace.sessions),
                "printed": new,
                "elapsed_ms": round(1000 * elapsed_s),
            }
        )
