"""`torch.nn.utils.rnn`: sequences of different lengths as one tensor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.surfaces.torch.autograd.composites import composite
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.creation.filled import full
from engine.languages.surfaces.torch.functions.indexing import copy_, index_select
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.functions.shaping import reshape, slice_axis, stack, transpose
from engine.languages.surfaces.torch.nn.functional.padding import padded
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import of_numbers
from engine.ops.base.tensors import Array


@torch_function("nn.utils.rnn.pad_sequence")
def pad_sequence(
    sequences: Any, batch_first: Any = False, padding_value: Any = 0.0, padding_side: Any = "right"
) -> Any:
    """Sequences, filled up to the longest one. Shapes: (T_i, *S) each -> (T, N, *S), or N first."""
    listed = list(iterate(sequences))
    if not listed:
        raise torch_error("received an empty list of sequences", "没有给出任何序列。")
    longest = max(one.array.shape[0] for one in listed)
    filled_up = []
    for one in listed:
        missing = longest - one.array.shape[0]
        around = [0, 0] * (one.array.ndim - 1) + ([missing, 0] if padding_side == "left" else [0, missing])
        filled_up.append(padded(one, around, padding_value) if missing else one)
    return stack(filled_up, 0 if batch_first else 1)


# -- packed: the elements of each step one after the other, longest sequence first -------------------

PACKED = RecordKind("PackedSequence", ("data", "batch_sizes", "sorted_indices", "unsorted_indices"))


def _places(lengths: Array, count: int) -> Array:
    """Where in (T, N) each packed element stands. Shapes: (N,) -> (sum of lengths,)."""
    steps = [step * count + np.flatnonzero(lengths > step) for step in range(int(lengths.max(initial=0)))]
    return np.concatenate(steps) if steps else np.zeros(0, np.int64)


def _batch_sizes(lengths: Array) -> Array:
    return np.array([int(np.sum(lengths > step)) for step in range(int(lengths.max(initial=0)))], np.int64)


@composite("PackPaddedSequenceBackward0", "input", shown="batch_first input_sym_sizes result1")
def _packed(input: Any, counts: Array, batch_first: bool, **_: Any) -> Any:
    """Shapes: (T, N, *S), or N first, (N,) -> (sum of counts, *S)."""
    rows = transpose(input, 0, 1) if batch_first else input
    flat = reshape(rows, (-1, *rows.form.shape[2:]))
    return index_select(flat, 0, of_numbers(_places(counts, len(counts))))


@torch_function("nn.utils.rnn.pack_padded_sequence")
def pack_padded_sequence(
    input: Any, lengths: Any, batch_first: Any = False, enforce_sorted: Any = True
) -> Record:
    """The elements without the padding. Shapes: (T, N, *S), or N first -> (sum of lengths, *S)."""
    counts = np.asarray([plain(one) for one in iterate(lengths)], np.int64)
    batch = input.form.shape[0 if batch_first else 1]
    if len(counts) != batch:
        raise torch_error(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} (batch_size={batch})",
            f"有 {batch} 个序列，却给了 {len(counts)} 个长度。",
            code="shape_mismatch",
        )
    if np.any(counts <= 0):
        raise torch_error(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0",
            "每个序列的长度都必须大于 0。",
        )
    order = unsorted = None
    if not enforce_sorted:
        order = np.argsort(-counts, kind="stable")
        counts, unsorted = counts[order], np.argsort(order, kind="stable")
        input = index_select(input, 0 if batch_first else 1, of_numbers(order))
    elif np.any(np.diff(counts) > 0):
        raise torch_error(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this "
            "requirement if you do not need ONNX exportability.",
            "lengths 必须从大到小排列。",
            hint="Write enforce_sorted=False.",
            hint_zh="请写 enforce_sorted=False。",
        )
    sizes = of_numbers(_batch_sizes(counts))
    data = _packed(
        input, counts=counts, result1=sizes, batch_first=bool(batch_first), input_sym_sizes=input.shape
    )
    return Record(
        PACKED, (data, sizes, *(None if one is None else of_numbers(one) for one in (order, unsorted)))
    )


@torch_function("nn.utils.rnn.pack_sequence")
def pack_sequence(sequences: Any, enforce_sorted: Any = True) -> Record:
    """Sequences of different lengths, packed."""
    listed = list(iterate(sequences))
    lengths = [one.array.shape[0] for one in listed]
    packed: Record = pack_padded_sequence(pad_sequence(listed), lengths, False, enforce_sorted)
    return packed


def _blocks(batch: Array) -> Iterator[tuple[int, int, int, int]]:
    """The steps that have the same sequences: first and end of them, how many, where their elements begin."""
    begins = [step for step in range(len(batch)) if step == 0 or batch[step] != batch[step - 1]]
    starts = np.concatenate([[0], np.cumsum(batch)])
    for first, end in zip(begins, [*begins[1:], len(batch)], strict=True):
        yield first, end, int(batch[first]), int(starts[first])


@torch_function("nn.utils.rnn.pad_packed_sequence")
def pad_packed_sequence(
    sequence: Any, batch_first: Any = False, padding_value: Any = 0.0, total_length: Any = None
) -> tuple[Any, Any]:
    """Padded again, and the lengths. Shapes: (sum of lengths, *S) -> (T, N, *S), or N first; (N,)."""
    data, sizes, _, unsorted = sequence
    batch = sizes.array
    lengths = np.array([int(np.sum(batch > place)) for place in range(int(batch[0]))], np.int64)
    steps, count, inner = len(batch), len(lengths), data.array.shape[1:]
    steps = steps if total_length is None else max(int(total_length), steps)
    rows = full((steps, count, *inner), padding_value, dtype=data.dtype)
    for first, end, size, start in _blocks(batch):
        block = reshape(slice_axis(data, 0, start, start + (end - first) * size), (end - first, size, *inner))
        copy_(slice_axis(slice_axis(rows, 0, first, end), 1, 0, size), block)
    rows = transpose(rows, 0, 1) if batch_first else rows
    if unsorted is not None:
        rows, lengths = index_select(rows, 0 if batch_first else 1, unsorted), lengths[unsorted.array]
    return rows, of_numbers(lengths)


@torch_function("nn.utils.rnn.unpad_sequence")
def unpad_sequence(padded_sequences: Any, lengths: Any, batch_first: Any = False) -> list[Any]:
    """Each sequence without its padding. Shapes: (T, N, *S), or N first -> (T_i, *S) each."""
    rows = padded_sequences if batch_first else transpose(padded_sequences, 0, 1)
    return [rows[place, : int(plain(count))] for place, count in enumerate(iterate(lengths))]


@torch_function("nn.utils.rnn.unpack_sequence")
def unpack_sequence(packed_sequences: Any) -> list[Any]:
    """The sequences of a packed one, each by itself."""
    padded_rows, lengths = pad_packed_sequence(packed_sequences, True)
    found: list[Any] = unpad_sequence(padded_rows, lengths, True)
    return found
