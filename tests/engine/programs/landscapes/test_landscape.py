"""Landscapes: values and slopes on a grid, and the points where every slope is zero."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.errors import GradlensError, LimitError
from engine.interchange.values import nested_json
from engine.programs import ProgramRequest, RunRequest
from engine.programs.landscapes import AxisRequest, LandscapeRequest, View, bands, landscape
from engine.programs.races.parts import PART_S
from tests.limits import ROOMY

X = AxisRequest(41, "x", start=-5, stop=5)
Y = AxisRequest(31, "y", start=-5, stop=5)
WEIGHTS = """
import numpy as np
import tensorflow as tf
w = tf.Variable(np.array([[1.0, 2.0], [3.0, 4.0]]))
b = tf.Variable(0.5, dtype=tf.float64)
loss = tf.reduce_sum(tf.square(w)) + tf.square(b)
"""


def look(source: str, *axes: AxisRequest, **fields: Any) -> dict[str, Any]:
    return landscape(ProgramRequest(source), LandscapeRequest(axes, **fields), ROOMY)


def points(source: str, *axes: AxisRequest) -> list[tuple[Any, ...]]:
    """Kind and coordinates of each critical point."""
    found = look(source, *axes)["points"]
    return [(point["kind"], *(round(a, 5) + 0.0 for a in point["at"].values())) for point in found]


def test_values_and_slopes_stand_at_their_coordinates() -> None:
    found = look(
        "x^2 + 3 y", AxisRequest(3, "x", start=0, stop=2), AxisRequest(2, "y", start=0, stop=1), gradient=True
    )
    assert found["axes"] == [{"variable": "x", "values": [0, 1, 2]}, {"variable": "y", "values": [0, 1]}]
    assert found["values"] == [[0, 3], [1, 4], [4, 7]]
    assert found["gradient"] == [[[0, 0], [2, 2], [4, 4]], [[3, 3], [3, 3], [3, 3]]]
    assert found["extent"] == {"min": 0.0, "max": 7.0, "not_finite": 0}


def test_a_curve_has_one_axis() -> None:
    found = look("x^2", AxisRequest(3, "x", start=-1, stop=1))
    assert found["values"] == [1, 0, 1]
    assert found["gradient"] is None
    assert [(point["kind"], point["at"]) for point in found["points"]] == [("minimum", {"x": 0.0})]


def test_himmelblaus_four_minima_four_saddles_and_one_maximum() -> None:
    assert sorted(points("(x^2+y-11)^2+(x+y^2-7)^2", X, Y)) == [
        ("maximum", -0.27084, -0.92304),
        ("minimum", -3.77931, -3.28319),
        ("minimum", -2.80512, 3.13131),
        ("minimum", 3.0, 2.0),
        ("minimum", 3.58443, -1.84813),
        ("saddle", -3.07303, -0.08135),
        ("saddle", -0.12796, -1.95371),
        ("saddle", 0.08668, 2.88425),
        ("saddle", 3.38515, 0.07385),
    ]


def test_rosenbrocks_valley_is_ill_conditioned() -> None:
    (point,) = look("(1-x)^2+100*(y-x^2)^2", X, Y)["points"]
    assert point["kind"] == "minimum"
    assert point["at"] == {"x": pytest.approx(1), "y": pytest.approx(1)}
    assert point["eigenvalues"] == pytest.approx(
        [0.39936, 1001.60064], rel=1e-5
    )  # of [[802, -400], [-400, 200]]
    assert point["condition"] == pytest.approx(2508.0, rel=1e-4)


@pytest.mark.parametrize(
    ("source", "kind"),
    [("x^3", "saddle"), ("x^4", "minimum"), ("-x^4", "maximum")],
)
def test_where_the_hessian_is_zero_the_values_around_decide(source: str, kind: str) -> None:
    (point,) = look(source, X)["points"]
    assert (point["kind"], point["degenerate"], point["isolated"]) == (kind, True, True)
    assert point["condition"] == "inf"
    assert point["at"]["x"] == pytest.approx(0, abs=1e-6)


def test_a_monkey_saddle_is_a_degenerate_saddle() -> None:
    (point,) = look("x^3 - 3 x y^2", X, Y)["points"]
    assert (point["kind"], point["degenerate"], point["isolated"]) == ("saddle", True, True)


@pytest.mark.slow
def test_a_valley_floor_is_listed_by_some_of_its_points() -> None:
    found = look("(x y - 1)^2", X, Y)
    floor = [point for point in found["points"] if point["kind"] == "minimum"]
    assert 1 <= len(floor) <= 10
    assert not any(point["isolated"] for point in floor)
    assert all(point["at"]["x"] * point["at"]["y"] == pytest.approx(1) for point in floor)
    assert [note["code"] for note in found["diagnostics"]] == ["not_isolated"]
    assert ("saddle", 0.0, 0.0) in points("(x y - 1)^2", X, Y)


def test_where_there_is_no_value_there_is_nan_and_the_rest_is_searched() -> None:
    found = look("log(x) - x", AxisRequest(5, "x", start=-2, stop=2), gradient=True)
    assert found["values"][:3] == ["nan", "nan", "-inf"]
    assert found["extent"]["not_finite"] == 3
    assert [(p["kind"], p["at"]["x"]) for p in found["points"]] == [("maximum", pytest.approx(1))]
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("source", ["x + y", "exp(x)", "5"])
def test_a_slope_has_no_critical_points(source: str) -> None:
    assert look(f"{source} + 0 x + y", X, Y)["points"] == []


def test_numbers_of_an_array_are_axes_by_their_index() -> None:
    axes = AxisRequest(3, "w", (0, 1), start=-1, stop=1), AxisRequest(3, "b", start=0, stop=2)
    found = look(WEIGHTS, *axes)
    assert [axis["variable"] for axis in found["axes"]] == ["w[0, 1]", "b"]
    assert found["values"][1] == pytest.approx([26, 27, 30])  # 1 + 0 + 9 + 16, then b^2
    assert found["values"][0] == pytest.approx([27, 28, 31])


def test_two_numbers_of_one_array() -> None:
    found = look(
        WEIGHTS, AxisRequest(3, "w", (0, 0), start=0, stop=2), AxisRequest(2, "w", (1, 1), start=0, stop=1)
    )
    assert np.array(found["values"]) == pytest.approx(13.25 + np.array([[0, 1], [1, 2], [4, 5]]))


def test_random_directions_are_as_long_as_the_variables() -> None:
    axes = (AxisRequest(5, direction="random"), AxisRequest(5, direction="random"))
    found = look(WEIGHTS, *axes)
    assert found["values"][2][2] == pytest.approx(30.25)  # the program's own point is in the middle
    assert found == look(WEIGHTS, *axes)  # drawn from the seed


def test_the_steepest_direction_is_the_hessians_first_eigenvector() -> None:
    source = "50 x^2 + x y + y^2"
    found = look(source, AxisRequest(3, direction="hessian"), AxisRequest(3, direction="hessian"))
    steep, gentle = np.array(found["values"])[:, 1], np.array(found["values"])[1]
    eigenvalues = np.linalg.eigvalsh(np.array([[100, 1], [1, 2]]))
    assert steep[0] + steep[2] - 2 * steep[1] == pytest.approx(eigenvalues[1])
    assert gentle[0] + gentle[2] - 2 * gentle[1] == pytest.approx(eigenvalues[0])


@pytest.mark.parametrize("seed", range(6))
def test_random_directions_of_single_numbers_are_never_one_line(seed: int) -> None:
    program = ProgramRequest("x y", at={"x": 3, "y": 1}, seed=seed)
    axes = (AxisRequest(3, direction="random"), AxisRequest(3, direction="random"))
    found = landscape(program, LandscapeRequest(axes), ROOMY)["values"]
    # (3, 1) ± (3, 1) ± (3, -1): two corners move x alone, by 6; the others y alone, by 2
    assert sorted(found[i][j] for i in (0, 2) for j in (0, 2)) == pytest.approx([-3, -3, 9, 9])


GATHERED = """
import tensorflow as tf
w = tf.Variable([[1.0, 0.0], [5.0, 5.0]])
loss = 3 * tf.reduce_sum(tf.square(tf.gather(w, [0])))
"""
BRANCHED = """
import tensorflow as tf
w = tf.Variable([1.0, 0.0])
loss = tf.cond(w[0] > -9, lambda: tf.reduce_sum(tf.square(w) * [1.0, 3.0]), lambda: tf.reduce_sum(w))
"""
EAGER = """
import tensorflow as tf
w = tf.Variable([1.0, 0.0])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.square(w) * [1.0, 3.0])
slope = tape.gradient(loss, w)
"""


HALF = """
import tensorflow as tf
w = tf.Variable([1.0, 0.0], dtype=tf.float16)
loss = tf.reduce_sum(tf.square(w) * [1.0, 3.0])
"""
MIXED = """
import tensorflow as tf
v = tf.Variable(1.0)
w = tf.Variable(0.0, dtype=tf.float64)
loss = tf.cast(tf.square(v), tf.float64) + 3 * tf.square(w)
"""


@pytest.mark.parametrize(
    "source",
    [GATHERED, BRANCHED, EAGER, HALF, MIXED],
    ids=["tf.gather", "tf.cond", "a tape", "float16", "float32 and float64"],
)
def test_the_steepest_direction_is_found_however_the_program_computes(source: str) -> None:
    found = look(source, AxisRequest(3, direction="hessian"))["values"]
    assert found[0] + found[2] - 2 * found[1] == pytest.approx(6)  # 3 u² is the steepest that there is


def test_without_curvature_any_direction_will_do() -> None:
    source = "import tensorflow as tf\nw = tf.Variable([3.0, 4.0])\nloss = tf.reduce_sum(w * [0.0, 2.0])\n"
    axes = (AxisRequest(3, direction="hessian"), AxisRequest(3, direction="hessian"))
    found = np.array(look(source, *axes)["values"])
    assert found[1, 1] == 8
    assert found[0] + found[2] == pytest.approx(2 * found[1])


def test_a_steepest_direction_without_the_feeds_says_which_are_missing() -> None:
    source = (
        "import tensorflow as tf\nx = tf.placeholder(tf.float32, [])\ny = tf.square(tf.Variable(1.0)) * x\n"
    )
    with pytest.raises(GradlensError, match="The placeholder Placeholder"):
        look(source, AxisRequest(3, direction="hessian"))


def test_many_numbers_find_their_steepest_direction_too() -> None:
    source = """
