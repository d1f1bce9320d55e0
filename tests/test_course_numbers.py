"""The figures that the items of the course speak of, each computed by the engine."""

from __future__ import annotations

import math
from typing import Any

import pytest

from engine.programs import ProgramRequest, RunRequest, optimise, tell_lesson
from engine.programs.answers.comparison import compare_ways
from tests.limits import ROOMY
from tests.test_course import run_text, text_of
from tests.test_examples import gradients, value


def request(example: str, text: str = "main", **changes: Any) -> ProgramRequest:
    chosen = text_of(example, text)
    return ProgramRequest(chosen["source"], **{"at": chosen["at"], **changes})


def updates(
    example: str, steps: int, rate: float, text: str = "main", name: str = "GradientDescent", **more: Any
) -> dict[str, Any]:
    """A run of one of an example's texts."""
    optimizer = {"name": name, "learning_rate": rate, **more.pop("parameters", {})}
    return optimise(
        request(example, text, at=more.pop("at", text_of(example, text)["at"])),
        RunRequest(steps, optimizer, **more),
    )


def test_g01_the_slope_is_zero_at_half_pi() -> None:
    answer = run_text("g01", at={"x": math.pi / 2})
    assert gradients(answer) == {"x": pytest.approx(0, abs=1e-15)}


def test_g02_the_first_step_leads_up() -> None:
    assert updates("g02", 1, 0.01)["variables"]["x"][1] == pytest.approx(3.0099, abs=5e-5)


def test_g03_is_below_a_tenth_after_114_updates() -> None:
    x = optimise(request("g03"), RunRequest(114))["variables"]["x"]
    assert x[1] == pytest.approx(2.94)
    assert x[113] > 0.3 > x[114]


@pytest.mark.parametrize(
    ("rate", "steps", "x"),
    [(0.9, 3, -1.536), (1.0, 20, 3.0), (1.01, 100, 21.7), (1.1, 100, 2.5e8), (0.1, 20, 3 * 0.8**20)],
)
def test_g04_the_bound_is_one(rate: float, steps: int, x: float) -> None:
    assert updates("g04", steps, rate)["variables"]["x"][-1] == pytest.approx(x, rel=0.01)


def test_g05_a_tenth_more_of_w_is_five_more_of_y() -> None:
    answer = run_text("g05")
    assert value(answer, "y") == 500.0
    assert gradients(answer)["w"] * 0.1 == pytest.approx(505 - 500)


def test_g06_two_calls_make_two_scopes() -> None:
    names = {node["name"].split("/")[0] for node in run_text("g06")["graph"]["nodes"]}
    assert {name for name in names if name.startswith("gradients")} == {"gradients", "gradients_1"}


def test_g07_a_gradient_of_3_is_not_clipped() -> None:
    assert run_text("g07", "small")["printed"] == ["[(3.0, 4.0)]", "[3.0, 3.7, 11.1]"]


@pytest.mark.parametrize(
    ("process", "gradient"),
    [("clip_by_norm", [3, 4]), ("clip_by_value", [5, 5]), ("clip_by_global_norm", [3, 4])],
)
def test_g08_what_each_way_to_clip_leaves(process: str, gradient: list[float]) -> None:
    run = updates("g08", 1, 0.1, process=[{process: 5}])
    assert run["gradients"]["v"][0] == [6, 8]
    assert run["processed"]["v"][0] == pytest.approx(gradient)


def test_g09_a_rule_without_its_factor_gives_half() -> None:
    assert run_text("g09", "mistake")["printed"] == ["[9.0, 12.0]"]


def test_g10_the_difference_finds_the_missing_minus() -> None:
    assert run_text("g10", "mistake")["printed"][1] == "y: rule 1, difference -1"
    assert run_text("g10")["printed"] == ["x: rule 1, difference 1", "y: rule -1, difference -1"]


