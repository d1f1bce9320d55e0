"""What of `tf.strings` has other arguments in TensorFlow 2, or gives something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.graph import Tensor
from engine.languages.interpreter.arguments import FLAG, Argument
from engine.languages.surfaces.argument_kinds import COUNT, WORD
from engine.ops.texts import joining


def reduce_join(
    inputs: Any, axis: Any = None, keepdims: Any = False, separator: Any = "", name: Any = None
) -> Tensor:
    """Texts along axes one after the other."""
    return joining.reduce_join(inputs, axis, bool(keepdims), separator, name)


def split(input: Any, sep: Any = None, maxsplit: Any = -1, name: Any = None) -> Tensor:
    """The parts of a text."""
    return joining.split_one(input, sep, int(maxsplit), name)


MEMBERS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"strings.reduce_join": reduce_join, "strings.split": split}
)
KINDS: Mapping[str, Mapping[str, Argument]] = MappingProxyType(
    {
        "strings.reduce_join": {"keepdims": FLAG, "separator": WORD},
        "strings.split": {"maxsplit": COUNT},
    }
)
