"""What TensorFlow writes to files: summaries of values, and the variables of a checkpoint.

These nodes are part of the graph that TensorFlow builds. No run computes them: nothing is written here.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.ops.base.definition import OpDef, in_chinese, op
from engine.ops.base.shapes import scalar
from engine.ops.base.tensors import Array
from engine.ops.base.texts import text_array, written_text
from engine.ops.control_flow.printing import summary

A_TEXT = ("its output is a text", "它的输出是文本")
TO_A_FILE = ("it writes to a file", "它写入文件")
FROM_A_FILE = ("it reads from a file", "它从文件读取")
MOST_SHOWN = 3


def _summary_op(name: str, tag: str, values: str, what: str, what_zh: str) -> OpDef:
    """A text that stands for the summary: the tag, and the first of the values."""

    def kernel(tag: Array, values: Array) -> Any:
        return text_array(f"{written_text(tag[()])}: {summary(values, MOST_SHOWN)}")

    kernel.__doc__ = f"{what} Shapes: {tag} (), {values} (*S) -> ()."
    return op(
        name,
        inputs=f"{tag} {values}",
        types="string T",
        outputs=("string",),
        shape=scalar,
        latex=rf"\text{{summary of }} {{{values}}}",
        no_gradient=A_TEXT,
        ends_path=True,
    )(in_chinese(what_zh)(kernel))


scalar_summary = _summary_op(
    "ScalarSummary", "tags", "values", "A number under its tag, for a plot.", "一个带标签的数，用于绘图。"
)
histogram_summary = _summary_op(
    "HistogramSummary", "tag", "values", "How values are distributed.", "数值的分布。"
)
image_summary = _summary_op("ImageSummary", "tag", "tensor", "Pictures under their tag.", "带标签的图片。")


@op(
    "MergeSummary",
    inputs="*inputs",
    types="T[]",
    outputs=("string",),
    shape=scalar,
    latex=r"\text{all of } {inputs}",
    no_gradient=A_TEXT,
    ends_path=True,
)
@in_chinese("几个摘要合成一个。")
def merge_summary(*inputs: Array) -> Any:
    """Several summaries as one. Shapes: N times () -> ()."""
    return text_array("\n".join(written_text(one[()]) for one in inputs))


SUMMARIES = frozenset({"ScalarSummary", "HistogramSummary", "ImageSummary", "MergeSummary"})
READ_AND_WRITTEN = frozenset({"SaveV2", "RestoreV2"})
FILE_OPS = SUMMARIES | READ_AND_WRITTEN


@op(
    "SaveV2",
    inputs="prefix tensor_names shape_and_slices *tensors",
    types="string string string T[]",
    outputs=(),
    shape=lambda *shapes: [],
    stateful=True,
    latex=r"{prefix} \leftarrow {tensors}",
    no_gradient=TO_A_FILE,
    ends_path=True,
)
@in_chinese("把张量写入检查点。")
def save_v2(prefix: Array, tensor_names: Array, shape_and_slices: Array, *tensors: Array) -> Any:
    """Tensors are written into a checkpoint. Shapes: prefix (), names (n,), slices (n,), N times any."""
    return []


def _unknown_each(*shapes: Any, attributes: Any) -> Any:
    return [None] * len(attributes["dtypes"])


@op(
    "RestoreV2",
    inputs="prefix tensor_names shape_and_slices",
    types="string string string",
    outputs=lambda attributes: attributes["dtypes"],
    shape=_unknown_each,
    stateful=True,
    latex=r"\text{read from } {prefix}",
    no_gradient=FROM_A_FILE,
    ends_path=True,
)
@in_chinese("从检查点读出张量。")
def restore_v2(prefix: Array, tensor_names: Array, shape_and_slices: Array, dtypes: Any = ()) -> Any:
    """Tensors are read from a checkpoint. Shapes: prefix (), names (n,), slices (n,) -> N times any."""
    return [np.zeros((), dtype) for dtype in dtypes]
