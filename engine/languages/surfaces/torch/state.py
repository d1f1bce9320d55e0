"""What one run of a PyTorch program shares: whether gradients are recorded, and the count of functions."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from engine.execution.eager.passing import PassingGraph
from engine.languages.surfaces.torch.dtypes import DEFAULT_FLOAT, DType


@dataclass(slots=True)
class State:
    """The state of a run.

    records:  whether functions on tensors that require gradients leave nodes behind.
    inference: whether `torch.inference_mode` holds.
    looks_for_nan: whether a gradient that is no number is an error (`torch.autograd.detect_anomaly`).
    has_bfloat16: whether the run has made a tensor of bfloat16.
    has_complex: whether the run has made a tensor of complex numbers.
    sequence: how many nodes were made; a backward pass takes the youngest first.
    levels:   the transformations of `torch.func` around what runs.
    first_values: the numbers that come with a request for variables, where it brings any.
    default_float: the type of Python's floats.
    parts:    what other files of this surface keep for a run, by their own key.
    """

    graph: PassingGraph
    workspace: Any = None
    records: bool = True
    inference: bool = False
    looks_for_nan: bool = False
    has_bfloat16: bool = False
    has_complex: bool = False
    sequence: int = 0
    levels: tuple[Any, ...] = ()
    first_values: Any = None
    default_float: DType = DEFAULT_FLOAT
    parts: dict[str, Any] = field(default_factory=dict)

    @property
    def interpreter(self) -> Any:
        """The interpreter of the run."""
        return self.workspace.interpreter


_state: ContextVar[State] = ContextVar("the run of a PyTorch program")
state = _state.get


def state_or_none() -> State | None:
    """The state of the run, where one is going on."""
    return _state.get(None)


def is_inference() -> bool:
    """Whether `torch.inference_mode` holds."""
    now = _state.get(None)
    return now is not None and now.inference


@contextmanager
def running(new: State) -> Iterator[State]:
    """A run with this state."""
    token = _state.set(new)
    try:
        yield new
    finally:
        _state.reset(token)


@contextmanager
def recording(records: bool) -> Iterator[None]:
    """Functions inside leave nodes behind, or do not."""
    now = state()
    outer, now.records = now.records, records
    try:
        yield
    finally:
        now.records = outer
