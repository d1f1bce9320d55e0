"""Functions and ops of the engine under TensorFlow's names, older argument names included."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from inspect import Parameter
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.graph import Variable
from engine.languages.surfaces.dtypes import DType, dtype_name
from engine.languages.surfaces.tf1.functions.ops import TF, in_turn
from engine.ops import OpDef
from engine.ops.base.spellings import one_of

Build = Callable[..., Any]


def taken(value: Any) -> Any:
    """A type by its name, an array of the program copied, anything else as it is."""
    if isinstance(value, DType):
        return dtype_name(value)
    return np.array(value) if isinstance(value, np.ndarray) else value


def offer(function: Build, *names: str, **older: str) -> None:
    """Enter a function of the engine under these names; `older` maps an old argument name to today's."""

    renamed = MappingProxyType(older)

    @in_turn
    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        for old, new in renamed.items():
            given = keywords.pop(old, None)
            if given is not None:
                keywords[new] = one_of(new, keywords.get(new), old, given)
        return function(*map(taken, args), **{key: taken(value) for key, value in keywords.items()})

    signature = inspect.signature(function)
    extra = [Parameter(old, Parameter.KEYWORD_ONLY, default=None) for old in older]
    parameters = [*signature.parameters.values(), *extra]
    rest = [p for p in parameters if p.kind is Parameter.VAR_KEYWORD]
    call.__signature__ = signature.replace(parameters=[*(p for p in parameters if p not in rest), *rest])  # type: ignore[attr-defined]
    TF.function(*names)(call)


def offer_op(definition: OpDef, *names: str) -> None:
    """Enter an op itself: its inputs (a variable where it writes one), its attributes, then a name."""
    order = tuple(name.removeprefix("*") for name in definition.input_names)

    def call(*args: Any, **keywords: Any) -> Any:
        given = dict(zip([*order, *definition.attributes, "name"], args, strict=False), **keywords)
        inputs = [taken(given.pop(name)) for name in order]
        for place in definition.writes:
            if isinstance(inputs[place], Variable):
                inputs[place] = inputs[place].ref
        return definition(*inputs, **given)

    parameters = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in order]
    settings = {**definition.attributes, "name": None}
    parameters += [Parameter(n, Parameter.POSITIONAL_OR_KEYWORD, default=v) for n, v in settings.items()]
    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__doc__ = definition.doc
    TF.function(*names)(call)