def test_g12_the_largest_rate_and_the_steepness_of_the_valley() -> None:
    steep, flat = (9 + math.sqrt(61)) / 2, (9 - math.sqrt(61)) / 2  # of the Hessian [[7, 3], [3, 2]]
    assert steep == pytest.approx(8.405, abs=5e-4)
    assert flat == pytest.approx(0.595, abs=5e-4)
    assert 2 / steep == pytest.approx(0.238, abs=5e-4)
    assert steep / flat == pytest.approx(14.1, abs=0.05)
    assert updates("g12", 200, 0.2)["loss"][-1] < 1e-6
    losses = updates("g12", 200, 0.24)["loss"]
    assert losses[1] / losses[0] == pytest.approx(1.03, abs=0.005)
    assert losses[-1] > 900 * losses[0]


def test_g14_a_tape_that_is_not_persistent_answers_once() -> None:
    answer = run_text("g14", "once")
    assert any("persistent" in one["message"] + one["hint"] for one in answer["diagnostics"])


def test_g15_the_other_branch() -> None:
    (line,) = run_text("g15", "negative")["printed"]
    assert line.startswith("[[-102400.]] [[204800.]]")


def test_g16_errors_of_differences() -> None:
    printed = run_text("g16")["printed"]
    assert "  delta 1e-03  forward 7.0e-05  central 1.6e-07" in printed[:6]  # float64
    assert "  delta 1e-05  forward 7.1e-07  central 1.0e-11" in printed[:6]
    assert "  delta 1e-04  forward 1.0e-03  central 1.0e-03" in printed[6:]  # float32
    assert "  delta 1e-07  forward 9.9e-01  central 9.9e-01" in printed[6:]  # the answer is 0


def test_g17_differences_take_two_runs_for_each_parameter() -> None:
    assert run_text("g17")["printed"][:2] == [
        "differences: 20 forward runs",
        "reverse mode: 1 forward run and 1 backward",
    ]


@pytest.mark.slow
def test_g17_a_thousand_parameters() -> None:
    assert run_text("g17", "thousand")["printed"][0] == "differences: 2000 forward runs"


def test_g19_by_each_path_and_by_both() -> None:
    a, b = -2, 3
    assert (b * (a + b), a * b) == (3, -6)
    assert gradients(run_text("g19"))["a"] == b * (a + b) + a * b == -3


def naive(text: str) -> set[float]:
    """What sending on too early gives."""
    steps = tell_lesson(request("g20", text), level="tensorflow")["steps"]
    wrong = [each["value"] for step in steps for each in step["misconceptions"] if each["id"] == "M14"]
    return {value["data"] if isinstance(value, dict) else value for value in wrong}


def test_g20_the_naive_order_gives_more() -> None:
    assert gradients(run_text("g20")) == {"a": 25, "b": 19}
    assert gradients(run_text("g20", "small")) == {"a": 4}
    assert {29, 22} <= naive("main")
    assert 8 in naive("small")


def test_g21_the_second_pass_adds_to_what_is_left() -> None:
    assert run_text("g21")["printed"] == [
        "first: a 1, b 1, c 1, d 5",
        "second: a 3, b 3, c 2, d 10",
        "TensorFlow: a 1, b 1, c 1, d 5",
    ]
    assert run_text("g21", "cleared")["printed"][1] == "second: a 1, b 1, c 1, d 5"


@pytest.mark.parametrize(("name", "x"), [("GradientDescent", 0.398), ("Momentum", 0.0127), ("Adam", 2.06)])
def test_g22_who_is_nearest_on_a_square(name: str, x: float) -> None:
    run = updates("g22", 100, 0.01, "square", name)
    assert abs(run["variables"]["x"][-1]) == pytest.approx(x, rel=0.005)


def test_g22_the_ravine_has_the_bound_of_its_steep_side() -> None:
    assert updates("g22", 100, 0.07, "ravine")["loss"][-1] < 1
    losses = updates("g22", 100, 0.081, "ravine")["loss"]
    assert losses[-1] > losses[50]
    saddle = updates("g22", 40, 0.05, "saddle", "Momentum")
    assert abs(saddle["variables"]["y"][-1]) > 10 * abs(saddle["variables"]["x"][-1])
    assert updates("g22", 200, 0.3, name="Adam")["loss"][-1] < 0.1


