"""Tables for other programs."""

from __future__ import annotations

import csv
import io

import pyarrow.parquet
import pytest

from engine.errors import GradlensError
from engine.interchange import tables
from engine.interchange.tables import Columns, to_csv, to_parquet

RUN: Columns = {"step": [0, 1], "loss": [0.1, None], "name": ["a", "b,c"]}


def read(data: bytes) -> list[list[str]]:
    """The cells of a CSV file."""
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_every_digit_is_written_and_a_blank_is_empty() -> None:
    assert read(to_csv({"x": [0.1 + 0.2, None, 1e-300, float("nan")]})) == [
        ["x"],
        ["0.30000000000000004"],
        [""],
        ["1e-300"],
        ["nan"],
    ]


def test_a_table_has_its_titles_in_the_first_line() -> None:
    assert read(to_csv(RUN)) == [["step", "loss", "name"], ["0", "0.1", "a"], ["1", "", "b,c"]]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@sum", "\t=1", " =1", "＝1", "−1", "\r=1"])
def test_a_text_that_a_spreadsheet_would_run_has_an_apostrophe_before_it(text: str) -> None:
    assert read(to_csv({text: [text]})) == [[f"'{text}"], [f"'{text}"]]


@pytest.mark.parametrize("number", [-1.5, float("-inf")])
def test_a_negative_number_stays_a_number(number: float) -> None:
    assert read(to_csv({"x": [number]})) == [["x"], [str(number)]]


def test_parquet_has_the_type_of_each_column() -> None:
    table = pyarrow.parquet.read_table(io.BytesIO(to_parquet(RUN)))
    assert [str(kind) for kind in table.schema.types] == ["int64", "double", "string"]
    assert table.to_pydict() == RUN


def test_the_same_table_is_the_same_bytes() -> None:
    assert to_csv(RUN) == to_csv(RUN)
    assert to_parquet(RUN) == to_parquet(RUN)


def test_without_pyarrow_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "find_spec", lambda name: None)
    with pytest.raises(GradlensError) as refused:
        to_parquet(RUN)
    assert refused.value.message == "Parquet needs pyarrow, which is not installed here."
    assert refused.value.message_zh == "Parquet 需要 pyarrow，但这里没有安装。"
    assert refused.value.hint == "Whoever runs Gradlens installs it with: pip install 'gradlens[parquet]'"
