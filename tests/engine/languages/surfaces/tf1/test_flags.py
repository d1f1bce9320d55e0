"""Settings of a program, and its end: `tf.flags`, `tf.app.run`, `sys.exit`."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


def answer(source: str) -> tuple[str, list[str]]:
    found = run_program(ProgramRequest(f"import tensorflow as tf\nimport sys\n{source}", dialect="tf1"))
    return found["status"], found["printed"]


def test_flags_have_their_defaults_in_their_types_and_main_is_called_with_the_arguments() -> None:
    source = """
flags = tf.app.flags
flags.DEFINE_integer("steps", 3, "how many")
flags.DEFINE_float("rate", 1, "rate")
tf.flags.DEFINE_bool("fast", "true", "b")
flags.DEFINE_list("items", "1,2", "l")
FLAGS = flags.FLAGS
FLAGS.steps += 1
def main(_):
    print(FLAGS.steps, FLAGS.rate, tf.flags.FLAGS.fast, FLAGS.items)
if __name__ == "__main__":
    tf.app.run()
print("never")
"""
    assert answer(source) == ("ok", ["4 1.0 True ['1', '2']"])
    assert answer(source) == ("ok", ["4 1.0 True ['1', '2']"])  # each run has flags of its own


@pytest.mark.parametrize("end", ["sys.exit()", "sys.exit(0)", "exit()", "quit()", "raise SystemExit"])
def test_a_program_may_end_itself(end: str) -> None:
    source = (
        f"try:\n    {end}\nexcept Exception:\n    print('no')\nfinally:\n    print('finally')\nprint('never')"
    )
    assert answer(source) == ("ok", ["finally"])


def test_an_end_with_a_code_is_an_error_unless_it_is_caught() -> None:
    assert answer("sys.exit(3)")[0] == "error"
    assert answer("try:\n    sys.exit(3)\nexcept SystemExit as e:\n    print(e.code)") == ("ok", ["3"])
