"""What `tf.config` says of devices, and what assignments to a variable give: what TensorFlow prints."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

CPU = "[PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')]"


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{source}"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("list_physical_devices('GPU')", "[]"),
        ("experimental.list_physical_devices('GPU')", "[]"),
        ("list_physical_devices()", CPU),
        ("list_physical_devices('CPU')[0].device_type", "CPU"),
        ("list_logical_devices()", "[LogicalDevice(name='/device:CPU:0', device_type='CPU')]"),
    ],
)
def test_there_is_one_processor_and_no_graphics_card(expression: str, expected: str) -> None:
    assert printed(f"print(tf.config.{expression})") == expected


def test_an_assignment_gives_the_variable_under_another_name() -> None:
    source = """v = tf.Variable([0., 0.])
print(v.assign([1, 2]))
w = v.assign([3, 4]).assign_add([1, 1])
print(w.name, v.name, w + 1, type(w).__name__)
v.assign([7, 8])
print(w.numpy(), v.scatter_nd_add([[0]], [1.]).name)"""
    assert printed(source) == (
        "<tf.Variable 'UnreadVariable' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>\n"
        "UnreadVariable Variable:0 tf.Tensor([5. 6.], shape=(2,), dtype=float32) _UnreadVariable\n"
        "[7. 8.] UnreadVariable"
    )


def test_parts_of_a_variable_and_rows_are_assigned_alike() -> None:
    source = """v = tf.Variable([[1., 2.], [3., 4.]])
print(v[0, 1].assign(5.).name, v[0].assign([1., 2.]).numpy().tolist())
rows = tf.IndexedSlices(values=[[7., 8.]], indices=[1])
print(v.scatter_update(rows).numpy().tolist())"""
    assert printed(source) == "UnreadVariable [[1.0, 2.0], [3.0, 4.0]]\n[[1.0, 2.0], [7.0, 8.0]]"
