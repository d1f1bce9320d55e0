"""`torch.nn.utils.rnn`: sequences of different lengths as one tensor."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.functions.shaping import stack
from engine.languages.surfaces.torch.nn.functional.padding import padded
from engine.languages.surfaces.torch.registry import torch_function


@torch_function("nn.utils.rnn.pad_sequence")
def pad_sequence(
    sequences: Any, batch_first: Any = False, padding_value: Any = 0.0, padding_side: Any = "right"
) -> Any:
    """Sequences, filled up to the longest one. Shapes: (T_i, *S) each -> (T, N, *S), or N first."""
    listed = list(iterate(sequences))
    longest = max(one.array.shape[0] for one in listed)
    filled_up = []
    for one in listed:
        missing = longest - one.array.shape[0]
        around = [0, 0] * (one.array.ndim - 1) + ([missing, 0] if padding_side == "left" else [0, missing])
        filled_up.append(padded(one, around, padding_value) if missing else one)
    return stack(filled_up, 0 if batch_first else 1)


def _refuse(name: str) -> None:
    @torch_function(f"nn.utils.rnn.{name}")
    def refused(*args: Any, **settings: Any) -> Any:
        raise not_here(
            name,
            f" {name}",
            "Give the padded sequences themselves to the layer.",
            "请把填充后的序列直接交给这个层。",
        )


for _name in ("pack_padded_sequence", "pad_packed_sequence", "pack_sequence"):
    _refuse(_name)
