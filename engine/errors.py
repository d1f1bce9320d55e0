"""Everything that can go wrong, on one screen.

An error says what differs, where, and what to try, in English and in Simplified Chinese. The layer
that knows *what* raises; those that know *where* (the node, then the line) add it on the way up.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of source text. Lines and columns count from 1 in code points; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class GradlensError(Exception):
    """A mistake that a person can mend.

    kind: the exception that Python, numpy or TensorFlow raises for it, where its code alone does not say it.
    instead: a piece of the text at `where`, and what to write in its place, where that mends it.
    said: what that one is made with (several in a tuple), which a program that catches it sees; None where
          that is the message.
    seen: the object that a program which caught it was given.
    in_operation: the name of the op of which a node was being made, and its inputs.
    in_run: the node that a session's run stopped at, and the values that went into it.
    part: which of two programs it is about, where a request has two.
    """

    code = "error"
    seen: Any = None
    in_operation: tuple[str, Any] | None = None
    in_run: tuple[Any, Any] | None = None
    part: str = ""

    def __init__(
        self,
        message: str,
        *,
        hint: str = "",
        message_zh: str = "",
        hint_zh: str = "",
        code: str | None = None,
        where: Span | None = None,
        node: str = "",
        kind: str = "",
        said: Any = None,
        instead: tuple[str, str] | None = None,
    ) -> None:
        super().__init__(cut(message))
        self.kind = kind
        self.said = said
        self.instead = instead
        self.message = cut(message)
        self.hint = cut(hint)
        self.message_zh = cut(message_zh or message)
        self.hint_zh = cut(hint_zh or hint)
        self.code = code or self.code
        self.where = where
        self.node = node


class ProgramError(GradlensError):
    """The program's own mistake."""

    code = "program_error"


class ShapeError(ProgramError):
    """Shapes that do not fit together."""

    code = "shape_mismatch"


class DtypeError(ProgramError):
    """Element types that do not fit together."""

    code = "dtype_mismatch"


class ValueRefused(ProgramError):
    """A value of the wrong kind or out of range."""

    code = "bad_value"


class GraphError(ProgramError):
    """A graph asked for something that it does not hold, or that belongs to another graph."""

    code = "graph_error"


class NoGradientError(ProgramError):
    """A node on the path has no gradient rule, or no variable has a gradient."""

    code = "no_gradient"


class SymbolicError(ProgramError):
    """A number was asked of a tensor that has none before a run."""

    code = "symbolic_value"


class FeedError(ProgramError):
    """A placeholder without a value, or a value that it cannot take."""

    code = "bad_feed"


class UninitialisedError(ProgramError):
    """A variable was read before an initializer ran."""

    code = "uninitialised_variable"


class RefusedError(GradlensError):
    """Text that is not run at all, or a construct that the language leaves out."""

    code = "refused"


class MissingModule(ProgramError):
    """A module that does not come with Python and is not here, which Python calls not installed."""

    code = "refused_import"


class LimitError(GradlensError):
    """A budget is used up. No program can catch it."""

    code = "limit"


class Defect(GradlensError):
    """A mistake of ours that a program has met. No program can catch it, and the log holds what happened."""

    code = "internal_error"

    def __init__(self, inside: str = "") -> None:
        """inside: the function of ours that it happened in, as the program calls it."""
        place, place_zh = (
            (f"in {inside}", f"在 {inside} 中") if inside else ("on this program", "处理这个程序时")
        )
        super().__init__(
            f"Gradlens itself failed {place}; what ran before is shown.",
            message_zh=f"Gradlens {place_zh}自身出错；已显示出错之前的结果。",
            hint="If what it was given is right, please report the program.",
            hint_zh="如果给它的内容没有错，请把这个程序报告给我们。",
        )


NOT_CAUGHT = (LimitError, RefusedError, Defect)  # by any `except` of a program


MESSAGE = 2000  # characters


def cut(text: str) -> str:
    """A message that shows what a program wrote is no longer than a person reads."""
    return text if len(text) <= MESSAGE else f"{text[:MESSAGE]}…"


SHORT = 8  # items of a list that a message shows
QUOTED = 60  # characters


def quoted(value: Any) -> str:
    """A value as a message shows it: numbers, texts and short lists as a program writes them, else its name.

    Nothing that is long is written out first, and nothing of ours is shown by its address.
    """
    if isinstance(value, str):
        return repr(value[:QUOTED])
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if _is_short(value):
        return repr(value)[:QUOTED]
    name = getattr(value, "name", None)
    return name if isinstance(name, str) and name else type(value).__name__


def _is_short(value: Any, depth: int = 3) -> bool:
    if isinstance(value, (list, tuple)):
        return depth > 0 and len(value) <= SHORT and all(_is_short(item, depth - 1) for item in value)
    return (
        value is None or isinstance(value, (int, float)) or (isinstance(value, str) and len(value) <= QUOTED)
    )
