"""What programs prepare labels with."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program

BEGIN = "import tensorflow as tf\nimport numpy as np\nimport pandas as pd\n"


def test_each_label_has_a_column_in_their_order() -> None:
    answer = run_program(ProgramRequest(BEGIN + "print(pd.get_dummies([7, 2, 7]) * 1)", dialect="tf2"))
    assert answer["printed"] == ["[[0 1]", " [1 0]", " [0 1]]"]
    assert [one["code"] for one in answer["diagnostics"]] == ["table_as_array"]


def test_tables_are_refused_with_an_offer() -> None:
    answer = run_program(ProgramRequest(BEGIN + "pd.DataFrame({'a': [1]})", dialect="tf2"))
    assert answer["diagnostics"][0]["message"] == "`pandas.DataFrame` is not supported."
    assert answer["diagnostics"][0]["hint"].startswith("Of pandas there is get_dummies.")


def test_the_columns_are_written_with_their_names_as_pandas_writes_them() -> None:
    source = (
        BEGIN + "y = pd.get_dummies([7, 2, 7])\nprint(y)\nprint(y[:1])\nprint(pd.get_dummies([1.5, 2.5]))"
    )
    answer = run_program(ProgramRequest(source, dialect="tf2"))
    assert "\n".join(answer["printed"]).split("\n") == [
        "       2      7",
        "0  False   True",
        "1   True  False",
        "2  False   True",
        "[[False  True]]",
        "     1.5    2.5",
        "0   True  False",
        "1  False   True",
    ]


def test_of_a_long_table_both_ends_are_written() -> None:
    source = BEGIN + "print(pd.get_dummies(np.arange(61) % 2))"
    answer = run_program(ProgramRequest(source, dialect="tf2"))
    lines = "\n".join(answer["printed"]).split("\n")
    assert lines[:2] == ["        0      1", "0    True  False"]
    assert lines[5:8] == ["4    True  False", "..    ...    ...", "56   True  False"]
    assert lines[-3:] == ["60   True  False", "", "[61 rows x 2 columns]"]


def test_a_table_that_is_too_wide_is_written_as_an_array() -> None:
    source = BEGIN + "print(pd.get_dummies(np.arange(26)))"
    answer = run_program(ProgramRequest(source, dialect="tf2"))
    assert answer["printed"][0].startswith("[[ True False")
