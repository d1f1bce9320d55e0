"""`tf.summary`: the nodes that TensorFlow builds for TensorBoard. No run computes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.graph import Tensor
from engine.languages.interpreter.values import Ignored
from engine.languages.surfaces.argument_kinds import COLLECTIONS, NAME, WORD
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.definition import OpDef
from engine.ops.control_flow import filing
from engine.ops.control_flow.asserting import text_constant

NOTE = "Summaries write no file here; the event file with this graph can be downloaded instead."
NOTE_ZH = "这里的 summary 和 FileWriter 不写文件；含有此计算图的事件文件可以下载。"
NOT_IN_A_TAG = re.compile(r"[^-/\w.]")


def is_summary(fetch: Any) -> bool:
    """Whether a fetch is a summary, which no run computes."""
    return isinstance(fetch, Tensor) and fetch.node.op.name in filing.SUMMARIES


def _cleaned(tag: str) -> str:
    return NOT_IN_A_TAG.sub("_", tag).lstrip("/")


@contextmanager
def _scope_of(name: Any, family: Any) -> Iterator[tuple[str, str]]:
    """The tag, and the scope that the nodes stand in."""
    base = _cleaned(str(name))
    inside = base if family is None else f"{_cleaned(family)}/{base}"
    with name_scope(inside, inside) as scope:
        own = scope.rstrip("/")
        yield own if family is None else f"{_cleaned(family)}/{own}", scope


def _collect(made: Tensor, collections: Any) -> Tensor:
    for key in ["summaries"] if collections is None else collections:
        current_graph().collection(key).append(made)
    return made


def _summarized(op: OpDef, name: Any, values: Any, collections: Any, family: Any) -> Tensor:
    tag_name, value_name = op.input_names
    with _scope_of(name, family) as (tag, scope):
        label = text_constant(tag, tag_name)
        made = op(label, convert_to_tensor(values, name=value_name), name=scope)
        return _collect(made, collections)


@TF.function("summary.scalar", collections=COLLECTIONS, family=NAME)
def scalar(name: Any, tensor: Any, collections: Any = None, family: Any = None) -> Tensor:
    """A number under a tag."""
    return _summarized(filing.scalar_summary, name, tensor, collections, family)


@TF.function("summary.histogram", collections=COLLECTIONS, family=NAME)
def histogram(name: Any, values: Any, collections: Any = None, family: Any = None) -> Tensor:
    """How values are distributed, under a tag."""
    return _summarized(filing.histogram_summary, name, values, collections, family)


@TF.function("summary.image", collections=COLLECTIONS, family=NAME)
def image(
    name: Any, tensor: Any, max_outputs: Any = 3, collections: Any = None, family: Any = None
) -> Tensor:
    """Pictures under a tag."""
    return _summarized(filing.image_summary, name, tensor, collections, family)


@TF.function("summary.merge", collections=COLLECTIONS)
def merge(inputs: Any, collections: Any = None, name: Any = None) -> Tensor:
    """Several summaries as one."""
    with name_scope(name, "Merge"):
        made: Tensor = filing.merge_summary([one for one in inputs if is_summary(one)], name=name)
    return made if collections is None else _collect(made, collections)


@TF.function("summary.merge_all", key=WORD)
def merge_all(key: Any = "summaries", scope: Any = None, name: Any = None) -> Tensor | None:
    """All summaries of a collection as one; None where there are none."""
    found = [
        one
        for one in current_graph().collection(key)
        if is_summary(one) and (not scope or one.name.startswith(scope))
    ]
    return merge(found, name=name) if found else None


IGNORED = ("FileWriter", "FileWriterCache", "text", "audio", "tensor_summary", "Summary", "initialize")
for name in IGNORED:
    TF.value(Ignored(f"tf.summary.{name}", NOTE, NOTE_ZH, "summary_not_written"), f"summary.{name}")
TF.value(Ignored("tf.train.SummaryWriter", NOTE, NOTE_ZH), "train.SummaryWriter")
