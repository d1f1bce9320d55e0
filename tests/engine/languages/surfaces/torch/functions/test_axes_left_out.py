"""Calls without an axis that PyTorch 2 needs one for."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.torch.nn.test_module import printed


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("x.softmax()", 'TypeError softmax() missing 1 required positional arguments: "dim"'),
        ("torch.log_softmax(x)", 'TypeError log_softmax() missing 1 required positional arguments: "dim"'),
        ("x.flip()", 'TypeError flip() missing 1 required positional arguments: "dims"'),
        ("x[0].split(1)", "RuntimeError split expects at least a 1-dimensional tensor"),
        ("x[0].unbind()", "IndexError Dimension specified as 0 but tensor has no dimensions"),
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
