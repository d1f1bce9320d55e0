"""What holds for every op: it explains itself, and its gradient is its derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine.optimizers  # noqa: F401 - its Apply ops are in the registry, too
from engine.differentiation import gradients
from engine.errors import NoGradientError
from engine.ops import REGISTRY, OpDef
from engine.ops.base.tensors import FLOATS

from .differences import Laboratory
from .samples import IN_STEPS, OF_INTEGERS, ONCE_ONLY, SAMPLES, Sample

OPS = list(REGISTRY.values())
DIFFERENTIABLE = [op.name for op in OPS if op.gradient_rule is not None]
PIECES = [
    pytest.param(name, sample, id=f"{name}-{number}")
    for name, group in SAMPLES.items()
    for number, sample in enumerate(group)
]

# These have gradients only inside tf.cond and loops: tests/engine/graph/test_control_flow.py.
ARRAYS = {f"TensorArray{use}V3" for use in ("Gather", "Read", "Scatter", "Write")}
REFERENCES = {"RefSwitch", "RefMerge", "RefEnter"}
INSIDE_LOOPS = {"Switch", "Merge", "Enter", "Exit", "NextIteration"} | REFERENCES | ARRAYS
ON_SYMMETRIC = {
    "Cholesky",
    "SelfAdjointEigV2",
}  # reads one half of its matrix; the gradient is that of a symmetric one
COUNTED_BY_VALUE = {
    "DynamicPartition",
    "SegmentMax",
    "SegmentMean",
    "SegmentMin",
    "SegmentSum",
}  # the first length is not known
UNTOLD = {"FusedBatchNormV3": 5}  # of the outputs so many have a shape that is known


def compare(name: str, ours: Any, theirs: Any, **tolerance: Any) -> None:
    for our, their in zip(ours, theirs, strict=True):
        if name in ON_SYMMETRIC:
            our, their = our + our.T, their + their.T
        np.testing.assert_allclose(our, their, **tolerance)


def test_every_op_is_documented_and_has_a_formula() -> None:
    assert [op.name for op in OPS if not (op.doc and op.doc_zh.endswith("。") and op.latex)] == []


def says_why(op: OpDef) -> bool:
    """Whether the op has a gradient, or a reason in both languages why it has none."""
    reasons = bool(op.no_gradient), bool(op.no_gradient_zh), not op.no_gradient_zh.isascii()
    return set(reasons) == {op.gradient_rule is None}


def test_every_op_has_a_gradient_or_says_why_not() -> None:
    assert [op.name for op in OPS if not says_why(op)] == []


def test_every_gradient_has_a_formula_for_each_input() -> None:
    ops = [REGISTRY[name] for name in DIFFERENTIABLE]
    assert [op.name for op in ops if len(op.adjoints) != len(op.input_names)] == []


def test_every_differentiable_op_has_a_sample() -> None:
    assert set(SAMPLES) == set(DIFFERENTIABLE) - INSIDE_LOOPS


@pytest.mark.parametrize(("name", "sample"), PIECES)
def test_the_gradient_meets_central_differences(name: str, sample: Sample) -> None:
    lab = Laboratory(name, sample)
    assert (lab.y is None) == (name in OF_INTEGERS)
    if lab.y is None:
        pytest.skip("its outputs are integers")
    compare(name, lab.values(lab.first), lab.by_differences(lab.y), rtol=1e-6, atol=1e-7)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sample"), PIECES)
def test_the_gradient_of_the_gradient_meets_central_differences(name: str, sample: Sample) -> None:
    lab = Laboratory(name, sample)
    with lab.graph.as_default():
        slope: Any = lab.weighted(lab.first)
    assert (slope is None) == (name in OF_INTEGERS | IN_STEPS)
    if slope is None:
        pytest.skip("its gradient is None")
    if name in ONCE_ONLY:
        with pytest.raises(NoGradientError):
            gradients(slope, lab.xs)
        return
    second = gradients(slope, lab.xs)
    compare(name, lab.values(second), lab.by_differences(slope), rtol=2e-6, atol=1e-6)


@pytest.mark.parametrize(("name", "sample"), PIECES)
def test_the_shape_rule_foretells_the_shape(name: str, sample: Sample) -> None:
    lab = Laboratory(name, sample)
    node = next(node for node in lab.graph.nodes if node.op.name == name)
    for output in node.outputs[: UNTOLD.get(name)]:
        if output.dtype in FLOATS:
            shape = lab.session.run(output, lab.points).shape
            assert output.shape == ((None, *shape[1:]) if name in COUNTED_BY_VALUE else shape)
