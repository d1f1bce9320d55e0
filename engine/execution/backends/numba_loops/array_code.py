"""Machine code for generated functions of arrays, where numba and scipy (for its BLAS) are installed.

Its functions and sums differ from numpy's in the last digits, so no run changes from one to the other.
"""

from __future__ import annotations

import importlib.util
import logging
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from engine.execution.backends.numba_loops import machine_code
from engine.execution.backends.numba_loops.array_machine import Function, Made
from engine.execution.backends.numba_loops.emitter import MachineText
from engine.execution.backends.numba_loops.machine_code import MachineCode
from engine.execution.backends.numba_loops.vector_functions import vector_functions
from engine.execution.backends.numpy_calls.text import NAMES
from engine.execution.backends.numpy_calls.writing import WORD
from engine.execution.backends.templates import function_of
from engine.execution.tracing.tracer import NotLowered

log = logging.getLogger(__name__)


WORTH_COMPILING_S = 20.0  # several times as long as numba takes for most functions

_known_codes: dict[Any, ArrayCode] = {}


def available() -> bool:
    """Whether this process may compile functions of arrays."""
    return machine_code.available() and _has_blas()


@lru_cache(maxsize=1)
def _has_blas() -> bool:
    return importlib.util.find_spec("scipy") is not None  # numba's products call its BLAS


class ArrayCode(MachineCode):
    """The function `machine` of a text, on its way to machine code."""

    def __init__(self, text: MachineText) -> None:
        super().__init__(lambda: None, *text.examples)
        self._text = text

    def _compiled(self) -> Function:
        helpers = {name: _helper(code) for name, code in self._text.helpers.items()}
        function = function_in(self._text.code, _machine_names() | helpers)
        machine = machine_code.compiled(function, *self._arguments)
        machine(*self._arguments)  # finds BLAS, which numba looks up at the first call
        return machine


class MachineWay:
    """Another way to compute what a function of numpy's calls does.

    write: gives its text, and the function around it; raises NotLowered where there is none.
    ready: the function once it is compiled.
    """

    def __init__(self, write: Callable[[], Made]) -> None:
        self.ready: Function | None = None
        self._write = write
        self._made: Made | None = None
        self._code: ArrayCode | None = None
        self._refused = False
        self._left_s = WORTH_COMPILING_S

    @property
    def source(self) -> str:
        """The text of what is compiled."""
        return "" if self._made is None else self._made[0].shown

    def wait(self) -> bool:
        """Compile, and come back when that is done; whether it could be."""
        self.begin()
        if self._code is not None:
            self._code.wait()
        return self.look()

    def begin(self) -> None:
        """Compile in the background, if that is possible here."""
        self._find()
        if self._code is not None:
            self._code.begin()

    def spend(self, seconds: float) -> None:
        """Time that numpy's calls took. Once compiling would have been worth it, that begins."""
        self._left_s -= seconds
        if self._left_s < 0 and not self._refused:
            self.begin()

    def look(self) -> bool:
        """Whether it is compiled by now, for this or for another function of the same text."""
        if self.ready is None and _known_codes:
            self._find()
            if self._code is not None and self._code.ready is not None and self._made is not None:
                self.ready = self._made[1](self._code.ready)
        return self.ready is not None

    def _find(self) -> None:
        if self._code is not None or self._refused:
            return
        try:
            if not available():
                raise NotLowered("nothing is compiled here")
            self._made = self._write()
        except NotLowered as reason:
            log.debug("stays with numpy: %s", reason)
            self._refused = True
            return
        self._code = _known_codes.setdefault(_key(self._made[0]), ArrayCode(self._made[0]))


def _key(text: MachineText) -> Any:
    """What two functions share that are compiled alike."""
    kinds = [(x.dtype, x.ndim) if isinstance(x, np.ndarray) else type(x) for x in text.examples]
    return text.code, *text.helpers.items(), *kinds


@lru_cache(maxsize=1)
def _machine_names() -> dict[str, Any]:
    """What generated text may call: arrays at addresses, and functions of numbers."""
    import numba
    from numba import carray, types  # type: ignore[attr-defined]  # it lists no public names
    from numba.extending import intrinsic

    compiled = numba.njit(error_model="numpy", nogil=True)
    fused = numba.njit(error_model="numpy", nogil=True, fastmath={"contract"})  # a·b + c, rounded once
    endless = 1 << 60

    def typed(context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(types.float64)(types.int64), generate

    pointer: Any = intrinsic(typed)

    @compiled
    def address(array: Any) -> Any:
        return np.int64(array.ctypes.data)

    @compiled
    def floats(start: Any) -> Any:
        return carray(pointer(start), endless)

    @compiled
    def matrix(start: Any, rows: int, columns: int) -> Any:
        return carray(pointer(start), (rows, columns))

    own = {"address": address, "floats": floats, "matrix": matrix}
    return {**NAMES, **vector_functions(fused), **own}


@lru_cache(maxsize=256)
def _helper(code: str) -> Any:
    """A helper, shared by all functions that call the same text. Its sums are taken in any order."""
    import numba

    sums = {"reassoc"} if code.startswith("def reduction") else False
    return numba.njit(error_model="numpy", nogil=True, fastmath=sums)(function_in(code, _machine_names()))


def function_in(code: str, known: Mapping[str, Any]) -> Function:
    """The function of a text, with those of the known names that it uses."""
    words = set(WORD.findall(code))
    return function_of(code, {word: known[word] for word in sorted(words & known.keys())})
