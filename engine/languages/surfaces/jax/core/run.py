"""What one run of a program keeps: the trace that is current, the settings, and who counts the work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Any


class JaxRun:
    """The state of JAX in one run of one program.

    trace:    what a primitive is given to now: evaluation, or the innermost transformation.
    recorder: draws what is evaluated as nodes of the graph.
    is_compiled: whether what is computed now is part of a compiled function.
    is_jit_disabled: whether functions of `jax.jit` run each time (`jax.disable_jit`).
    has_bfloat16: whether numbers of bfloat16 were computed.
    own_jaxprs: functions that were traced and whose jaxprs are written in other operations than JAX's.
    is_backward: whether what is computed or written now belongs to a gradient; forward_of: of which value.
    """

    def __init__(self, budget: Any, evaluation: Any, recorder: Any = None) -> None:
        self.budget = budget
        self.evaluation = evaluation
        self.trace: Any = evaluation
        self.recorder = recorder
        self.x64 = False
        self.is_compiled = self.is_jit_disabled = False
        self.has_bfloat16 = False
        self.caches: dict[Any, Any] = {}
        self.tapes: list[Any] = []
        self.pictures: list[Any] = []
        self.own_jaxprs: set[str] = set()
        self.is_backward = False
        self.forward_of: Any = None

    @contextmanager
    def under(self, trace: Any) -> Iterator[None]:
        """Primitives go to this trace inside."""
        outer, self.trace = self.trace, trace
        try:
            yield
        finally:
            self.trace = outer

    @contextmanager
    def going_back(self) -> Iterator[None]:
        """What is computed or written inside belongs to a gradient."""
        before, self.is_backward = self.is_backward, True
        try:
            yield
        finally:
            self.is_backward = before

    @contextmanager
    def gradient_of(self, value: Any) -> Iterator[None]:
        """What is written or computed inside belongs to the linear part of this value."""
        outer, self.forward_of = self.forward_of, value
        try:
            yield
        finally:
            self.forward_of = outer


_CURRENT: ContextVar[JaxRun] = ContextVar("jax_run")


def run_now() -> JaxRun:
    """The run of the program that is running."""
    return _CURRENT.get()


@contextmanager
def running(run: JaxRun) -> Iterator[JaxRun]:
    """Make this the run of the program inside."""
    token = _CURRENT.set(run)
    try:
        yield run
    finally:
        _CURRENT.reset(token)


def written_otherwise(name: str) -> None:
    """Remember that a function which is traced now has another jaxpr here than in JAX."""
    run = run_now()
    if run.trace is not run.evaluation:
        run.own_jaxprs.add(name)


def default_float() -> str:
    """The type of a new array of floats."""
    return "float64" if run_now().x64 else "float32"


def default_int() -> str:
    """The type of a new array of whole numbers."""
    return "int64" if run_now().x64 else "int32"


NARROWER = MappingProxyType(
    {"float64": "float32", "int64": "int32", "uint64": "uint32", "complex128": "complex64"}
)


def canonical(dtype: str) -> str:
    """The type that takes the place of a 64 bit one, as long as those are not enabled."""
    if run_now().x64:
        return dtype
    return NARROWER.get(dtype, dtype)
