"""PyTorch's update rules: by hand on single numbers, and 200 steps on three functions beside PyTorch
2.13.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.optimizers.rules import torch

RECORDED = Path(__file__).parents[2] / "data" / "torch" / "trajectories.json"
CASES = [
    case for case in json.loads(RECORDED.read_text(encoding="utf-8")) if case["name"] != "LBFGS"
]  # which is no rule from step to step


def numbers(*values: float) -> Any:
    return np.array(values, dtype=np.float64)


def valley(w: Any) -> Any:
    """The gradient of (1 - a)**2 + 10 (b - a**2)**2."""
    a, b = w
    return numbers(-2 * (1 - a) - 40 * a * (b - a * a), 20 * (b - a * a))


def bowl(w: Any) -> Any:
    """The gradient of the sum of (1, 10, 0.5) (w - 0.1)**2."""
    return numbers(1, 10, 0.5) * 2 * (w - 0.1)


def waves(w: Any) -> Any:
    """The gradient of the sum of sin(3 w) + w**2 / 2, and of 0.3 times the product of the rows."""
    return 3 * np.cos(3 * w) + w + 0.3 * w[::-1]


GRADIENTS = {"rosen": valley, "bowl": bowl, "waves": waves}
STARTS = {"rosen": [1.5, -1.0], "bowl": [3.0, -1.0, 0.2], "waves": [[0.5, -1.2, 2.0], [1.0, 0.3, -0.7]]}
NAMES = {"lr": ("learning_rate",), "eps": ("epsilon",), "betas": ("beta1", "beta2")}
NAMES |= {"etas": ("eta_minus", "eta_plus"), "step_sizes": ("smallest", "largest")}


def rule_of(case: dict[str, Any]) -> torch.TorchRule:
    """The rule with PyTorch's settings under our names."""
    settings: dict[str, Any] = {}
    for name, value in case["settings"].items():
        names = NAMES.get(name, (name,))
        settings.update(zip(names, value if isinstance(value, list) else [value], strict=True))
    if case["name"] == "AdamW":
        settings = {"weight_decay": 0.01, "decoupled_weight_decay": True, **settings}
    made: torch.TorchRule = getattr(torch, case["name"].replace("AdamW", "Adam"))(**settings)
    return made


@pytest.mark.parametrize(
    "case", CASES, ids=lambda case: f"{case['name']}-{case['settings']}-{case['function']}"
)
def test_200_steps_go_where_pytorch_went(case: dict[str, Any]) -> None:
    rule, w = rule_of(case), np.array(STARTS[case["function"]])
    recorded = {row[0]: row[1:] for row in case["rows"]}
    slots = rule.init(w)
    with np.errstate(all="ignore"):  # some of them run off
        for step in range(1, 201):
            w, slots = rule.update(w, GRADIENTS[case["function"]](w), slots)
            if step in recorded:
                np.testing.assert_allclose(w.reshape(-1), recorded[step], rtol=1e-6, atol=1e-6)
    for name, value in case["state"].items():
        if value is not None:
            np.testing.assert_allclose(np.ravel(slots[name]), np.ravel(value), rtol=1e-6, atol=1e-6)


def test_sgd_scales_the_velocity_by_the_rate_at_each_step() -> None:
    rule = torch.SGD(learning_rate=0.1, momentum=0.5, dampening=0.5)
    w, slots = rule.update(numbers(1.0), numbers(2.0), rule.init(numbers(1.0)))
    assert slots["momentum_buffer"] == 2.0  # the first velocity is the gradient
    assert w == pytest.approx(0.8)
    w, slots = rule.update(w, numbers(4.0), slots)
    assert slots["momentum_buffer"] == 3.0  # 0.5 * 2 + 0.5 * 4
    assert w == pytest.approx(0.5)


def test_adam_goes_the_rate_at_its_first_step() -> None:
    rule = torch.Adam(learning_rate=0.1)
    w, slots = rule.update(numbers(3.0), numbers(6.0), rule.init(numbers(3.0)))
    assert w == pytest.approx(2.9, abs=1e-6)
    assert slots["step"] == 1


def test_decoupled_weight_decay_shrinks_the_weight_first() -> None:
    rule = torch.Adam(learning_rate=0.1, weight_decay=0.5, decoupled_weight_decay=True)
    w, _ = rule.update(numbers(10.0), numbers(1.0), rule.init(numbers(10.0)))
    assert w == pytest.approx(9.4)  # 10 (1 - 0.1 * 0.5) - 0.1


def test_rprop_waits_after_the_gradient_has_turned() -> None:
    rule = torch.Rprop(learning_rate=0.1)
    w, slots = rule.update(numbers(1.0), numbers(3.0), rule.init(numbers(1.0)))
    assert w == pytest.approx(0.9)
    w, slots = rule.update(w, numbers(-3.0), slots)
    assert w == pytest.approx(0.9)
    assert slots["step_size"] == pytest.approx(0.05)


def test_float32_weights_stay_float32() -> None:
    w = np.ones((2, 2), dtype=np.float32)
    for name in torch.__all__:
        if name != "TorchRule":
            rule = getattr(torch, name)()
            new, slots = rule.update(w, w, rule.init(w))
            assert new.dtype == np.float32
            assert all(np.asarray(value).dtype == np.float32 for value in slots.values())