import numpy as np
import tensorflow as tf
scale = tf.constant(np.arange(1.0, 301.0))
w = tf.Variable(np.ones(300))
loss = tf.reduce_sum(scale * tf.square(w)) / 2
"""
    found = np.array(look(source, AxisRequest(3, direction="hessian"))["values"])
    assert found[0] + found[2] - 2 * found[1] == pytest.approx(300, rel=1e-3)


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("(y - x^2) * (y - 3 x^2)", "saddle"),  # Peano's: a minimum along every straight line
        ("(y - x^2)^2 + x^6", "minimum"),
        ("(y - x^2)^2 - x^6", "saddle"),
        ("-(y - x^2)^2 - x^4", "maximum"),
        ("x^3 - 3 x y^2", "saddle"),  # the monkey's
        ("x^2 + y^3", "saddle"),
    ],
)
def test_a_singular_hessian_leaves_it_to_the_values_along_the_curve_without_slope_across(
    source: str, kind: str
) -> None:
    (point,) = look(source, X, Y)["points"]
    assert (point["kind"], point["degenerate"], point["isolated"]) == (kind, True, True)


@pytest.mark.parametrize(
    ("source", "kinds"),
    [
        ("x^3 - 3 x^2 + 3 x - 1", ["saddle"]),  # (x - 1)^3: its Hessian is rounding
        ("x^8", ["minimum"]),
        ("x^10 - x^8", ["minimum", "minimum", "maximum"]),
        ("x^4 + 1e6", ["minimum"]),
    ],
)
def test_what_is_level_nearby_is_seen_farther_out(source: str, kinds: list[str]) -> None:
    found = look(source, AxisRequest(40, "x", start=-2.03, stop=2.11))["points"]
    assert [point["kind"] for point in found] == kinds
    assert all(point["isolated"] for point in found)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (AxisRequest(101, "x", start=-0.5, stop=0.5), AxisRequest(31, "y", start=-1.5, stop=1.5)),
        (AxisRequest(100, "x", start=-0.4, stop=0.6), AxisRequest(30, "y", start=-0.4, stop=0.6)),
    ],
)
def test_a_bottom_that_is_level_up_to_rounding_is_one_minimum(x: AxisRequest, y: AxisRequest) -> None:
    source = "(1+x^2+y^2)^3-1-3x^2-3y^2-3(x^2+y^2)^2"  # (x^2 + y^2)^3, most digits of which are lost
    (point,) = look(source, x, y)["points"]
    assert (point["kind"], point["isolated"]) == ("minimum", True)
    assert np.abs(list(point["at"].values())).max() < 1e-3


def test_level_minima_of_one_value_that_stand_apart_are_no_line() -> None:
    found = look("sin(x)^8 + sin(y)^8", *(AxisRequest(40, name, start=-1, stop=4) for name in "xy"))
    minima = [point["at"] for point in found["points"] if point["kind"] == "minimum"]
    assert sorted((round(at["x"], 3), round(at["y"], 3)) for at in minima) == [
        (x, y) for x in (0.0, 3.142) for y in (0.0, 3.142)
    ]
    assert found["diagnostics"] == []
    assert all(point["isolated"] for point in found["points"])


@pytest.mark.parametrize("steep", [1e3, 1e6, 1e8])
def test_the_condition_of_a_long_valley_is_that_of_its_hessian(steep: float) -> None:
    (point,) = look(f"{steep} * x^2 + y^2", X, Y)["points"]
    assert point["condition"] == pytest.approx(steep, rel=1e-9)
    assert point["degenerate"] is False


@pytest.mark.parametrize("source", ["abs(x) + y^2", "abs(x) + abs(y)", "x^2 + abs(x) + y^2"])
@pytest.mark.parametrize("count", [41, 40], ids=["a point of the grid on it", "none"])
def test_a_kink_is_no_critical_point_wherever_the_grid_lies(source: str, count: int) -> None:
    assert points(source, AxisRequest(count, "x", start=-5, stop=5), Y) == []


@pytest.mark.slow
def test_every_critical_point_of_a_crowd_is_listed_and_that_there_may_be_more() -> None:
    source = "x^2 - 10 cos(2 pi x) + y^2 - 10 cos(2 pi y)"  # Rastrigin's: 11 minima and 10 maxima each way
    axes = [AxisRequest(201, name, start=-5.12, stop=5.12) for name in "xy"]
    found = look(source, *axes)
    kinds = [point["kind"] for point in found["points"]]
    assert (kinds.count("minimum"), kinds.count("saddle"), kinds.count("maximum")) == (121, 220, 100)
    assert [note["code"] for note in found["diagnostics"]] == ["many_points"]


def test_half_precision_has_critical_points_too() -> None:
    source = "import tensorflow as tf\nx = tf.Variable(1.0, dtype=tf.float16)\ny = x * x"
    assert points(source, AxisRequest(5, "x", start=-2, stop=2)) == [("minimum", 0)]


@pytest.mark.parametrize("direction", ["random", "hessian"])
def test_a_single_number_has_no_two_directions(direction: str) -> None:
    axis = AxisRequest(5, direction=direction)
    with pytest.raises(GradlensError, match="The variables hold 1 number in all") as caught:
        landscape(ProgramRequest("x^2", at={"x": 1}), LandscapeRequest((axis, axis)), ROOMY)
    assert caught.value.code == "bad_axis"
    assert landscape(ProgramRequest("x^2", at={"x": 1}), LandscapeRequest((axis,)), ROOMY)["values"][2] == 1


def test_a_trajectory_is_seen_in_the_plane_where_it_goes_farthest() -> None:
    run = RunRequest(50, {"name": "GradientDescent", "learning_rate": 0.05})
    axes = (AxisRequest(9, direction="trajectory"), AxisRequest(9, direction="trajectory"))
    program = ProgramRequest("x^2 + 3 y^2 + (x + y + z)^2", at={"x": 3, "y": 2, "z": 1})
    found = landscape(program, LandscapeRequest(axes, run=run), ROOMY)
    names = [axis["variable"] for axis in found["axes"]]
    first, second = (np.array(found["path"][name]) for name in names)
    assert len(first) == 51
    assert first[-1] == pytest.approx(0)
    assert np.ptp(first) > np.ptp(second)
    for axis, along in zip(found["axes"], (first, second), strict=True):
        assert axis["values"][0] < along.min() < along.max() < axis["values"][-1]


def test_a_path_is_given_in_the_axes_coordinates() -> None:
    run = RunRequest(2, {"name": "GradientDescent", "learning_rate": 0.25})
    program = ProgramRequest("x^2 + y^2", at={"x": 4, "y": 2})
    found = landscape(program, LandscapeRequest((X, Y), run=run), ROOMY)
    assert found["path"] == {"x": [4, 2, 1], "y": [2, 1, 0.5]}


def test_a_run_without_a_finite_row_has_no_path() -> None:
    run = RunRequest(2, {"name": "Adam"}, start={"x": float("nan")})
    with pytest.raises(GradlensError, match="The run has no path") as caught:
        landscape(ProgramRequest("x^2 + y^2"), LandscapeRequest((X, Y), run=run), ROOMY)
    assert caught.value.code == "bad_axis"


def test_a_path_is_seen_at_its_nearest_points_where_the_axes_are_slanted() -> None:
    run = RunRequest(2, {"name": "GradientDescent", "learning_rate": 0.25})
    program = ProgramRequest("x^2 + y^2", at={"x": 4, "y": 2})
    axes = (AxisRequest(3, direction="random"), AxisRequest(3, "y", start=0, stop=1))
    found = landscape(program, LandscapeRequest(axes, run=run), ROOMY)
    # from the path's end, (1, 0.5), the random direction is (±1, ±0.5): x alone shows how far along it
    assert np.abs(found["path"]["random 1"]) == pytest.approx([3, 1, 0])  # x = 4, 2, 1
    assert np.abs(np.array(found["path"]["y"]) - [2, 1, 0.5]) == pytest.approx([1.5, 0.5, 0])  # the rest of y


def test_what_cannot_be_batched_is_computed_point_by_point() -> None:
    source = """
