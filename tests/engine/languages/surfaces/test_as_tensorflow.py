"""Programs on which Gradlens once gave something else than TensorFlow 1.15.5 and 2.21."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program


def answer(source: str, dialect: str) -> dict[str, Any]:
    return run_program(ProgramRequest(f"import tensorflow as tf\n{source}\n", dialect, gradients=False))


def printed(source: str, dialect: str) -> list[str]:
    reported = answer(source, dialect)
    assert reported["status"] == "ok", reported["diagnostics"]
    lines: list[str] = reported["printed"]
    return lines


def mistake(source: str, dialect: str) -> str:
    reported = answer(source, dialect)
    assert reported["status"] == "error"
    message: str = reported["diagnostics"][0]["message"]
    return message


def test_a_format_shows_the_value_of_an_eager_tensor_alone() -> None:
    source = 'y = tf.constant([1.0, 2.0])\nprint(f"y is {y}")\nprint("{}".format(y[1] / 4), y[1])'
    assert printed(source, "tf2") == ["y is [1. 2.]", "0.5 tf.Tensor(2.0, shape=(), dtype=float32)"]


def test_a_format_of_a_number_shows_all_the_digits_of_its_float32() -> None:
    assert printed('print(f"{tf.constant(0.1)}")', "tf2") == ["0.10000000149011612"]


def test_a_target_that_is_a_source_has_the_gradient_1_even_where_nothing_was_watched() -> None:
    source = """
