"""`torch.func.functional_call`: a module with other parameters, for one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.shaping import detach, stack
from engine.languages.surfaces.torch.nn.module import gathered, modules_of, own_buffers, own_parameters
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import require_grad


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


@torch_function("func.stack_module_state")
def stack_module_state(models: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of modules of one kind, each stacked along a new first axis."""
    listed = list(iterate(models))
    parts = [[dict(gathered(model, own)) for model in listed] for own in (own_parameters, own_buffers)]
    parameters, buffers = (
        {name: _stacked([one[name] for one in group], place == 0) for name in group[0]}
        for place, group in enumerate(parts)
    )
    return parameters, buffers


def _stacked(parts: list[Any], gradients: bool) -> Any:
    made = detach(stack(parts, 0))
    return require_grad(made) if gradients else made
