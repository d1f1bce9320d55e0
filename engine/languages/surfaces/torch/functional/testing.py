"""`torch.testing.assert_close`: an error that says how far two tensors differ, and where most."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.creation.numbers import as_tensor
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor

TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


@torch_function("testing.assert_close")
def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: Any = True,
    rtol: Any = None,
    atol: Any = None,
    equal_nan: Any = False,
    check_device: Any = True,
    check_dtype: Any = True,
    check_layout: Any = True,
    check_stride: Any = False,
    msg: Any = None,
) -> None:
    """Raises: AssertionError where |actual - expected| > atol + rtol |expected|, or types differ."""
    a, b = (one if isinstance(one, Tensor) else as_tensor(one) for one in (actual, expected))
    if a.shape != b.shape:
        raise _unequal(f"The values for attribute 'shape' do not match: {a.shape} != {b.shape}.", msg)
    if check_dtype and a.dtype is not b.dtype:
        said = f"torch.{a.dtype.name} != torch.{b.dtype.name}"
        raise _unequal(f"The values for attribute 'dtype' do not match: {said}.", msg)
    near, least = TOLERANCES.get(a.dtype.name, (0.0, 0.0)) if rtol is None else (float(rtol), float(atol))
    close = np.isclose(a.array, b.array, rtol=near, atol=least, equal_nan=bool(equal_nan))
    if not np.all(close):
        raise _unequal(_differences(a.array, b.array, close, near, least), msg)


def _differences(a: Any, b: Any, close: Any, near: float, least: float) -> str:
    """Where two arrays differ, in PyTorch's words."""
    if not a.ndim:
        gap = abs(a.item() - b.item())
        return (
            f"Scalars are not close!\n\nExpected {b.item()} but got {a.item()}.\n"
            f"Absolute difference: {gap} (up to {least} allowed)\n"
            f"Relative difference: {gap / abs(b.item()) if b.item() else float('inf')} (up to {near} allowed)"
        )
    with np.errstate(divide="ignore", invalid="ignore"):
        gaps = np.where(close, 0, np.abs(a.astype("float64") - b.astype("float64")))
        shares = np.where(close, 0, gaps / np.abs(b))
    wrong = int(np.sum(~close))
    return (
        f"Tensor-likes are not close!\n\nMismatched elements: {wrong} / {a.size} ({wrong / a.size:.1%})\n"
        f"Greatest absolute difference: {_largest(gaps)} (up to {least} allowed)\n"
        f"Greatest relative difference: {_largest(shares)} (up to {near} allowed)"
    )


def _largest(values: Any) -> str:
    place = np.unravel_index(int(np.argmax(values)), values.shape)
    return f"{float(values[place])} at index {tuple(int(one) for one in place)}"


def _unequal(said: str, msg: Any) -> Exception:
    return torch_error(
        said if msg is None else str(msg), "两个张量不够接近。", kind="AssertionError", code="not_close"
    )
