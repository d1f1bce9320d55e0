"""What distinguishes one trace from another: types and shapes of tensors, and Python's values themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.graph import Tensor, Variable
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.records import Record, like
from engine.languages.interpreter.builtins.text import SHOWN, to_str
from engine.languages.interpreter.callables import UserFunction
from engine.languages.interpreter.classes.objects import UserMethod
from engine.languages.interpreter.values import concrete
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.flow import common_shape, fits
from engine.languages.surfaces.tf2.functions.traced import TracedShape, written
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Shape

LITERALS = (bool, int, float, str, type(None), DType)


@dataclass(frozen=True, slots=True)
class TensorSpec:
    """`tf.TensorSpec`: the shape and type of a tensor, and a name for it."""

    shape: Shape
    dtype: str
    name: str | None = None

    def accepts(self, other: Any) -> bool:
        """Whether a tensor of another spec fits this one."""
        same_type = isinstance(other, TensorSpec) and self.dtype == other.dtype
        return same_type and fits(other.shape, self.shape)


@dataclass(frozen=True, slots=True)
class VariableSpec:
    """A variable: any of its shape and type will do. alias: which of the variables given it is."""

    shape: Shape
    dtype: str
    alias: int

    def accepts(self, other: Any) -> bool:
        """Whether another one is alike."""
        return bool(self == other)


@dataclass(frozen=True, slots=True)
class Literal:
    """A value of Python's, or an object of the program, which is that object alone."""

    value: Any

    def accepts(self, other: Any) -> bool:
        """Whether it is the same value."""
        if not isinstance(other, Literal):
            return False
        if isinstance(self.value, LITERALS) and isinstance(other.value, LITERALS):
            return bool(self.value == other.value)
        return self.value is other.value


SPEC = members_of(TensorSpec, "TensorSpec")
SPEC.fact("shape")(lambda spec: TracedShape.of(spec.shape))
SPEC.fact("dtype")(lambda spec: DType(spec.dtype))
SPEC.fact("name")(lambda spec: spec.name)
SHOWN[TensorSpec] = (
    lambda spec: f"TensorSpec(shape={written(spec.shape)}, dtype=tf.{spec.dtype}, name={spec.name!r})",
) * 2


def tensor_spec(shape: Any = None, dtype: Any = "float32", name: Any = None) -> TensorSpec:
    """The shape and type of a tensor."""
    return TensorSpec(shape_of(shape), dtype_name(dtype) or "float32", name)


def shape_of(given: Any) -> Shape:
    """A shape as a program writes it: lengths in a list, None for an unknown one or for all."""
    if given is None or (isinstance(given, TensorShape) and not given.known):
        return None
    held = concrete(given)
    listed = given if held is None else np.asarray(held).tolist()
    lengths = [_plain(one) for one in (listed if isinstance(listed, (list, tuple)) else [listed])]
    return tuple(None if length is None else whole_number(length, "shape") for length in lengths)


def _plain(length: Any) -> Any:
    held = concrete(length)
    return length if held is None else held


# -- arguments ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Given:
    """The arguments of a call: a form, and its leaves. names: what each leaf's parameter is called."""

    form: Any
    leaves: list[Any]
    specs: list[Any]
    names: list[str]


