"""Machine code for generated functions of numbers, where numba is installed: quicker, and never needed.

code = MachineCode(function, 100, np.empty(100), 3.0)    # what it is called with
code.begin()                                             # compiles beside whatever runs
(code.ready or function)(steps, column, x)
"""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

Function = Callable[..., Any]

log = logging.getLogger(__name__)


def available() -> bool:
    """Whether this process may compile.

    Not under limits on memory or processor time, which the service's workers have: where LLVM gets no memory
    it ends the process, and no run may die of what was to make it quicker. Nor where numba's own
    `NUMBA_DISABLE_JIT` is set.
    """
    return _installed() and not _limited() and os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def _limited() -> bool:
    if sys.platform == "win32":
        return False
    import resource

    limits = (resource.RLIMIT_AS, resource.RLIMIT_CPU)
    return any(resource.getrlimit(limit)[0] != resource.RLIM_INFINITY for limit in limits)


@lru_cache(maxsize=1)
def _installed() -> bool:
    return importlib.util.find_spec("numba") is not None


def compiled(function: Function, *arguments: Any) -> Function:
    """The function as machine code, for arguments of these types and no others.

    Every operation rounds as IEEE 754 says, none is fused with or moved past another; a division by 0 or a
    logarithm of 0 gives an infinity and does not raise. Holds no lock of the interpreter while it runs.
    """
    import numba  # takes a third of a second, so only where something is compiled

    code = numba.njit(error_model="numpy", nogil=True)(function)
    code.compile(tuple(numba.typeof(argument) for argument in arguments))
    code.disable_compile()
    made: Function = code
    return made


class MachineCode:
    """A function on its way to machine code.

    ready: the compiled function; None until then.
    error: why numba could not compile it.
    """

    def __init__(self, function: Function, *arguments: Any) -> None:
        self.ready: Function | None = None
        self.error: Exception | None = None
        self._function = function
        self._arguments = arguments
        self._thread: threading.Thread | None = None

    def begin(self) -> threading.Thread:
        """Compile in the background; a second time does nothing."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._compile, name="machine code")
            self._thread.start()  # no daemon: LLVM must not be at work when the process is taken down
        return self._thread

    def wait(self) -> Function | None:
        """Compile, and come back with what is ready then."""
        self.begin().join()
        return self.ready

    def _compile(self) -> None:
        try:
            self.ready = self._compiled()
        except Exception as error:  # numba raises of every kind; the function itself goes on serving
            self.error = error
            log.debug("no machine code: %s", error)

    def _compiled(self) -> Function:
        return compiled(self._function, *self._arguments)
