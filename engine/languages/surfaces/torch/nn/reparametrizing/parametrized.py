"""`torch.nn.utils.parametrize`: a parameter that modules compute from an original, whenever it is read."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.torch.autograd.in_place import write
from engine.languages.surfaces.torch.classes import Method, call_method, library_class
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.nn.hooks import add_hook
from engine.languages.surfaces.torch.nn.layers.containers import MODULE_DICT, MODULE_LIST
from engine.languages.surfaces.torch.nn.parameter import parameter
from engine.languages.surfaces.torch.nn.reparametrizing.replaced import parameter_of, without_history
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.tensor import Tensor

HERE = "nn.utils.parametrize."
PLACE = "parametrizations"
ORIGINAL = "original"


def _originals(self: UserObject) -> list[Any]:
    """What the first parametrization is given."""
    if ORIGINAL in self.fields:
        return [self.fields[ORIGINAL]]
    return [value for name, value in self.fields.items() if name.startswith(ORIGINAL)]


def _steps(self: UserObject) -> list[Any]:
    return [value for name, value in self.fields.items() if name.isdigit()]


def _compute(interpreter: Interpreter, self: UserObject) -> Any:
    """The originals, through all parametrizations."""
    first, *rest = _steps(self)
    found = interpreter.call(first, _originals(self), {})
    for one in rest:
        found = interpreter.call(one, [found], {})
    return found


LIST = library_class("ParametrizationList", MODULE_LIST, forward=_compute)
torch_value(LIST, f"{HERE}ParametrizationList")


def _list_of(module: UserObject, name: str) -> UserObject | None:
    held = module.fields.get(PLACE)
    return None if held is None else held.fields.get(name)


def _inverse(interpreter: Interpreter, parametrization: UserObject, value: Any) -> Any:
    """What `right_inverse` gives for a value, where there is such a method."""
    if parametrization.kind.find("right_inverse") is MISSING:
        return value
    with without_history():
        return call_method(interpreter, parametrization, "right_inverse", value)


def register(
    interpreter: Interpreter, module: UserObject, name: str, parametrization: UserObject, unsafe: bool
) -> UserObject:
    """Let a module compute one of its parameters, or compute it further. Raises: ValueError."""
    call_method(interpreter, parametrization, "train", module.fields["training"])
    present = _list_of(module, name)
    if present is not None:
        if not unsafe:
            _check_shape(
                interpreter.call(parametrization, [_compute(interpreter, present)], {}), module, name
            )
        present.fields[str(len(_steps(present)))] = parametrization
        return module
    weight = parameter_of(module, name)
    made = interpreter.call(LIST, [[parametrization]], {})
    _hold(made, weight, _inverse(interpreter, parametrization, weight))
    found = _compute(interpreter, made)
    if not unsafe:
        _check_shape(found, module, name, weight)
    del module.fields[name]
    _become(interpreter, module, name)
    module.fields[PLACE].fields[name] = made
    module.fields[name] = found
    return module


def _hold(made: UserObject, weight: Any, values: Any) -> None:
    """Keep the originals: the parameter itself, or as many parameters as `right_inverse` gives tensors."""
    if isinstance(values, Tensor):
        if values is not weight:
            with without_history():
                write(weight, values.value)
        made.fields[ORIGINAL] = weight
        return
    for index, one in enumerate(values):
        with without_history():
            copied = parameter(one)
        made.fields[f"{ORIGINAL}{index}"] = copied


def _check_shape(found: Any, module: UserObject, name: str, weight: Any = None) -> None:
    expected = module.fields[name] if weight is None else weight
    if not isinstance(found, Tensor) or found.shape != expected.shape:
        raise torch_error(
            "Registering a parametrization may not change the shape of the tensor, unless `unsafe` flag is "
            f"enabled.\nunparametrized shape: torch.Size({list(expected.shape)})\n"
            f"parametrized shape: torch.Size({list(getattr(found, 'shape', ()))})",
            "参数化不能改变张量的形状。",
            kind="ValueError",
            code="shape_mismatch",
        )


def _become(interpreter: Interpreter, module: UserObject, name: str) -> None:
    """Let the module be of a class of its own, `Parametrized…`, whose attribute is computed."""
    read = Method(f"{module.kind.name}.{name}", lambda interpreter, self: _read(interpreter, self, name))
    change = Method(
        f"{module.kind.name}.{name}", lambda interpreter, self, new: _set(interpreter, self, name, new)
    )
    members: dict[str, Any] = {name: Wrapped("property", read, setter=change)}
    if PLACE not in module.fields:
        module.fields[PLACE] = interpreter.call(MODULE_DICT, [], {})
        kind = UserClass(f"Parametrized{module.kind.name}", module.kind, members, origin="library")
    else:
        kind = UserClass(
            module.kind.name, module.kind.base, {**module.kind.members, **members}, origin="library"
        )
    module.kind = kind
    if isinstance(module.kind.find("forward"), Native):
        hook = Native("parametrize", lambda interpreter, self, args: _refresh(interpreter, self, name))
        add_hook(module, "before", hook, False, False)


def _read(interpreter: Interpreter, self: UserObject, name: str) -> Any:
    present = _list_of(self, name)
    return self.fields.get(name) if present is None else _compute(interpreter, present)


def _refresh(interpreter: Interpreter, self: UserObject, name: str) -> None:
    """Compute what the module's own `forward`, which is one of PyTorch's, reads."""
    if _list_of(self, name) is not None:
        self.fields[name] = _read(interpreter, self, name)


def _set(interpreter: Interpreter, self: UserObject, name: str, new: Any) -> None:
    """`module.weight = tensor`: the originals from which it is computed."""
    present = _list_of(self, name)
    if present is None:
        self.fields[name] = new
        return
    values = new
    for one in reversed(_steps(present)):
        if one.kind.find("right_inverse") is MISSING:
            raise torch_error(
                f"parametrization {one.kind.name} does not implement right_inverse.",
                f"参数化 {one.kind.name} 没有 right_inverse 方法。",
            )
        values = _inverse(interpreter, one, values)
    found = [values] if isinstance(values, Tensor) else list(values)
    with without_history():
        for original, value in zip(_originals(present), found, strict=True):
            write(original, value.value)


@torch_function(f"{HERE}register_parametrization")
def register_parametrization(
    interpreter: Interpreter,
    module: UserObject,
    tensor_name: Any,
    parametrization: UserObject,
    *,
    unsafe: Any = False,
) -> UserObject:
    """Let a module compute one of its parameters by another module."""
    return register(interpreter, module, tensor_name, parametrization, bool(unsafe))


@torch_function(f"{HERE}is_parametrized")
def is_parametrized(module: UserObject, tensor_name: Any = None) -> bool:
    """Whether a module computes a parameter, or any."""
    held = module.fields.get(PLACE)
    if held is None:
        return False
    return bool(held.fields.get(tensor_name) is not None) if tensor_name is not None else True


@torch_function(f"{HERE}remove_parametrizations")
def remove_parametrizations(
    interpreter: Interpreter, module: UserObject, tensor_name: Any, leave_parametrized: Any = True
) -> UserObject:
    """The parameter itself again: as it was computed last, or the original. Raises: ValueError."""
    present = _list_of(module, tensor_name)
    if present is None:
        raise torch_error(
            f"Module {module.kind.name} does not have a parametrization on {tensor_name}",
            f"模块 {module.kind.name} 的 {tensor_name} 没有参数化。",
            kind="ValueError",
        )
    originals = _originals(present)
    if leave_parametrized:
        with without_history():
            value = _compute(interpreter, present)
            kept = originals[0] if len(originals) == 1 else parameter(value)
            write(kept, value.value)
    elif len(originals) == 1:
        kept = originals[0]
    else:
        raise torch_error(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms "
            "of a sequence of tensors.",
            "由多个张量参数化的张量不能用 leave_parametrized=False。",
            kind="ValueError",
        )
    del module.fields[PLACE].fields[tensor_name]
    module.fields.pop(tensor_name, None)
    if not any(isinstance(one, UserObject) for one in module.fields[PLACE].fields.values()):
        del module.fields[PLACE]
        base = module.kind.base
        assert base is not None
        module.kind = base
    module.fields[tensor_name] = kept
    return module


@torch_function(f"{HERE}cached")
def cached() -> Block:
    """A block that changes no number: what is read in it is computed as often as outside."""
    return Block(nullcontext)
