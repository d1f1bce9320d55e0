"""The catalogues: examples with their text, ops with their formulas."""

from __future__ import annotations

import httpx
import pytest
from pydantic import BaseModel

from engine.ops import REGISTRY
from engine.optimizers import RULES, SCHEDULES
from server.schemas.catalogues import OpsAnswer, OptimizersAnswer
from server.schemas.examples import ExamplesAnswer


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


def test_an_op_says_what_it_is_called_elsewhere_and_where_it_has_a_corner(client: httpx.Client) -> None:
    relu = client.get("/ops/Relu").json()
    assert relu["names"] == {
        "tf": "tf.nn.relu",
        "torch": "torch.relu",
        "jax": "jax.nn.relu",
        "numpy": "np.maximum(0, features)",
        "math": "relu",
    }
    assert relu["kink"]["zh"] == "relu 在 0 处有拐角；TensorFlow 在那里取斜率 0。"
    assert relu["related"][0] == "ReluGrad"
    sin = client.get("/ops/Sin").json()
    assert (sin["names"]["jax"], sin["derivative"], sin["kink"]) == ("jnp.sin", [r"\cos {x}"], None)
    assert client.get("/ops/AddV2").json()["names"]["torch"] == "x + y"


def test_every_op_that_is_named_as_related_is_there(client: httpx.Client) -> None:
    ops = client.get("/ops").json()["ops"]
    assert {name for op in ops for name in op["related"]} <= set(REGISTRY)


def test_an_op_has_its_formula_and_its_gradients(client: httpx.Client) -> None:
    op = client.get("/ops/Sin").json()
    assert op["latex"] == r"\sin {x}"
    assert op["adjoints"] == [r"\bar{y} \cos x"]
    assert op["doc"].startswith("Sine of each element")
    assert op["doc_zh"].startswith("逐元素的正弦")


def test_an_op_without_a_gradient_says_why_in_both_languages(client: httpx.Client) -> None:
    op = client.get("/ops/Equal").json()
    assert op["no_gradient"] == "its output is true or false, which does not vary smoothly with x"
    assert op["no_gradient_zh"] == "它的输出是真或假，不随 x 连续变化"


def test_every_optimizer_has_its_update_and_its_defaults(client: httpx.Client) -> None:
    body = client.get("/optimizers").json()
    by_name = {optimizer["name"]: optimizer for optimizer in body["optimizers"]}
    assert list(by_name) == list(RULES)
    momentum = {each["name"]: each["default"] for each in by_name["Momentum"]["hyper_parameters"]}
    assert momentum == {"learning_rate": 0.01, "momentum": 0.9, "use_nesterov": False}
    assert by_name["keras.Adam"]["family"] == "keras"
    assert {schedule["name"] for schedule in body["schedules"]} == set(SCHEDULES)


@pytest.mark.parametrize(
    ("path", "schema"),
    [("/examples", ExamplesAnswer), ("/ops", OpsAnswer), ("/optimizers", OptimizersAnswer)],
)
def test_a_catalogue_is_packed_and_of_the_documented_form(
    client: httpx.Client, path: str, schema: type[BaseModel]
) -> None:
    answer = client.get(path)
    assert answer.headers["content-encoding"] == "gzip"
    assert schema.model_validate(answer.json()).model_dump(exclude_unset=True).keys() == answer.json().keys()
    assert client.get(path, headers={"If-None-Match": answer.headers["etag"]}).status_code == 304
