"""An optimizer's update as a function that programs share: what its kernel gives, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.execution.eager.turns.updates import part_of
from engine.optimizers.catalogue import RULES
from engine.optimizers.rule import Rule

NOT_ALONE = {"TorchAdafactor"}  # whose numbers depend on the other elements
SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {"vectors": ((4,), (9,)), "matrices": ((2, 3), (4, 5))}


def inputs_of(rule: Rule, shape: tuple[int, ...], dtype: Any) -> list[tuple[str, Any]]:
    """What the rule's op takes, each with its key."""
    random = np.random.default_rng(1)
    theta, g = (random.normal(size=shape).astype(dtype) for _ in range(2))
    state = {name: value + abs(g) if np.ndim(value) else value for name, value in rule.init(theta).items()}
    found = {**{f"slots.{name}": np.asarray(value) for name, value in state.items()}, "g": g}
    types = dict(zip(rule.takes, rule.apply_op.types[1:], strict=True))
    for key in rule.takes:
        kind = dtype if types[key] == "T" else types[key]
        found.setdefault(key, np.asarray(getattr(rule, key, 3 if types[key] == "int64" else 0.5), dtype=kind))
    return [("var", theta), *((key, found[key]) for key in rule.takes)]


@pytest.mark.parametrize("shapes", SHAPES.values(), ids=SHAPES)
@pytest.mark.parametrize("name", RULES)
def test_one_function_updates_variables_of_all_lengths_as_the_kernel_does(
    name: str, shapes: tuple[tuple[int, ...], ...]
) -> None:
    rule = RULES[name]()
    parameters = tuple({"use_locking": False, **rule.attributes}.items())
    parts = []
    for shape in shapes:
        given = inputs_of(rule, shape, np.float32)
        varies = [key == "var" or key == "g" or key.startswith("slots.") for key, _ in given]
        kinds = tuple(
            ("array", one.dtype, one.ndim) if is_new else ("known", one.dtype, one.item())
            for (_, one), is_new in zip(given, varies, strict=True)
        )
        part = part_of(rule.apply_op, parameters, kinds)
        if part is None:
            assert rule.apply_op.name in NOT_ALONE
            return
        parts.append(part)
        arrays = [
            one if one.ndim else one[()] for (_, one), is_new in zip(given, varies, strict=True) if is_new
        ]
        compare(part(*arrays), rule.apply_op.kernel(*(one for _, one in given), **dict(parameters)))
    assert all(part is parts[0] for part in parts)


def compare(found: Any, expected: Any) -> None:
    pairs = zip(*(one if isinstance(one, tuple) else (one,) for one in (found, expected)), strict=True)
    for ours, theirs in pairs:
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs).astype(np.asarray(ours).dtype))
