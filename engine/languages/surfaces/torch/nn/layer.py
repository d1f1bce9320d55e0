"""A module of `torch.nn` in one block: its settings, its parameters, what it computes, how it prints."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.dtypes import dtype_of
from engine.languages.surfaces.torch.nn.module import MODULE, begin
from engine.languages.surfaces.torch.nn.parameter import Parameter, of_array
from engine.languages.surfaces.torch.registry import torch_value
from engine.languages.surfaces.torch.sizes import check_lengths, whole
from engine.languages.surfaces.torch.state import state

REQUIRED = inspect.Parameter.empty
NO_PROPERTIES: Mapping[str, Any] = MappingProxyType({})
UNUSED = ("device",)  # taken, and without effect here


def layer(
    name: str,
    forward: Callable[..., Any],
    *,
    setup: Callable[..., None] | None = None,
    extra: str | Callable[[UserObject], str] = "",
    base: UserClass = MODULE,
    keyword_only: tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    settings: Mapping[str, Any],
    takes_anything: bool = False,
    properties: Mapping[str, Callable[..., Any]] = NO_PROPERTIES,
    **methods: Callable[..., Any],
) -> UserClass:
    """A class of modules, entered as `torch.nn.name`.

    settings: its parameters in order with their defaults; each becomes an attribute.
    setup:    makes parameters and buffers; it takes the object (after the interpreter where it names it).
    properties: what is computed whenever it is read.
    takes_anything: whether it is made with whatever it is given, and leaves that aside.
    extra:    what stands in brackets in print: the names of settings, or a function of the object.
    """
    written = extra if callable(extra) else _written(tuple(extra.split()))
    start = _begin_with_anything if takes_anything else _begin_with(settings, keyword_only, setup)
    own: Any = {"__init__": start, "forward": forward, "extra_repr": written, **methods}
    made = library_class(name, base, properties=properties, **own)
    for one in (name, *aliases):
        torch_value(made, f"nn.{one}")
    return made


def _begin_with(
    settings: Mapping[str, Any], keyword_only: tuple[str, ...], setup: Callable[..., None] | None
) -> Callable[..., None]:
    """An `__init__` with these parameters."""
    takes_interpreter = setup is not None and "interpreter" in inspect.signature(setup).parameters
    both = inspect.Parameter.POSITIONAL_OR_KEYWORD
    kinds = [inspect.Parameter(one, both) for one in ("interpreter", "self")]
    for key, default in settings.items():
        how = inspect.Parameter.KEYWORD_ONLY if key in keyword_only else both
        kinds.append(inspect.Parameter(key, how, default=default))
    signature = inspect.Signature(kinds)

    def start(*args: Any, **keywords: Any) -> None:
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        interpreter, self, *_ = bound.arguments.values()
        begin(self)
        self.fields.update({key: bound.arguments[key] for key in settings if key not in UNUSED})
        if setup is not None:
            setup(interpreter, self) if takes_interpreter else setup(self)
        hold_parameters(self)

    start.__signature__ = signature  # type: ignore[attr-defined]  # the parameters that a program sees
    return start


def _begin_with_anything(self: UserObject, *args: Any, **keywords: Any) -> None:
    begin(self)


def _written(names: tuple[str, ...]) -> Callable[[UserObject], str]:
    """`p=0.5, inplace=False`.

    names: one that begins with `-` stands without its name, one with `?` only if it is True.
    """

    def text(self: UserObject) -> str:
        parts = []
        for name in names:
            value = self.fields[name.lstrip("-?")]
            if name.startswith("?"):
                parts += [f"{name[1:]}=True"] if value else []
            else:
                parts.append(to_str(value) if name.startswith("-") else f"{name}={to_str(value)}")
        return ", ".join(parts)

    return text


def element_type(self: UserObject) -> Any:
    """numpy's type of the parameters: what `dtype=` says, else the default type."""
    found = dtype_of(self.fields.pop("dtype", None))
    return np.dtype((found or state().default_float).name)


def hold_parameters(self: UserObject) -> None:
    """Let variables of the graph hold the parameters, with the values of the moment of their first use."""
    for value in self.fields.values():
        if isinstance(value, Parameter) and value.requires:
            value.storage.later = value.storage.variable is None


def _length(place: int, value: Any) -> int:
    """A length of a parameter. Raises: TypeError's messages of PyTorch for what is no whole number."""
    kind = python_name(value)
    said = (
        f"failed to unpack the object at pos {place + 1} with error "
        f'"type must be tuple of ints,but got {kind}"'
        if place
        else f"(position 1) must be tuple of ints, but found element of type {kind} at pos 0"
    )
    return whole(value, f"empty(): argument 'size' {said}")


def empty(shape: tuple[int, ...], dtype: Any) -> Parameter:
    """A parameter of zeros, to be initialised before a variable holds it. Shapes: () -> shape."""
    return filled(shape, 0.0, dtype)


def filled(shape: tuple[int, ...], number: float, dtype: Any) -> Parameter:
    """A parameter of one number, before a variable holds it. Shapes: () -> shape."""
    shape = tuple(_length(place, one) for place, one in enumerate(shape))
    check_lengths(shape)
    state().graph.meter.check_elements(shape)
    made = of_array(np.full(shape, number, dtype=dtype), requires_grad=False)
    made.requires = True
    return made
