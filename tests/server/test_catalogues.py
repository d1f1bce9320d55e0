"""The catalogues: examples with their text, ops with their formulas."""

from __future__ import annotations

import httpx

from engine.ops import REGISTRY


def test_every_example_has_both_languages_and_its_text(client: httpx.Client) -> None:
    examples = client.get("/examples").json()["examples"]
    assert len(examples) >= 6
    for example in examples:
        assert example["source"].strip()
        assert all(example[field][language] for field in ("title", "teaches") for language in ("en", "zh"))
        assert client.get(f"/examples/{example['id']}").json() == example


def test_every_op_of_the_registry_is_listed_by_name(client: httpx.Client) -> None:
    ops = client.get("/ops").json()["ops"]
    assert [op["name"] for op in ops] == sorted(REGISTRY)


def test_an_op_tells_its_formula_and_its_gradients(client: httpx.Client) -> None:
    op = client.get("/ops/Sin").json()
    assert op["latex"] == r"\sin {x}"
    assert op["adjoints"] == [r"\bar{y} \cos x"]
    assert op["doc"].startswith("Sine of each element")
