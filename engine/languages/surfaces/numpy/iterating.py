"""`np.nditer`: through the elements of arrays one by one, with their places, to read and to write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.numpy.module import NUMPY, own_array, to_array
from engine.languages.surfaces.numpy.sizes import CALLING

FLAGS = ("multi_index", "c_index", "f_index", "zerosize_ok", "refs_ok")
ACCESS = ("readonly", "readwrite", "writeonly")


class Elements:
    """What goes through one array, or through several of one shape, element by element."""

    def __init__(self, iterator: np.nditer) -> None:
        self.iterator = iterator


def _fact(name: str) -> Callable[[Elements], Any]:
    def read(elements: Elements) -> Any:
        try:
            return getattr(elements.iterator, name)
        except ValueError as error:
            raise ProgramError(
                f"{error}",
                message_zh=f"这个 nditer 没有记录 {name}。",
                hint="Write np.nditer(x, flags=['multi_index']) to have places, 'c_index' for their numbers.",
                hint_zh="要得到位置，请写 np.nditer(x, flags=['multi_index'])；要编号，请用 'c_index'。",
                code="bad_value",
            ) from None

    return read


TYPE_NAMES[Elements] = lambda value: "iterator over an array"
CONTEXTS[Elements] = lambda interpreter, elements: nullcontext(elements)
ELEMENTS = members_of(Elements, "nditer", borrowed=True)
for _name in ("finished", "multi_index", "index", "value", "shape", "ndim", "itersize", "iterindex"):
    ELEMENTS.fact(_name)(_fact(_name))
ELEMENTS.method("iternext")(lambda elements: elements.iterator.iternext())
ELEMENTS.method("reset")(lambda elements: elements.iterator.reset())


def _write(elements: Elements, key: Any, new: Any) -> None:
    elements.iterator[key] = new


ITEMS[Elements] = Items(
    write=_write, make=lambda elements, key, budget: elements.iterator[key], count=lambda e: len(e.iterator)
)


def _each(elements: Elements) -> Iterator[Any]:
    return iter(elements.iterator)


ITERATORS[Elements] = _each


def _words(given: Any, offered: tuple[str, ...], name: str) -> list[str]:
    """The flags of a call. Raises: ProgramError for one that is not offered here."""
    words = [given] if isinstance(given, str) else list(given or ())
    unknown = next((word for word in words if word not in offered), None)
    if unknown is not None:
        raise ProgramError(
            f"np.nditer does not take {unknown!r} in {name} here.",
            message_zh=f"这里的 np.nditer 不支持 {name} 中的 {unknown!r}。",
            hint=f"It takes {', '.join(offered)}.",
            hint_zh=f"可用的有 {', '.join(offered)}。",
            code="wrong_arguments",
        )
    return words


def _access(op_flags: Any, count: int) -> list[list[str]]:
    """What each array is gone through for: to be read, to be written, or both."""
    several = any(not isinstance(one, str) for one in op_flags)
    lists = [_words(one, ACCESS, "op_flags") for one in (op_flags if several else [op_flags])]
    return lists if len(lists) == count else lists * count


@NUMPY.function("nditer", order=word_of("K", "C", "F", "A"))
def nditer(
    interpreter: Interpreter, op: Any, flags: Any = None, op_flags: Any = None, *, order: str = "K"
) -> Elements:
    """The elements of an array one by one; of a list of arrays, those of the same place together."""
    arrays = [
        own_array(to_array(interpreter, one), one) for one in (op if isinstance(op, (list, tuple)) else [op])
    ]
    interpreter.budget.spend(CALLING + max(array.size for array in arrays))
    options: dict[str, Any] = {"flags": _words(flags, FLAGS, "flags"), "order": order}
    if op_flags is not None:
        options["op_flags"] = _access(op_flags, len(arrays))
    return Elements(np.nditer(arrays, **options))
