"""Gradients of gradients beside those of PyTorch: the nodes of a recorded pass, what they keep, values."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.languages.surfaces.torch.recorded import check, programs


@pytest.mark.parametrize("case", programs("double_backward"), ids=lambda case: case["name"])
def test_a_recorded_pass_leaves_the_nodes_of_pytorch(case: dict[str, Any]) -> None:
    check(case)
