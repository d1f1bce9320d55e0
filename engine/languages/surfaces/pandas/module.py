"""`pandas.get_dummies`: one column for each label. Tables are left out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.numpy.module import to_array
from engine.languages.surfaces.pandas.indicators import table_of

PANDAS = Library("pandas")
LEFT_OUT = (
    "Of pandas there is get_dummies. Make a small data set in the program, such as "
    "np.random.RandomState(0).randn(100, 2).",
    "pandas 只提供 get_dummies。请在程序里自己造小数据集，例如 np.random.RandomState(0).randn(100, 2)。",
)


@PANDAS.function("get_dummies")
def get_dummies(interpreter: Interpreter, data: Any) -> Any:
    """Whether each label is this one, a column for each that there is, in their order.

    Shapes: data (n,) -> (n, labels), truth values.
    Raises: ProgramError for what is not one row of labels.
    """
    labels = to_array(interpreter, data)
    if labels.ndim != 1:
        raise ProgramError(
            "get_dummies() takes one row of labels here.",
            hint="Write keras.utils.to_categorical(y), or give one column: y[:, 0].",
            message_zh="这里的 get_dummies() 只接受一维的标签。",
            hint_zh="请写 keras.utils.to_categorical(y)，或只给一列：y[:, 0]。",
            code="wrong_arguments",
        )
    kinds, places = np.unique(labels, return_inverse=True)
    interpreter.budget.check_elements((len(labels), len(kinds)))
    interpreter.note(
        "table_as_array",
        "pandas gives a table; here it is an array, which only prints as the table while it is whole.",
        "pandas 给出的是表格；这里是数组，只有完整打印时才像表格。",
    )
    return table_of(places[:, None] == np.arange(len(kinds)), kinds.tolist())


def pandas_module() -> Module:
    """The module, with what to do instead of all that is left out."""
    return replace(PANDAS.module(), others=LEFT_OUT)
