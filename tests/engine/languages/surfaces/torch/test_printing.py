"""Tensors in print, against the text that PyTorch 2.13.0 printed."""

from __future__ import annotations

import json
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.languages.surfaces.torch.printing import DEFAULT, changed_options, size_text, text_of

RECORDED = Path(__file__).parents[4] / "data" / "torch" / "printing.json"
CASES = json.loads(RECORDED.read_text(encoding="utf-8"))


def array_of(case: dict[str, Any]) -> Any:
    """The recorded numbers; large tensors count from 0 on, some in sevenths."""
    if "data" in case:
        numbers = np.array(
            [
                complex(*one) if isinstance(one, list) else float(one) if isinstance(one, str) else one
                for one in case["data"]
            ]
        )
    else:
        numbers = np.arange(prod(case["shape"]))
        if case["make"] == "seventh":
            numbers = numbers.astype(np.float32) / np.float32(7)
    return numbers.astype(case["dtype"]).reshape(case["shape"])


@pytest.mark.parametrize("dtype", sorted({case["dtype"] for case in CASES}))
def test_every_tensor_is_printed_as_pytorch_prints_it(dtype: str) -> None:
    for case in CASES:
        if case["dtype"] == dtype:
            options = dict(case.get("options", {}))
            profile, sci_mode = options.pop("profile", None), options.pop("sci_mode", None)
            text = text_of(
                array_of(case),
                changed_options(DEFAULT, profile, sci_mode, **options),
                grad_fn=case.get("grad_fn"),
                requires_grad=case.get("requires_grad", False),
            )
            assert text.split("\n") == case["text"]


def test_whole_numbers_have_a_point_and_others_four_decimals() -> None:
    assert text_of(np.array([1, 2], dtype=np.float32)) == "tensor([1., 2.])"
    assert text_of(np.array([1, 2.5], dtype=np.float32)) == "tensor([1.0000, 2.5000])"


def test_the_dtype_is_shown_where_it_is_not_the_default() -> None:
    assert text_of(np.float64(2)) == "tensor(2., dtype=torch.float64)"
    assert text_of(np.float64(2), default_dtype="float64") == "tensor(2.)"
    assert text_of(np.zeros((0, 3), dtype=np.float32)) == "tensor([], size=(0, 3))"


def test_a_shape_is_a_torch_size() -> None:
    assert size_text((2, 3)) == "torch.Size([2, 3])"
    assert size_text(()) == "torch.Size([])"
