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
