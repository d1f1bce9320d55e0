"""What of a graph is known before a run: each tensor is looked at once, however many ways lead to it."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize("start", ["tf.placeholder(tf.int32, [])", "tf.constant(1)"])
def test_a_tensor_with_very_many_ways_to_it_is_read_at_once(start: str) -> None:
    source = (
        f"import tensorflow as tf\nc = {start}\nfor i in range(60):\n    c = tf.maximum(c, c)\n"
        "print(tf.reshape(tf.zeros([1]), [c]).shape)"
    )
    assert run_program(ProgramRequest(source, dialect="tf1", gradients=False))["printed"] == ["(1,)"]
