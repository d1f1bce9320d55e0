"""Lazy layers: the number of their inputs comes from the first tensor that they see.

Until then a layer is of a class of its own, whose parameters are empty; with its first call it becomes the
layer that it stands for, with the same parameters.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.torch.classes import library_class, new_object
from engine.languages.surfaces.torch.nn.layers import convolution, linear, normalization  # noqa: F401  # for their tables
from engine.languages.surfaces.torch.nn.module import MODULE, begin
from engine.languages.surfaces.torch.nn.parameter import Parameter
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import TORCH, torch_value
from engine.languages.surfaces.torch.storage import Storage

WAITING = "_waiting"  # the field that holds the arguments until the first call


class Uninitialized(Parameter):
    """A parameter that has no shape yet."""

    __slots__ = ()
    __hash__ = object.__hash__


SHOWN[Uninitialized] = (lambda _: "<UninitializedParameter>", lambda _: "<UninitializedParameter>")


def _waiting_parameter() -> Uninitialized:
    made = Uninitialized(Storage(array=np.zeros(0, np.float32)))
    made.requires = True
    return made


def lazy(name: str, counted: str, axis: int, held: tuple[str, ...]) -> None:
    """Enter `torch.nn.Lazy…`. counted: the argument left out; axis: of the input that it counts."""
    kind: UserClass = TORCH[f"nn.{name}"]

    def start(self: UserObject, *args: Any, **keywords: Any) -> None:
        begin(self)
        has_bias = keywords.get("bias", True)
        for one in held:
            self.fields[one] = _waiting_parameter() if one != "bias" or has_bias else None
        self.fields[WAITING] = (args, keywords)

    def forward(interpreter: Interpreter, self: UserObject, input: Any, *rest: Any) -> Any:
        _become(interpreter, self, kind, input.array.shape[axis])
        return interpreter.call(kind.find("forward"), [self, input, *rest], {})

    def text(interpreter: Interpreter, self: UserObject) -> str:
        args, keywords = self.fields[WAITING]
        before = generator_of().packed()
        shown = new_object(interpreter, kind, 1, *args, **keywords)
        generator_of().unpack(before)  # what was drawn for the text does not count
        written: str = interpreter.call(kind.find("extra_repr"), [shown], {})
        first = f"{counted}=0" if written.startswith(f"{counted}=") else "0"
        return ", ".join([first, *written.split(", ")[1:]])

    made = library_class(f"Lazy{name}", MODULE, __init__=start, forward=forward, extra_repr=text)
    torch_value(made, f"nn.Lazy{name}")


def _become(interpreter: Interpreter, self: UserObject, kind: UserClass, count: int) -> None:
    """Let the layer be what it stands for: its parameters stay the same objects, with numbers now."""
    args, keywords = self.fields.pop(WAITING)
    made = new_object(interpreter, kind, count, *args, **keywords)
    training = self.fields["training"]
    for name, value in made.fields.items():
        present = self.fields.get(name)
        if isinstance(value, Parameter) and isinstance(present, Parameter):
            present.storage, present.requires = value.storage, value.requires
            present.__class__ = Parameter
            made.fields[name] = present
    hooks = self.fields["_hooks"]
    self.fields.clear()
    self.fields.update({**made.fields, "training": training, "_hooks": hooks})
    self.kind = kind


COUNTED: Mapping[str, tuple[str, int, tuple[str, ...]]] = MappingProxyType(
    {
        "Linear": ("in_features", -1, ("weight", "bias")),
        **{f"Conv{axes}d": ("in_channels", -axes - 1, ("weight", "bias")) for axes in (1, 2, 3)},
        **{f"ConvTranspose{axes}d": ("in_channels", -axes - 1, ("weight", "bias")) for axes in (1, 2, 3)},
        **{f"BatchNorm{axes}d": ("num_features", 1, ("weight", "bias")) for axes in (1, 2, 3)},
        **{f"InstanceNorm{axes}d": ("num_features", 1, ()) for axes in (1, 2, 3)},
    }
)
for _name, _facts in COUNTED.items():
    lazy(_name, *_facts)