x = tf.constant(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
print(tape.gradient(y, [x, y]))
print(tape.jacobian(y, y))"""
    ones = "[None, <tf.Tensor: shape=(), dtype=float32, numpy=1.0>]"
    assert printed(source, "tf2") == [ones, "None"]


def test_a_pole_of_the_reciprocal_takes_no_gradient_where_none_comes() -> None:
    source = """
x = tf.constant([0.0, 2.0])
with tf.GradientTape() as tape:
    tape.watch(x)
    y = tf.math.reciprocal(x)
print(tape.gradient(y, x, output_gradients=tf.constant([0.0, 1.0])).numpy())"""
    assert printed(source, "tf2") == ["[ 0.   -0.25]"]


def test_the_slope_of_digamma_is_infinite_at_its_poles_and_known_between_them() -> None:
    source = """
x = tf.constant([0.0, -1.0, -0.5, 0.5])
g = tf.gradients(tf.digamma(x), x)[0]
print(tf.Session().run(g))"""
    assert printed(source, "tf1") == ["[     inf      inf 8.934802 4.934802]"]


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
def test_a_sum_by_its_name_takes_the_type_of_a_plain_first_operand(dialect: str) -> None:
    message = "The first operand is int32, but the second one is float32."
    assert mistake("x = tf.constant(3.0)\ny = tf.add(1, x)", dialect) == message


@pytest.mark.parametrize("call", ["tf.multiply(2, x)", "tf.less([1, 2], x)", "tf.pow(2, x)"])
def test_a_graph_takes_the_type_of_a_plain_first_operand(call: str) -> None:
    message = "The first operand is int32, but the second one is float32."
    assert mistake(f"x = tf.constant(3.0)\ny = {call}", "tf1") == message
    assert printed(f"x = tf.constant(3.0)\ny = {call}", "tf2") == []


def test_a_division_by_its_name_takes_the_type_of_a_plain_divisor() -> None:
    x = "x = tf.constant(3.0)\n"
    message = "The first operand is float32, but the second one is int32."
    assert mistake(f"{x}y = tf.truediv(x, 3)", "tf1") == message
    assert printed(f"{x}print(tf.Session().run(tf.truediv(x, 2.) + x / 2))", "tf1") == ["3.0"]
    assert printed(f"{x}print(tf.truediv(x, 3).numpy())", "tf2") == ["1.0"]


@pytest.mark.parametrize(("unit", "slopes"), [("relu", "[nan nan inf inf]"), ("relu6", "[nan nan inf nan]")])
def test_what_a_unit_stops_is_0_times_the_gradient_that_came(unit: str, slopes: str) -> None:
    source = f"""
x = tf.constant([-1.0, 0.0, 2.0, 7.0])
g = tf.gradients(tf.nn.{unit}(x), x, tf.fill([4], float("inf")))[0]
print(tf.Session().run(g))"""
    assert printed(source, "tf1") == [slopes]


def test_a_quotient_is_rounded_before_it_is_rounded_down() -> None:
    source = "x = tf.constant([2.17, -2.17])\nprint(tf.Session().run([x // -0.31, tf.floordiv(x, 0.31)]))"
    assert printed(source, "tf1") == ["[array([-7.,  7.], dtype=float32), array([ 7., -7.], dtype=float32)]"]


@pytest.mark.parametrize(
    "call", ["tf.add(x, 1)", "tf.add(1.0, x)", "tf.add([x, 1.0], x)", "1 + x", "4 * tf.divide(3, x)"]
)
def test_an_operand_that_fits_is_taken(call: str) -> None:
    source = f"x = tf.constant(3.0)\nprint(tf.Session().run(tf.reduce_max({call})))"
    assert printed(source, "tf1") in (["4.0"], ["6.0"])


def test_a_branch_of_a_graph_needs_a_tensor_for_its_condition() -> None:
    branch = "tf.cond(True, lambda: x, lambda: -x)"
    message = "The condition of tf.cond is Python's True, not a tensor."
    assert mistake(f"x = tf.constant(3.0)\ny = {branch}", "tf1") == message
    case = "tf.case([(False, lambda: x)], default=lambda: -x)"
    message = "The condition of tf.case is Python's False, not a tensor."
    assert mistake(f"x = tf.constant(3.0)\ny = {case}", "tf1") == message


def test_second_derivatives_of_a_line_are_refused() -> None:
    message = "The first derivatives do not depend on x/read:0, so TensorFlow finds no second ones."
    assert (
        mistake('x = tf.Variable([1.0, 2.0], name="x")\nh = tf.hessians(tf.reduce_sum(x), x)', "tf1")
        == message
    )


def test_a_loop_that_a_mistake_left_unfinished_is_not_run() -> None:
    source = "x = tf.constant([1.0, 2.0])\ntf.while_loop(lambda a: True, lambda a: tf.matmul(a, a), [x])"
    reported = [one["message"] for one in answer(source, "tf1")["diagnostics"]]
    assert reported[1:] == ["A mistake in the program left this loop unfinished."]


def test_a_single_number_has_no_running_sum() -> None:
    message = "A single number has no axis to sum or multiply along."
    assert message in mistake("tf.Session().run(tf.cumsum(3.0))", "tf1")


def test_a_segment_without_rows_gives_0() -> None:
    source = (
        "x = tf.constant([[1.0], [2.0], [5.0]])\nprint(tf.Session().run(tf.segment_{}(x, [1, 1, 3]))[:, 0])"
    )
    assert printed(source.format("sum"), "tf1") == ["[0. 3. 0. 5.]"]
    assert printed(source.format("mean"), "tf1") == ["[0.  1.5 0.  5. ]"]
    assert printed(source.format("max"), "tf1") == ["[0. 2. 0. 5.]"]


@pytest.mark.parametrize(
    ("ids", "message"),
    [
        ("[1, 0, 1]", "The segment ids must not fall and must not be negative, but they are [1, 0, 1]."),
        ("[0, 1]", "The segment ids must be one for each row, but they are [0, 1]."),
    ],
)
def test_segments_that_do_not_ascend_row_by_row_are_refused(ids: str, message: str) -> None:
    assert message in mistake(f"tf.Session().run(tf.segment_sum([1.0, 2.0, 3.0], {ids}))", "tf1")


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("tf.exp(n)", "Exp takes only floats for its input x, but n is int32."),
        (
            "tf.sigmoid(n)",
            "Sigmoid takes only floats for its input x, but n is int32.",
        ),
        ("tf.sqrt(4)", "Sqrt takes only floats for its input x, but Sqrt/x:0 is int32."),
        ("tf.reduce_mean(b)", "Mean computes with numbers, but its input input, b, is bool."),
        ("b + b", "AddV2 computes with numbers, but its input x, b, is bool."),
    ],
)
def test_an_op_refuses_the_types_that_tensorflow_refuses(call: str, message: str, dialect: str) -> None:
    reported = mistake(f"n = tf.constant(3)\nb = tf.constant([True, False])\ny = {call}", dialect)
    assert (
        reported.replace("n:0", "n").replace("b:0", "b").replace("Const:0", "n").replace("Const_1:0", "b")
        == message
    )


@pytest.mark.parametrize(
    "call", ["tf.square(n)", "tf.reduce_max(n)", "tf.equal(b, b)", "tf.nn.relu(n)", "n * 2"]
)
def test_whole_numbers_are_taken_where_tensorflow_takes_them(call: str) -> None:
    assert printed(f"n = tf.constant(3)\nb = tf.constant(True)\ny = {call}", "tf1") == []


@pytest.mark.parametrize(
    ("source", "node", "shape"),
    [
        ("g = tf.gradients(tf.reduce_max(x[0]), x)", "gradients/Max_grad/DynamicStitch", [1]),
        (
            "g = tf.gradients(tf.scan(lambda a, row: a + row, x), x)",
            "gradients/scan/TensorArrayWrite/TensorArrayWriteV3_grad/TensorArrayReadV3",
            [1],
        ),
    ],
)
def test_what_is_known_of_a_shape_is_what_tensorflow_knows(source: str, node: str, shape: list[int]) -> None:
    start = "x = tf.constant([[1.0], [2.0]])\n" if "scan" in source else "x = tf.constant([1.0, 2.0])\n"
    nodes = answer(start + source, "tf1")["graph"]["nodes"]
    assert next(one for one in nodes if one["name"] == node)["outputs"][0]["shape"] == shape


@pytest.mark.parametrize("dialect", ["tf1", "tf2"])
def test_what_is_no_number_is_neither_the_largest_nor_the_smallest(dialect: str) -> None:
    shown = "tf.Session().run(y)" if dialect == "tf1" else "y.numpy()"
    source = f"""
nan, inf = float("nan"), float("inf")
x = tf.constant([[1.0, nan, 3.0], [nan, 1.0, 3.0], [nan, nan, nan], [-inf, nan, inf]])
for y in [tf.argmax(x, axis=1), tf.argmin(x, axis=1)]:
    print({shown})"""
    assert printed(source, dialect) == ["[2 2 0 2]", "[0 1 0 0]"]


def test_the_first_true_is_found_by_tensorflow_2_only() -> None:
    source = """
print(tf.argmax([True, False, True]).numpy(), tf.argmax([[False, True], [True, False]], axis=1).numpy())
print(tf.argmin([True, False]).numpy(), tf.argmax([1, 3], 0, tf.int32), tf.keras.ops.argmax([False, True]))"""
    assert printed(source, "tf2") == [
        "0 [1 0]",
        "1 tf.Tensor(1, shape=(), dtype=int32) tf.Tensor(1, shape=(), dtype=int32)",
    ]
    reported = answer("y = tf.argmax([True, False])", "tf1")
    assert reported["diagnostics"][0]["code"] == "dtype_mismatch"


def test_a_way_to_add_gradients_is_one_of_those_that_there_are() -> None:
    reported = answer("x = tf.constant(2.0)\ng = tf.gradients(x * x, x, aggregation_method=7)", "tf1")
    ways = "ADD_N, DEFAULT, EXPERIMENTAL_TREE, EXPERIMENTAL_ACCUMULATE_N"
    assert reported["diagnostics"][0]["message"] == "There is no aggregation_method 7."
    assert reported["diagnostics"][0]["hint"] == f"It is one of tf.AggregationMethod: {ways}."


def test_rows_of_a_gradient_meet_tensors_only() -> None:
    source = """
e = tf.Variable([[1.0], [2.0]])
g = tf.gradients(tf.gather(e, [0]), e)[0]
h = g * 0.5"""
    assert mistake(source, "tf1") == "`*` does not work between IndexedSlices and float."


START = """
class Start:
    def __init__(self, value):
        self.value = value
    def make(self):
        return tf.constant([self.value, 2.0])

v = tf.Variable(Start(1.0).make)
"""


def test_a_variable_begins_with_what_a_method_returns() -> None:
    assert printed(START + "print(v.numpy())", "tf2") == ["[1. 2.]"]
    in_a_session = "with tf.Session() as s:\n    s.run(v.initializer)\n    print(s.run(v))"
    assert printed(START + in_a_session, "tf1") == ["[1. 2.]"]


@pytest.mark.parametrize(
    "beginning",
    [
        "tf.enable_eager_execution()",
        "tf.compat.v1.enable_eager_execution()",
        "import tensorflow.compat.v1 as tf\ntf.enable_v2_behavior()",
        "from tensorflow.compat import v1 as tf\ntf.enable_eager_execution()",
        "from tensorflow.compat import v2 as tf",
    ],
)
def test_a_program_that_asks_for_it_runs_at_once_under_whichever_name(beginning: str) -> None:
    assert printed(f"{beginning}\nx = tf.constant(3.0)\nprint((x * x).numpy())", "auto") == ["9.0"]


def test_a_jacobian_goes_through_a_look_up_of_rows() -> None:
    source = """
z, u = tf.constant([1.0, 2.0, 3.0]), tf.Variable([4.0, 5.0, 6.0])
with tf.GradientTape() as tape:
    tape.watch(z)
    y = tf.gather(z, [0, 0, 2]) * u
print(tape.jacobian(y, z).numpy().tolist())"""
    assert printed(source, "tf2") == ["[[4.0, 0.0, 0.0], [5.0, 0.0, 0.0], [0.0, 0.0, 6.0]]"]


def test_a_jacobian_that_nothing_joins_is_zeros_where_those_are_asked_for() -> None:
    source = """
x, q = tf.constant([1.0, 2.0]), tf.constant([[1.0], [2.0]])
with tf.GradientTape(persistent=True) as tape:
    tape.watch([x, q])
    y = tf.constant([[3.0], [4.0]]) * tf.sin(x)
print(tape.jacobian(x * x, q), tape.jacobian(y, [q], unconnected_gradients="zero")[0].shape)
print(tape.batch_jacobian(y, q).numpy().tolist())"""
    assert printed(source, "tf2") == ["None (2, 2, 2, 1)", "[[[0.0], [0.0]], [[0.0], [0.0]]]"]


def test_feeds_are_spread_out_into_a_dict_of_more() -> None:
    source = """
x, y = tf.placeholder(tf.float32), tf.placeholder(tf.float32)
feeds = {x: 2.0}
print(tf.Session().run(x * y, {**feeds, y: 4.0}))"""
    assert printed(source, "tf1") == ["8.0"]
    assert mistake("d = {**3}", "tf1") == "`**` needs a dict, not an int."
