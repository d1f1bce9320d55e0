"""`torch.autocast` and `GradScaler`: without a graphics card PyTorch turns both off, and so numbers stay.

On the processor autocast computes some functions in bfloat16 and others not, which is not part of Gradlens.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.dispatch import CALLABLES, CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import call_method
from engine.languages.surfaces.torch.devices import device
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.registry import torch_function


class Autocast:
    """`torch.autocast("cuda")`: a block, or a decorator, that changes nothing."""


CONTEXTS[Autocast] = lambda interpreter, mode: nullcontext()
members_of(Autocast, "autocast")


def _decorated(function: Any) -> Native:
    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        return interpreter.call(function, list(args), keywords)

    return Native(getattr(function, "name", "function"), call)


CALLABLES[Autocast] = lambda interpreter, mode, args, keywords: _decorated(args[0])


@torch_function("autocast", "amp.autocast", "amp.autocast_mode.autocast")
def autocast(device_type: Any, dtype: Any = None, enabled: Any = True, cache_enabled: Any = None) -> Autocast:
    """Off for a device that there is not. Raises: where it would compute in bfloat16."""
    if enabled and device(device_type).type == "cpu":
        raise not_here(
            "torch.autocast on the processor, which computes in bfloat16,",
            "处理器上的 torch.autocast（bfloat16 计算）",
            "Leave it out, or write enabled=False.",
            "请去掉它，或写 enabled=False。",
        )
    return Autocast()


@torch_function("cuda.amp.autocast")
def autocast_of_cuda(enabled: Any = True, dtype: Any = None, cache_enabled: Any = True) -> Autocast:
    """Off: there is no graphics card."""
    return Autocast()


class GradScaler:
    """Scales a loss for half precision; off without a graphics card."""


SCALER = members_of(GradScaler, "GradScaler")
SHOWN[GradScaler] = (lambda _: "<torch.amp.GradScaler object>", lambda _: "<torch.amp.GradScaler object>")
torch_function("amp.GradScaler", "cuda.amp.GradScaler", "amp.grad_scaler.GradScaler")(
    lambda device=None, **settings: GradScaler()
)
METHODS: dict[str, Callable[..., Any]] = {
    "scale": lambda scaler, outputs: outputs,
    "unscale_": lambda scaler, optimizer: None,
    "update": lambda scaler, new_scale=None: None,
    "get_scale": lambda scaler: 1.0,
    "is_enabled": lambda scaler: False,
    "state_dict": lambda scaler: {},
    "load_state_dict": lambda scaler, state_dict: None,
}
for _name, _method in METHODS.items():
    SCALER.method(_name)(_method)


@SCALER.method("step")
def _step(interpreter: Interpreter, scaler: GradScaler, optimizer: Any, *args: Any) -> Any:
    return call_method(interpreter, optimizer, "step", *args)
