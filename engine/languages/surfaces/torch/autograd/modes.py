"""`torch.no_grad` and its kin: whether functions leave nodes behind, as blocks and as decorators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.dispatch import CALLABLES, CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.state import state


class Mode:
    """A mode of recording: a block, or a decorator.

    at_once: whether it holds from its call on, as `set_grad_enabled(False)` does.
    inference: whether it is inference mode that it turns on or off; None leaves that as it is.
    """

    def __init__(self, records: bool | None, at_once: bool = False, inference: bool | None = None) -> None:
        self.records = records
        self.inference = inference
        self.outer = state().records
        if at_once and records is not None:
            state().records = records


class ModeKind:
    """`torch.no_grad` itself, which `@torch.no_grad` without brackets uses, too."""

    def __init__(self, name: str, records: bool) -> None:
        self.name = name
        self.records = records


class _Opened(AbstractContextManager[None]):
    def __init__(self, mode: Mode) -> None:
        self._mode = mode
        self._outer: list[tuple[bool, bool]] = []

    def __enter__(self) -> None:
        now = state()
        records = self._mode.outer if self._mode.records == now.records else now.records
        self._outer.append((records, now.inference))
        if self._mode.records is not None:
            now.records = self._mode.records
        if self._mode.inference is not None:
            now.inference = self._mode.inference

    def __exit__(self, *_: object) -> None:
        now = state()
        now.records, now.inference = self._outer.pop()


CONTEXTS[Mode] = lambda interpreter, mode: _Opened(mode)
members_of(Mode, "no_grad")


def _decorated(mode: Mode, function: Any) -> Native:
    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        with _Opened(mode):
            return interpreter.call(function, list(args), keywords)

    return Native(getattr(function, "name", "function"), call)


def _call_kind(
    interpreter: Interpreter, kind: ModeKind, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Any:
    """`torch.no_grad()`, or `torch.no_grad(function)`."""
    if kind.name == "inference_mode":
        on = args[0] if args else keywords.get("mode", True)
        if not isinstance(on, bool):
            return _decorated(Mode(False, inference=True), on)
        return Mode(not on, inference=on)
    if args:
        return _decorated(Mode(kind.records), args[0])
    return Mode(kind.records)


CALLABLES[ModeKind] = _call_kind
CALLABLES[Mode] = lambda interpreter, mode, args, keywords: _decorated(mode, args[0])
for _name, _records in {"no_grad": False, "enable_grad": True, "inference_mode": False}.items():
    torch_value(ModeKind(_name, _records), _name, f"autograd.{_name}")


@torch_function("set_grad_enabled", "autograd.set_grad_enabled")
def set_grad_enabled(mode: Any) -> Mode:
    """Record from here on, or not; as a block only inside."""
    return Mode(bool(mode), at_once=True)


@torch_function("is_grad_enabled")
def is_grad_enabled() -> bool:
    """Whether functions leave nodes behind now."""
    return state().records


@torch_function("is_inference_mode_enabled")
def is_inference_mode_enabled() -> bool:
    """Whether `torch.inference_mode` holds."""
    return state().inference


class Anomaly(AbstractContextManager[None]):
    """Whether a pass backward looks for gradients that are no numbers: from here on, or in a block."""

    def __init__(self, looks: bool) -> None:
        self.looks = looks
        self.outer = state().looks_for_nan

    def __enter__(self) -> None:
        state().looks_for_nan = self.looks

    def __exit__(self, *_: object) -> None:
        state().looks_for_nan = self.outer


CONTEXTS[Anomaly] = lambda interpreter, anomaly: anomaly
members_of(Anomaly, "set_detect_anomaly")


@torch_function("autograd.detect_anomaly")
def detect_anomaly(check_nan: Any = True) -> Anomaly:
    """A block in which a gradient that is no number is an error."""
    return Anomaly(bool(check_nan))


@torch_function("autograd.set_detect_anomaly")
def set_detect_anomaly(mode: Any, check_nan: Any = True) -> Anomaly:
    """The same, from here on."""
    made = Anomaly(bool(mode and check_nan))
    made.__enter__()
    return made


@torch_function("is_anomaly_enabled")
def is_anomaly_enabled() -> bool:
    """Whether a pass backward looks for gradients that are no numbers."""
    return state().looks_for_nan
