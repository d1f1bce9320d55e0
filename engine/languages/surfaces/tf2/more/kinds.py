"""What arguments of TensorFlow 2's functions are, where their names alone do not say it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.surfaces.argument_kinds import ANY_DTYPE, AXES, LIST

SEQUENCE = Argument(
    "a list",
    "列表",
    lambda value: isinstance(value, (list, tuple)),
    "Put the values into square brackets: [a, b].",
    "请把这些值放进方括号：[a, b]。",
)
NO_TUPLE = Argument(
    "a list",
    "列表",
    lambda value: isinstance(value, list),
    "Put the values into square brackets: [a, b].",
    "请把这些值放进方括号：[a, b]。",
)
KINDS: Mapping[str, Mapping[str, Argument]] = MappingProxyType(
    {
        **dict.fromkeys(("Assert", "debugging.Assert"), MappingProxyType({"data": LIST})),
        **dict.fromkeys(("constant", "contrib.eager.constant"), MappingProxyType({"dtype": ANY_DTYPE})),
        "concat": MappingProxyType({"values": LIST, "axis": AXES}),
        **dict.fromkeys(
            (
                "keras.utils.timeseries_dataset_from_array",
                "keras.preprocessing.timeseries_dataset_from_array",
            ),
            MappingProxyType({"batch_size": ANY}),
        ),
        "broadcast_static_shape": MappingProxyType({"shape_x": SEQUENCE, "shape_y": SEQUENCE}),
        "identity_n": MappingProxyType({"input": LIST}),
        "math.polyval": MappingProxyType({"coeffs": NO_TUPLE}),
        "nest.pack_sequence_as": MappingProxyType({"flat_sequence": SEQUENCE}),
    }
)
