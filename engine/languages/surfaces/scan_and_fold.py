"""`tf.scan`, `tf.foldl` and `tf.foldr`: what a program passes them in both versions of TensorFlow.

How the rows are gone through is each version's own: TensorFlow 1 puts a loop into the graph
(`tf1/loops.py`), TensorFlow 2 takes them one by one as the program runs (`tf2/loops.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.structures import flat, in_form, values_for
from engine.languages.surfaces.tf1.functions.arrays import plain

Row = Sequence[Any]  # what stands side by side: one value for each tensor


@dataclass(frozen=True, slots=True)
class Fold:
    """A function of the program, to be called with what it found so far and the next row, row after row.

    elems:     the tensors whose rows are gone through, as the program wrote them.
    begun:     what is there before the first row, in the form of all that is found; None: the first row.
    backwards: whether the last row comes first.
    back_prop: whether gradients go back through the rows.
    title:     what the program called, such as `tf.scan`.
    name:      what the program calls its nodes.
    """

    interpreter: Interpreter
    title: str
    function: Any
    elems: Any
    begun: Any
    backwards: bool
    back_prop: bool
    name: Any

    @property
    def start(self) -> list[Any] | None:
        """The values before the first row."""
        return None if self.begun is None else [plain(value) for value in flat(self.begun)]

    def step(self, before: Row, row: Row) -> list[Any]:
        """The values after a row, from those before. Raises: ProgramError where they are not as many."""
        state = in_form(self.form, iter(before))
        found = self.interpreter.call(self.function, [state, in_form(self.elems, iter(row))], {})
        return values_for(self.form, found, f"The function of {self.title}")

    @property
    def form(self) -> Any:
        """The lists, tuples and dicts that what is found stands in."""
        return self.elems if self.begun is None else self.begun

    def in_form(self, values: Iterator[Any]) -> Any:
        """What the program is given: these values in its own form."""
        return in_form(self.form, values)


Rule = Callable[[Fold], Row]


def folds(after_each: Rule, after_all: Rule) -> Mapping[str, Callable[..., Any]]:
    """The three functions by name.

    after_each: gives what is there after every row, side by side in the rows' own order.
    after_all:  gives what is there in the end.
    """

    def scan(
        interpreter: Interpreter,
        fn: Any,
        elems: Any,
        initializer: Any = None,
        parallel_iterations: Any = 10,
        back_prop: Any = True,
        swap_memory: Any = False,
        infer_shape: Any = True,
        reverse: Any = False,
        name: Any = None,
    ) -> Any:
        """What the function makes of each row and what it made of the row before, side by side."""
        fold = Fold(interpreter, "tf.scan", fn, elems, initializer, bool(reverse), bool(back_prop), name)
        return fold.in_form(iter(after_each(fold)))

    return {
        "scan": scan,
        "foldl": _folding(after_all, "tf.foldl", "from the first on", backwards=False),
        "foldr": _folding(after_all, "tf.foldr", "from the last on", backwards=True),
    }


def _folding(after_all: Rule, title: str, order: str, *, backwards: bool) -> Callable[..., Any]:
    def fold_rows(
        interpreter: Interpreter,
        fn: Any,
        elems: Any,
        initializer: Any = None,
        parallel_iterations: Any = 10,
        back_prop: Any = True,
        swap_memory: Any = False,
        name: Any = None,
    ) -> Any:
        fold = Fold(interpreter, title, fn, elems, initializer, backwards, bool(back_prop), name)
        return fold.in_form(iter(after_all(fold)))

    fold_rows.__doc__ = f"The rows put together by a function of two, {order}."
    return fold_rows
