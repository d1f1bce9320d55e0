"""Calls without an axis that PyTorch 2 needs one for."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.torch.nn.test_module import printed

UNFIT = "TypeError {}() received an invalid combination of arguments - got ({})"
MISSING = 'TypeError {}() missing 1 required positional arguments: "dim"'


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("x.softmax()", 'TypeError softmax() missing 1 required positional arguments: "dim"'),
        ("torch.log_softmax(x)", 'TypeError log_softmax() missing 1 required positional arguments: "dim"'),
        ("x.flip()", 'TypeError flip() missing 1 required positional arguments: "dims"'),
        ("x[0].split(1)", "RuntimeError split expects at least a 1-dimensional tensor"),
        ("x[0].unbind()", "IndexError Dimension specified as 0 but tensor has no dimensions"),
        ("x.sum(keepdim=True)", UNFIT.format("sum", "keepdim=bool, ")),
        ("torch.max(x, keepdim=True)", UNFIT.format("max", "Tensor, keepdim=bool")),
        ("x.sum(dtype=torch.float64, keepdim=True)", MISSING.format("sum")),
        ("x.median(keepdim=True)", MISSING.format("median")),
        ("x.sort(0, stable=True)", UNFIT.format("sort", "int, stable=bool")),
        ("x.sort(dim=0, stable=True)[1].tolist()", "[0, 1]"),
        ("x.sum(None, True).tolist()", "[0.0]"),
        ("x.amax(keepdim=True).tolist()", "[0.0]"),
        ("x.flip(()).tolist()", "[0.0, 0.0]"),
        ("x.softmax(-1).tolist()", "[0.5, 0.5]"),
        ("F.softmax(x).tolist()", "[0.5, 0.5]"),
    ],
)
def test_a_missing_axis_is_said_where_pytorch_says_so(call: str, expected: str) -> None:
    source = f"""
x = torch.zeros(2)
try:
    print({call})
except Exception as e:
    print(type(e).__name__, e)
"""
    assert printed(source) == [expected]


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("torch.rand(2, -1)", "Trying to create tensor with negative dimension -1: [2, -1]"),
        ("torch.zeros(2, -1)", "zeros: Dimension size must be non-negative."),
        ("x.select(0, 5)", "select(): index 5 out of range for tensor of size [2] at dimension 0"),
        ("(x > 1).sign().tolist()", "[False, False]"),
    ],
)
def test_lengths_and_places_out_of_range_are_said_in_pytorchs_words(call: str, expected: str) -> None:
    assert printed(
        f"x = torch.zeros(2)\ntry:\n    print({call})\nexcept Exception as e:\n    print(e)\n"
    ) == [expected]
