"""`dir()` without a value, and `importlib.metadata.version`."""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY


def printed(source: str) -> str:
    """What a program prints."""
    return "\n".join(map(str, run_program(ProgramRequest(source=source), ROOMY)["printed"]))


def test_dir_without_a_value_lists_the_names_known_here() -> None:
    source = """import numpy as np
x = 1
def f(a):
    b = a
    return dir()
print([name for name in dir() if not name.startswith("_")], f(2), "y" in dir(), "__name__" in dir())"""
    assert printed(source) == "['f', 'np', 'x'] ['a', 'b'] False True"


def test_the_version_of_a_library_is_the_one_that_it_says_itself() -> None:
    source = """import importlib.metadata
import numpy as np
from importlib.metadata import version
print(version("numpy") == np.__version__)
try:
    version("nothing-here")
except importlib.metadata.PackageNotFoundError as error:
    print(error)"""
    assert printed(source) == "True\nNo package metadata was found for nothing-here"


def test_a_long_ordered_dict_is_printed_line_by_line() -> None:
    source = """from collections import OrderedDict
from pprint import pprint
pprint(OrderedDict([("a", 1)]))
pprint(OrderedDict([("first", "x" * 40), ("second", "y")]), width=50)"""
    assert printed(source) == (
        f"OrderedDict([('a', 1)])\nOrderedDict([('first',\n              '{40 * 'x'}'),\n"
        "             ('second', 'y')])"
    )