def canonical(
    function: Any, args: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[dict[str, Any], list[Any], dict[str, Any]]:
    """The arguments by the function's own parameters, defaults filled in, in one order."""
    if isinstance(function, UserMethod):
        function, args = function.function, [function.owner, *args]
    if not isinstance(function, UserFunction):
        return {}, list(args), dict(keywords)
    bound, rest, named = function.signature.bind(function.name, args, keywords)
    every = function.signature.every_name
    whole = {**function.defaults, **bound}
    return {name: whole[name] for name in every if name in whole}, list(rest), named


def given(named: Mapping[str, Any], rest: Sequence[Any], others: Mapping[str, Any]) -> Given:
    """The leaves of a call's arguments, numpy's arrays as tensors."""
    found = Given(None, [], [], [])
    forms: list[Any] = [(name, _taken(found, value, name)) for name, value in named.items()]
    forms += [("*", _taken(found, value, "args")) for value in rest]
    forms += [(name, _taken(found, others[name], name)) for name in sorted(others)]
    return Given(forms, found.leaves, found.specs, found.names)


def _taken(found: Given, value: Any, name: str) -> Any:
    """Put a value's leaves into the list. Returns: its form."""
    if isinstance(value, Record) or type(value) in (list, tuple):
        return type(value).__name__, [_taken(found, item, name) for item in value]
    if type(value) is dict:
        return "dict", [(key, _taken(found, value[key], name)) for key in sorted(value, key=str)]
    if isinstance(value, (np.ndarray, np.generic)):
        value = convert_to_tensor(value)
    found.leaves.append(value)
    found.specs.append(spec_of(value, found.leaves))
    found.names.append(name)
    return "leaf"


def spec_of(value: Any, before: Sequence[Any] = ()) -> Any:
    """What of an argument distinguishes one trace from another."""
    if isinstance(value, Variable):
        alias = next((i for i, one in enumerate(before) if one is value), len(before))
        return VariableSpec(value.shape, value.dtype, alias)
    if isinstance(value, Tensor):
        return TensorSpec(value.shape, value.dtype)
    return value if isinstance(value, TensorSpec) else Literal(value)


def rebuilt(value: Any, leaves: Any) -> Any:
    """An argument with other leaves in place of its own, in the order in which they were taken."""
    if isinstance(value, Record) or type(value) in (list, tuple):
        return like(value, [rebuilt(item, leaves) for item in value])
    if type(value) is dict:
        made = {key: rebuilt(value[key], leaves) for key in sorted(value, key=str)}
        return {key: made[key] for key in value}
    return next(leaves)


def generalised(specs: Sequence[Any], others: Sequence[Any]) -> list[Any]:
    """Specs that serve two calls: lengths that differ are left open."""
    return [
        TensorSpec(common_shape(a.shape, b.shape), a.dtype, a.name) if isinstance(a, TensorSpec) else a
        for a, b in zip(specs, others, strict=True)
    ]


def alike(specs: Sequence[Any], others: Sequence[Any]) -> bool:
    """Whether two calls differ in nothing but the shapes of tensors."""
    return len(specs) == len(others) and all(
        a.dtype == b.dtype if isinstance(a, TensorSpec) and isinstance(b, TensorSpec) else a.accepts(b)
        for a, b in zip(specs, others, strict=True)
    )


def as_tensors(
    named: Mapping[str, Any], rest: Sequence[Any], wanted: Sequence[Any]
) -> tuple[dict[str, Any], list[Any]]:
    """Lists as tensors, where the signature asks for one tensor."""
    specs = iter(wanted)
    made = {name: _one_tensor(value, next(specs, None)) for name, value in named.items()}
    return made, [_one_tensor(value, next(specs, None)) for value in rest]


def _one_tensor(value: Any, wanted: Any) -> Any:
    is_list = isinstance(wanted, TensorSpec) and isinstance(value, (list, tuple))
    return convert_to_tensor(value, dtype=wanted.dtype) if is_list else value


def as_signature(found: Given, wanted: Sequence[Any]) -> Given:
    """Arguments as `input_signature` asks for them. Raises: ProgramError where they are others."""
    wanted = list(_each(wanted))
    if len(found.leaves) != len(wanted):
        few = len(found.leaves) < len(wanted)
        raise mistakes.does_not_bind(
            "missing a required argument" if few else "too many positional arguments"
        )
    leaves = [_as_spec(leaf, spec) for leaf, spec in zip(found.leaves, wanted, strict=True)]
    return Given(found.form, leaves, list(wanted), found.names)


def _each(wanted: Any) -> Iterator[Any]:
    """The specs of a signature, one after the other."""
    for one in wanted if isinstance(wanted, (list, tuple)) else [wanted]:
        yield from _each(one) if isinstance(one, (list, tuple)) else (one,)


def _as_spec(value: Any, wanted: TensorSpec) -> Any:
    if isinstance(value, TensorSpec):
        tensor: Any = value
    else:
        is_python = not isinstance(value, (Tensor, Variable))
        tensor = convert_to_tensor(value, dtype=wanted.dtype if is_python else None)
    own = TensorSpec(tensor.shape, tensor.dtype)
    if not wanted.accepts(own):
        raise mistakes.does_not_bind(f"Can not cast {to_str(own)} to {to_str(wanted)}")
    return tensor
