"""`torch.no_grad` and its kin: whether functions leave nodes behind, as blocks and as decorators."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.dispatch import CALLABLES, CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.errors import torch_error
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


# -- the function that `torch.func` transforms ----------------------------------------------------------

AROUND = "transformations around"  # the part of a run that holds their kinds: grad, vmap


@contextmanager
def transforming(kind: str) -> Iterator[None]:
    """What runs inside belongs to the function that a transformation is given."""
    around = state().parts.setdefault(AROUND, [])
    around.append(kind)
    try:
        yield
    finally:
        around.pop()


def check_function(name: str, *, has_setup: bool, has_vmap: bool) -> None:
    """Raises: RuntimeError's messages of PyTorch for an `autograd.Function` that does not fit in."""
    around = state().parts.get(AROUND)
    if not around:
        return
    if not has_setup:
        raise torch_error(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), "
            "it must override the setup_context staticmethod. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
            f"要在 torch.func 的变换中使用 {name}，它必须定义静态方法 setup_context。",
            hint="Write forward(x) without ctx, and setup_context(ctx, inputs, output) beside it.",
            hint_zh="请写不带 ctx 的 forward(x)，以及 setup_context(ctx, inputs, output)。",
        )
    if around[-1] == "vmap" and not has_vmap:
        raise torch_error(
            f"You tried to vmap over {name}, but it does not have vmap support. Please override and "
            "implement the vmap staticmethod or set generate_vmap_rule=True. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
            f"{name} 不支持 vmap：请定义静态方法 vmap，或设 generate_vmap_rule = True。",
        )


def check_buffer_in_place() -> None:
    """Raises: RuntimeError's message of PyTorch where a module counts its batches inside of `grad`."""
    if state().parts.get(AROUND, [""])[-1:] == ["grad"]:
        raise torch_error(
            "During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call "
            "in-place operation (aten::add_.Tensor) that would mutate a captured Tensor. This is not "
            "supported; please rewrite the function being transformed to explicitly accept the mutated "
            "Tensor(s) as inputs.",
            "在 torch.func 的求导变换中，函数不能就地修改外部张量（如 BatchNorm 的统计量）。",
            hint="Call module.eval() first, or make the layer with track_running_stats=False.",
            hint_zh="请先调用 module.eval()，或创建该层时设 track_running_stats=False。",
        )
