"""What the distributions have in common: their parameters, checks, shapes and text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.kinds import UserClass, Wrapped
from engine.languages.interpreter.classes.objects import UserObject, attribute_of
from engine.languages.surfaces.torch.classes import Method, call_method, library_class
from engine.languages.surfaces.torch.distributions.supports import support_of
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functions.creation.numbers import tensor as make_tensor
from engine.languages.surfaces.torch.functions.shaping import broadcast_tensors
from engine.languages.surfaces.torch.sizes import Size, lengths
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, of_numbers
from engine.ops.base.tensors import Array

Constraint = tuple[str, Callable[[Any], Any]]  # its name, and where an array keeps to it

NOTHING: Mapping[str, Any] = MappingProxyType({})


def parameters(*values: Any) -> list[Tensor]:
    """Numbers and tensors as tensors of one shape, the numbers in the type of the first tensor."""
    given = [one for one in values if isinstance(one, Tensor)]
    dtype = given[0].dtype if given else state().default_float
    tensors = [one if isinstance(one, Tensor) else make_tensor(one, dtype=dtype) for one in values]
    return list(broadcast_tensors(*tensors))


def begin(
    self: UserObject, batch_shape: Any, validate: Any, **constraints: tuple[Tensor, Constraint]
) -> None:
    """Set up. Raises: ValueError's message of PyTorch for a parameter that is out of its range."""
    self.fields.update(_batch_shape=Size(batch_shape), _validate=validate is not False)
    for name, (value, (text, holds)) in constraints.items():
        if self.fields["_validate"] and not np.all(holds(value.array)):
            raise torch_error(
                f"Expected parameter {name} (Tensor of shape {tuple(value.shape)}) of distribution "
                f"{shown(self)} to satisfy the constraint {text}, but found invalid values:\n{_text(value)}",
                f"分布 {self.kind.name} 的参数 {name} 超出了范围：{text}。",
                kind="ValueError",
            )


def check_value(self: UserObject, value: Any, constraint: Constraint) -> None:
    """Raises: ValueError's messages of PyTorch for what a distribution cannot give."""
    if not self.fields["_validate"]:
        return
    if not isinstance(value, Tensor):
        raise torch_error(
            "The value argument to log_prob must be a Tensor",
            "log_prob 的参数必须是张量。",
            kind="ValueError",
        )
    text, holds = constraint
    if not np.all(holds(value.array)):
        raise torch_error(
            f"Expected value argument (Tensor of shape {tuple(value.shape)}) to be within the "
            f"support ({text}) of the distribution {shown(self)}, but found invalid values:\n{_text(value)}",
            f"这个值不在分布 {self.kind.name} 的取值范围 {text} 内。",
            kind="ValueError",
        )


def drawn_shape(self: UserObject, sample_shape: Any) -> tuple[int, ...]:
    """The shape of what is drawn, so many times the distribution's own."""
    return (*lengths((sample_shape,)), *self.fields["_batch_shape"])


def without_gradients(draw: Callable[..., Any]) -> Callable[..., Any]:
    """`sample`: gradients do not follow it."""

    def sample(interpreter: Any, self: UserObject, sample_shape: Any = ()) -> Any:
        with recording(False):
            return draw(interpreter, self, drawn_shape(self, sample_shape))

    return sample


def enumerating(values_of: Callable[[UserObject], Array]) -> Callable[..., Any]:
    """`enumerate_support`: every value that may be drawn. Shapes: values (n,) -> (n, *batch)."""

    def enumerate_support(self: UserObject, expand: Any = True) -> Any:
        values, batch = values_of(self), tuple(self.fields["_batch_shape"])
        values = values.reshape(-1, *(1 for _ in batch))
        return of_numbers(np.broadcast_to(values, (len(values), *batch)).copy() if expand else values)

    return enumerate_support


def shown(self: UserObject) -> str:
    """`Normal(loc: 0.0, scale: torch.Size([2]))`: the parameters that are known so far."""
    parts = []
    for name in self.kind.members["_parameter_names"]:
        value = self.fields.get(name)
        if value is not None:
            parts.append(f"{name}: {_text(value) if value.array.size == 1 else to_str(value.shape)}")
    return f"{self.kind.name}({', '.join(parts)})"


def _text(value: Tensor) -> str:
    return to_str(value.array.item()) if value.array.ndim == 0 else to_str(value)


def _not_here(self: UserObject, *args: Any) -> Any:
    raise torch_error("", f"{self.kind.name} 没有这个函数。", kind="NotImplementedError")


def _perplexity(interpreter: Any, self: UserObject) -> Any:
    return OPERATORS["exp"](call_method(interpreter, self, "entropy"))


def _expand(interpreter: Any, self: UserObject, batch_shape: Any, _instance: Any = None) -> UserObject:
    """The same distribution for each place of a larger batch. Raises: for one that is made of others."""
    if any(isinstance(one, UserObject) for one in self.fields.values()):
        raise not_here(f"{self.kind.name}.expand()", f" {self.kind.name}.expand()")
    shape, rank = Size(lengths((batch_shape,))), len(self.fields["_batch_shape"])
    made = UserObject(self.kind, interpreter.next_serial(), interpreter, dict(self.fields))
    for name, value in self.fields.items():
        if isinstance(value, Tensor):
            made.fields[name] = OPERATORS["broadcast_to"](value, (*shape, *value.shape[rank:]))
    made.fields["_batch_shape"] = shape
    return made


_BASE = library_class(
    "Distribution",
    properties={
        "batch_shape": lambda self: self.fields["_batch_shape"],
        "event_shape": lambda self: Size(()),
        "support": support_of,
        "stddev": lambda interpreter, self: OPERATORS["sqrt"](attribute_of(interpreter, self, "variance")),
    },
    __repr__=shown,
    rsample=_not_here,
    enumerate_support=_not_here,
    perplexity=_perplexity,
    expand=_expand,
)
DISTRIBUTION = UserClass("Distribution", None, {**_BASE.members, "has_rsample": False}, origin="library")


def _followed(compute: Callable[..., Any]) -> Callable[..., Any]:
    """Gradients follow what is computed once, also where it is first asked for by `sample`."""

    def computed(self: UserObject) -> Any:
        with recording(True):
            return compute(self)

    return computed


def distribution(
    name: str,
    names: tuple[str, ...],
    *,
    cached: Mapping[str, Callable[..., Any]] = NOTHING,
    properties: Mapping[str, Callable[..., Any]] = NOTHING,
    **methods: Callable[..., Any],
) -> UserClass:
    """A class of distributions. names: its parameters; cached: those computed when first asked for."""
    members = dict(library_class(name, DISTRIBUTION, properties=properties, **methods).members)
    for key, one in cached.items():
        members[key] = Wrapped("cached_property", Method(f"{name}.{key}", _followed(one)))
    members.update(_parameter_names=names, has_rsample="rsample" in methods)
    return UserClass(name, DISTRIBUTION, members, origin="library")
