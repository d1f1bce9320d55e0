"""Forward mode over the whole registry: on every sample of every op it gives what reverse mode gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.differentiation import gradients
from engine.differentiation.forward import dense, jacobian
from engine.differentiation.walk import kernel, walk
from engine.errors import NoGradientError
from tests.engine.ops.differences import Laboratory
from tests.engine.ops.samples import IN_STEPS, LEFT_OUT_TWICE, OF_INTEGERS, ONCE_ONLY, SAMPLES, Sample

CASES = [
    pytest.param(name, sample, id=f"{name}-{place}")
    for name, samples in SAMPLES.items()
    for place, sample in enumerate(samples)
]


@pytest.mark.parametrize(("name", "sample"), CASES)
def test_forward_and_reverse_mode_agree(name: str, sample: Sample) -> None:
    laboratory = Laboratory(name, sample)
    y: Any = laboratory.y
    known = {x: np.asarray(value) for x, value in laboratory.points.items()}
    with laboratory.graph.as_default():
        slopes = [dense(slope) for slope in laboratory.first]
    for x, slope in zip(laboratory.xs, slopes, strict=False):
        if name in LEFT_OUT_TWICE:  # forward mode differentiates the reverse sweep
            with pytest.raises(NoGradientError):
                jacobian(y, x, known)
            continue
        forward = jacobian(y, x, known)
        reverse = np.zeros_like(known[x]) if slope is None else walk([slope], known, kernel)[slope]
        np.testing.assert_allclose(forward, reverse, rtol=1e-9, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "sample"), CASES)
def test_forward_over_reverse_gives_the_second_derivative(name: str, sample: Sample) -> None:
    laboratory = Laboratory(name, sample)
    if name in ONCE_ONLY:
        pytest.skip("TensorFlow has no second derivative here")
    with laboratory.graph.as_default():
        y: Any = laboratory.weighted(laboratory.first)
        assert (y is None) == (name in OF_INTEGERS | IN_STEPS)
        if y is None:
            pytest.skip("its gradient is None")
        slopes = [dense(slope) for slope in gradients(y, laboratory.xs)]
    known = {x: np.asarray(value) for x, value in laboratory.points.items()}
    for x, slope in zip(laboratory.xs, slopes, strict=True):
        forward = jacobian(y, x, known)
        reverse = np.zeros_like(known[x]) if slope is None else walk([slope], known, kernel)[slope]
        np.testing.assert_allclose(forward, reverse, rtol=1e-8, atol=1e-10)
