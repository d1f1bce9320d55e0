"""Every example of the gallery, with the figures that it is there to show."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from engine.programs import ProgramRequest, RunRequest, optimise, run_program, tell_lesson

FOLDER = Path(__file__).parent.parent / "examples"
INDEX: list[dict[str, Any]] = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
BY_ID = {entry["id"]: entry for entry in INDEX}


def request(example: str, **changes: Any) -> ProgramRequest:
    entry = BY_ID[example]
    source = (FOLDER / entry["file"]).read_text(encoding="utf-8")
    return ProgramRequest(source, **{"at": entry["at"], **changes})


def gradients(answer: dict[str, Any]) -> dict[str, float]:
    return {row["name"]: row["value"]["data"] for row in answer["gradients"] if row["value"]}


def value(answer: dict[str, Any], name: str) -> Any:
    found = next(binding for binding in answer["bindings"] if binding["name"] == name)
    return found["value"]["data"]


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["id"]))
def test_every_example_runs_as_the_dialect_that_the_index_names(entry: dict[str, Any]) -> None:
    answer = run_program(request(entry["id"]))
    assert answer["status"] == "ok"
    assert answer["dialect"] == entry["dialect"]
    assert answer["graph"]["nodes"]


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["id"]))
def test_every_example_has_a_lesson_in_both_languages(entry: dict[str, Any]) -> None:
    steps = tell_lesson(request(entry["id"]))["steps"]
    assert steps
    assert all(step["sentence"]["en"] and step["sentence"]["zh"] for step in steps)


@pytest.mark.parametrize("entry", INDEX, ids=lambda entry: str(entry["id"]))
def test_every_example_is_described_in_both_languages(entry: dict[str, Any]) -> None:
    assert set(entry) == {"id", "dialect", "file", "title", "teaches", "at"}
    assert all(entry[field][language] for field in ("title", "teaches") for language in ("en", "zh"))


def test_g01_the_chain_rule() -> None:
    answer = run_program(request("g01"))
    assert value(answer, "y") == pytest.approx(1.1516, abs=5e-5)
    assert gradients(answer) == {"x": pytest.approx(-1.1400, abs=5e-5)}
    run = optimise(request("g01"), RunRequest(100, {"name": "GradientDescent", "learning_rate": 0.01}))
    assert run["variables"]["x"][-1] == pytest.approx(3.7401, abs=5e-5)


def test_g02_sine() -> None:
    answer = run_program(request("g02"))
    assert value(answer, "y") == pytest.approx(0.1411, abs=5e-5)
    assert gradients(answer) == {"x": pytest.approx(-0.9900, abs=5e-5)}
    run = optimise(request("g02"), RunRequest(100, {"name": "GradientDescent", "learning_rate": 0.01}))
    assert run["variables"]["x"][-1] == pytest.approx(3.9114, abs=5e-5)


def test_g03_downhill_on_a_square() -> None:
    printed = run_program(request("g03"))["printed"]
    assert printed[0] == "step 0: x 2.940000, y 9.000000"
    assert printed[1] == "step 1: x 2.881200, y 8.643600"
    assert printed[99] == "step 99: x 0.397859, y 0.164818"
    run = optimise(request("g03"), RunRequest(100))
    assert run["variables"]["x"][-1] == pytest.approx(0.39786, abs=5e-6)
    assert run["loss"][-1] == pytest.approx(0.15829, abs=5e-6)


@pytest.mark.parametrize(
    ("rate", "steps", "x", "status"),
    [(0.5, 1, 0.0, "ok"), (0.9, 2, 1.92, "ok"), (1.0, 3, -3.0, "ok"), (1.1, 100, 2.5e8, "diverged")],
)
def test_g04_learning_rates(rate: float, steps: int, x: float, status: str) -> None:
    run = optimise(request("g04"), RunRequest(steps, {"name": "GradientDescent", "learning_rate": rate}))
    assert run["variables"]["x"][-1] == pytest.approx(x, rel=0.01, abs=1e-12)
    assert run["status"] == status


def test_g05_pairs() -> None:
    assert run_program(request("g05"))["printed"] == ["[(50.0, 10.0), (10.0, 50.0)]"]


def test_g06_handles() -> None:
    assert run_program(request("g06"))["printed"] == [
        "[<tf.Tensor 'gradients/mul_grad/Mul:0' shape=() dtype=float32>]",
        "[(<tf.Tensor 'gradients_1/mul_grad/tuple/control_dependency:0' shape=() dtype=float32>, "
        "<tf.Variable 'Variable_1:0' shape=() dtype=float32_ref>)]",
        "[3.0]",
    ]


def test_g07_clipping_changes_a_gradient_of_50_to_5() -> None:
    assert run_program(request("g07"))["printed"] == ["[(5.0, 10.0)]", "[50.0, 9.5, 475.0]"]


def test_g08_three_ways_to_clip() -> None:
    assert run_program(request("g08"))["printed"] == [
        "gradient [6. 8.]",
        "by norm [3. 4.]",
        "by value [5. 5.]",
        "by global norm [3. 4.] of norm 10.0",
    ]


def test_g09_a_rule_registered_before_the_graph_is_made() -> None:
    assert run_program(request("g09"))["printed"] == ["[9.0, 24.0]"]


def test_g11_a_real_loss() -> None:
    answer = run_program(request("g11"))
    assert value(answer, "loss") == 9.0
    assert gradients(answer) == {"w": -12.0, "b": -6.0}  # the data are held constant
    of_all = run_program(request("g11", wrt=["w", "b", "y", "x"]))
    assert gradients(of_all) == {"w": -12.0, "b": -6.0, "y": 6.0, "x": -6.0}


def test_g12_a_fitted_line() -> None:
    assert run_program(request("g12"))["printed"] == ["start 21.0", "w 2.0000, b 1.0000"]
    run = optimise(request("g12"), RunRequest(1))
    assert (run["gradients"]["w"][0], run["gradients"]["b"][0]) == (-17.0, -8.0)


def test_g13_a_column() -> None:
    assert run_program(request("g13"))["printed"] == ["[[0.0], [4.0], [8.0], [12.0]]"]


def test_g14_a_tape_that_answers_twice() -> None:
    assert run_program(request("g14"))["printed"] == ["[  0.   4.  32. 108.]", "[0. 2. 4. 6.]"]


def test_g15_the_path_that_was_taken() -> None:
    assert run_program(request("g15"))["printed"] == [
        "[[1024.]] [[2048.]] tf.Tensor([[ True]], shape=(1, 1), dtype=bool)"
    ]


def test_g26_on_a_tape_none_is_not_zero() -> None:
    answer = run_program(request("g26"))
    assert answer["printed"] == ["[6.0, None, None, None]"]
    assert [row["reason"] is None for row in answer["gradients"]] == [True, False, False, False]


def test_g18_every_stage_adds_the_same_nodes() -> None:
    nodes = run_program(request("g18"))["graph"]["nodes"]
    assert sum(node["name"].startswith("gradients/mul") for node in nodes) > 0
    assert len(nodes) < 100


def test_g19_fan_out() -> None:
    answer = run_program(request("g19"))
    assert value(answer, "f") == -6.0
    assert gradients(answer) == {"a": -3.0, "b": -8.0}


def test_g20_order() -> None:
    answer = run_program(request("g20"))
    assert value(answer, "y") == 41.0
    assert gradients(answer) == {"a": 25.0, "b": 19.0}


def test_g24_a_gradient_that_vanishes() -> None:
    h, slope = 1.0, 1.0
    for _ in range(20):
        h = math.tanh(h)
        slope *= 1 - h * h
    (printed,) = run_program(request("g24"))["printed"]
    assert float(printed.removeprefix("dh/dx ")) == pytest.approx(slope, rel=1e-5)


def test_g25_the_average_of_the_towers_is_the_gradient_over_all_data() -> None:
    answer = run_program(request("g25"))
    assert answer["printed"] == ["[-10.0, -50.0] -30.0", "w 0.30"]
    devices = {node["device"] for node in answer["graph"]["nodes"] if node["name"].startswith("tower_1/")}
    assert devices == {"/device:GPU:1"}


def test_g27_total_and_partial() -> None:
    assert run_program(request("g27"))["printed"] == ["[3.0, 1.0]", "[1.0, 1.0]"]


def test_g28_log_of_a_negative_number() -> None:
    run = optimise(request("g28"), RunRequest(10, {"name": "GradientDescent", "learning_rate": 0.01}))
    assert run["status"] == "non_finite"
    assert run["variables"]["x"] == [0.05, pytest.approx(-0.15)]
    assert run["stopped_at"]["node"] == "Log"


def test_g29_higher_derivatives() -> None:
    assert run_program(request("g29"))["printed"] == ["[16.0, 32.0, 48.0, 48.0]"]


def test_g30_two_inputs() -> None:
    answer = run_program(request("g30"))
    assert value(answer, "f") == pytest.approx(11.652, abs=5e-4)
    assert gradients(answer) == {"x1": pytest.approx(5.5), "x2": pytest.approx(1.716, abs=5e-4)}


def test_g31_kinks() -> None:
    assert gradients(run_program(request("g31"))) == {"a": 0.0, "b": 0.0}


def test_g33_the_slope_of_the_path_that_ran() -> None:
    assert run_program(request("g33"))["printed"] == [
        "at 0.489 2048.0",
        "at 0.488 4096.0",
        "across the jump -496928",
    ]


def test_g35_exclusive_or_prints_what_tensorflow_prints() -> None:
    answer = run_program(request("g35"))
    assert answer["printed"] == ["loss 0.0015", "[[0.0], [1.0], [1.0], [0.0]]"]
    shapes = {row["name"]: row["value"]["shape"] for row in answer["gradients"]}
    assert shapes == {"w1": [2, 4], "b1": [4], "w2": [4, 1], "b2": [1]}


def test_g36_twenty_layers_print_what_tensorflow_prints() -> None:
    answer = run_program(request("g36"))
    losses = (0.3034, 0.2628)
    assert answer["printed"] == [f"step {k}: loss {loss:.4f}" for k, loss in enumerate(losses)]
    assert len(answer["graph"]["nodes"]) > 600
