"""`torch.func.functional_call`: a module with other parameters, for one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.module import modules_of
from engine.languages.surfaces.torch.registry import torch_function


@torch_function("func.functional_call", "nn.utils.stateless.functional_call")
def functional_call(
    interpreter: Interpreter,
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: Any = None,
    *,
    tie_weights: Any = True,
    strict: Any = False,
) -> Any:
    """What a module gives with these tensors in place of its parameters and buffers, by names with dots."""
    dicts = parameter_and_buffer_dicts
    given = dicts if isinstance(dicts, Mapping) else {key: one for part in dicts for key, one in part.items()}
    inputs = () if args is None else args if isinstance(args, tuple) else (args,)
    with _exchanged(module, given):
        return interpreter.call(module, list(inputs), dict(kwargs or {}))


@contextmanager
def _exchanged(module: UserObject, given: Mapping[str, Any]) -> Iterator[None]:
    """Other values behind these names inside. Raises: RuntimeError's message for a name that there is not."""
    owners = dict(modules_of(module))
    before: list[tuple[UserObject, str, Any]] = []
    try:
        for name, value in given.items():
            path, _, own = name.rpartition(".")
            owner = owners.get(path)
            if owner is None or own not in owner.fields:
                raise torch_error(
                    f"Unexpected key(s): {name}.", f"模块中没有名为 {name} 的参数。", code="unknown_attribute"
                )
            before.append((owner, own, owner.fields[own]))
            owner.fields[own] = value
        yield
    finally:
        for owner, own, value in reversed(before):
            owner.fields[own] = value