def test_g23_over_critically_and_under_damped() -> None:
    def path(momentum: float) -> list[float]:
        found: list[float] = updates("g23", 60, 0.02, name="Momentum", parameters={"momentum": momentum})[
            "variables"
        ]["x"]
        return found

    over, critical, under = path(0.3), path(0.64), path(0.9)
    assert min(over) > 0
    assert min(critical) > 0
    assert min(under) < 0
    assert max(map(abs, critical[-10:])) < 1e-3 < min(abs(over[-1]), max(map(abs, under[-10:])))


@pytest.mark.parametrize(
    ("text", "slope"),
    [
        ("main", 0.016),
        ("sigmoid", 9e-14),
        ("sigmoid4", 4e-23),
        ("relu", 1),
        ("relu15", 3325),
        ("linear", 2**20),
    ],
)
def test_g24_what_is_left_after_twenty_layers(text: str, slope: float) -> None:
    (printed,) = run_text("g24", text)["printed"]
    assert float(printed.removeprefix("dh/dx ")) == pytest.approx(slope, rel=0.02)


def test_g25_unequal_towers_average_to_something_else() -> None:
    assert run_text("g25", "unequal")["printed"][0] == "[-4.0, -38.666668] -21.333334"
    assert pytest.approx(-30, abs=0.01) == (1 * -4 + 3 * -38.67) / 4


def test_g26_two_reasons_for_none() -> None:
    rows = run_text("g26", "floor")["gradients"]
    assert [row["tensor"] is None for row in rows] == [False, True, True]
    assert "No operation leads from x to y" in rows[1]["reason"]
    assert rows[2]["reason"].startswith("Floor (Floor) stands on the path")


def test_g27_the_tape_stops_a_gradient_too() -> None:
    assert run_text("g27", "tape")["printed"] == ["3.0", "1.0"]


def test_g28_what_is_not_finite_at_zero() -> None:
    root, product = run_text("g28", "sqrt"), run_text("g28", "product")
    assert value(root, "y") == 0
    assert root["gradients"][0]["value"]["data"] == "inf"
    assert value(product, "y") == "nan"


def test_g29_first_and_second_agree_at_three() -> None:
    assert run_text("g29", "fourth")["printed"] == ["[16.0, 32.0, 48.0, 48.0, 24.0]"]
    assert run_text("g29", "three")["printed"] == ["[81.0, 108.0, 108.0, 72.0]"]


@pytest.mark.parametrize(("at", "slopes"), [(1, (1, 1)), (-1, (0, -1)), (0, (0, 0))])
def test_g31_slopes_beside_the_corner(at: float, slopes: tuple[float, float]) -> None:
    assert tuple(gradients(run_text("g31", at={"a": at, "b": at})).values()) == slopes


def test_g32_visits_and_the_bug() -> None:
    assert run_text("g32")["printed"] == [
        "recursion: 2047 visits for the slope 1024",
        "sweep: 11 nodes for the slope 1024",
        "w^2 by w: 6, by b: 6",
    ]
    assert run_text("g32", "mended")["printed"][2] == "w^2 by w: 6, by b: 0"


@pytest.mark.slow
def test_g34_the_floor_falls_only_with_the_rate() -> None:
    def floor(text: str) -> float:
        return float(run_text("g34", text)["printed"][0].split(", ")[1].split()[0])

    constant = floor("main")
    assert floor("warmup") == pytest.approx(constant)
    assert max(floor("step"), floor("exponential"), floor("cosine")) < constant / 10


@pytest.mark.parametrize(("stages", "size"), list(enumerate((1, 13, 51, 151, 399, 991, 2367, 5503), start=1)))
def test_g18_the_written_out_derivative_swells(stages: int, size: int) -> None:
    lines = text_of("g18", "eight")["source"].splitlines()[:stages]
    compared = compare_ways(ProgramRequest("\n".join(lines), at={"x": 0.3}), ROOMY)
    assert compared["symbolic"]["size_naive"] == size