import tensorflow.compat.v1 as tf
x = tf.Variable([1.0, 2.0, 3.0])
y = tf.reduce_sum(tf.boolean_mask(x, x > 1.5))
"""
    found = look(source, AxisRequest(3, "x", (0,), start=1, stop=3), points=False)
    assert found["values"] == [5, 7, 8]


def test_shapes_may_differ_from_point_to_point() -> None:
    source = """
import tensorflow.compat.v1 as tf
x = tf.Variable([1.0, 2.0, 3.0])
y = tf.boolean_mask(tf.square(x), x > 0.5)
"""
    found = look(source, AxisRequest(5, "x", (0,), start=-2, stop=2))
    assert found["values"] == [13, 13, 13, 14, 17]  # 4 + 9, and the first square where it counts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "axes"),
    [
        ("(x^2+y-11)^2+(x+y^2-7)^2", (X, Y)),
        ("log(x) + y^2", (X, Y)),
        ("x^3 - 3 x", (X,)),
        (WEIGHTS, (AxisRequest(25, direction="random"), AxisRequest(20, direction="random"))),
    ],
    ids=["two axes", "not finite", "one axis", "directions"],
)
def test_bands_computed_apart_are_the_whole_bit_for_bit(
    source: str, axes: tuple[AxisRequest, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, asked = ProgramRequest(source), LandscapeRequest(axes, gradient=True)
    whole = landscape(program, asked, ROOMY)
    monkeypatch.setattr(bands, "PART_S", 1e-12)
    cuts = View.of(program, asked, ROOMY).bands()
    assert len(cuts) == min(bands.MOST_BANDS, -(-axes[0].count // bands.ALIGNED))
    looks = [View.of(program, asked, ROOMY).look(band) for band in cuts]
    reported = View.of(program, asked, ROOMY).without_grids([glimpse for _, glimpse in looks])
    assert reported == {name: whole[name] for name in reported}
    values, *slopes = (
        np.concatenate(grids).tolist() for grids in zip(*(grids for grids, _ in looks), strict=True)
    )
    assert nested_json(np.array(values)) == whole["values"]
    assert [nested_json(np.array(slope)) for slope in slopes] == whole["gradient"]


def test_a_grid_in_base64_holds_the_same_numbers() -> None:
    axes = (AxisRequest(3, "x", start=-1, stop=1), AxisRequest(2, "y", start=1, stop=2))
    packed, reported = (
        look("log(x) + y", *axes, encoding="base64")["values"],
        look("log(x) + y", *axes)["values"],
    )
    numbers = np.frombuffer(base64.b64decode(packed["base64"]), dtype=packed["dtype"])
    assert nested_json(numbers.reshape(packed["shape"])) == reported


def test_bands_are_worth_their_way_and_hold_each_row_once() -> None:
    large = (AxisRequest(1000, "x", start=-5, stop=5), AxisRequest(999, "y", start=-5, stop=5))
    view = View.of(ProgramRequest("x^2 - y^2"), LandscapeRequest(large, gradient=True), ROOMY)
    cuts = view.bands()
    assert len(cuts) > 1
    assert [row for cut in cuts for row in range(*cut)] == list(range(1000))
    assert min(last - first for first, last in cuts) * 999 * 3 * bands.WRITTEN_S["lists"] >= 0.9 * PART_S
    assert View.of(ProgramRequest("x^2 - y^2"), LandscapeRequest((X, Y)), ROOMY).bands() == [(0, 41)]


@pytest.mark.parametrize(
    ("axes", "code"),
    [
        ((), "bad_axis"),
        ((X, Y, X), "bad_axis"),
        ((X, X), "bad_axis"),
        ((AxisRequest(1_001, "x", start=0, stop=1),), "bad_axis"),
        ((AxisRequest(5, "x"),), "bad_axis"),
        ((AxisRequest(5, "x", start=0, stop=float("inf")),), "bad_axis"),
        ((AxisRequest(5, "x", start=-1e308, stop=1e308),), "bad_axis"),
        ((AxisRequest(5, "q", start=0, stop=1),), "unknown_variable"),
        ((AxisRequest(5, "x", (0,), start=0, stop=1),), "bad_axis"),
        ((AxisRequest(5, direction="trajectory"),), "bad_axis"),
        ((AxisRequest(5, direction="up"),), "bad_axis"),
        ((AxisRequest(5, direction="random", index=(1,)),), "bad_axis"),
    ],
)
def test_axes_that_make_no_sense_are_refused(axes: tuple[AxisRequest, ...], code: str) -> None:
    with pytest.raises(GradlensError) as caught:
        look("x^2 + y^2", *axes)
    assert caught.value.code == code
    assert caught.value.message_zh != caught.value.message


def test_a_million_points_hold_to_the_budget() -> None:
    axes = (AxisRequest(1000, "x", start=-5, stop=5), AxisRequest(1000, "y", start=-5, stop=5))
    found = look("x^2 - y^2", *axes, points=False)
    assert np.array(found["values"]).shape == (1000, 1000)
    with pytest.raises(LimitError):
        landscape(
            ProgramRequest("x^2 - y^2"), LandscapeRequest(axes), replace(ROOMY, element_operations=1_000_000)
        )
