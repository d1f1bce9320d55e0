"""`torch.utils.checkpoint`: what it computes twice to save memory is computed once here."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.registry import torch_function

SETTINGS = ("use_reentrant", "preserve_rng_state", "context_fn", "determinism_check", "debug", "early_stop")


@torch_function("utils.checkpoint.checkpoint")
def checkpoint(interpreter: Interpreter, function: Any, *args: Any, **kwargs: Any) -> Any:
    """What a function gives; its gradient would compute it once more."""
    given = {key: one for key, one in kwargs.items() if key not in SETTINGS}
    return interpreter.call(function, list(args), given)


@torch_function("utils.checkpoint.checkpoint_sequential")
def checkpoint_sequential(
    interpreter: Interpreter, functions: Any, segments: Any, input: Any, **kwargs: Any
) -> Any:
    """What layers give one after the other."""
    if not isinstance(functions, (list, tuple)):
        return interpreter.call(functions, [input], {})
    for function in functions:
        input = interpreter.call(function, [input], {})
    return input
