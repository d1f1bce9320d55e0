"""The Python subset: a program's text is parsed, its tree compiled to closures by what is allowed."""

from engine.languages.interpreter import generators  # noqa: F401  # for its table
from engine.languages.interpreter.budget import Budget
from engine.languages.interpreter.builtins import (  # noqa: F401  # for their tables
    asking,
    identity,
    methods,
    numbers,
    objects,
    refused,
    sequences,
    strings,
    views,
)
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.classes import exceptions, matching  # noqa: F401  # for their tables
from engine.languages.interpreter.classes import operations as class_operations  # noqa: F401  # for its table
from engine.languages.interpreter.classes import statements as class_statements  # noqa: F401  # for its table
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.nodes import (  # noqa: F401  # for their tables
    calls,
    displays,
    expressions,
    imports,
    operations,
    statements,
)
from engine.languages.interpreter.reading.diagnostics import Diagnostic, status_of
from engine.languages.interpreter.reading.parse import parse_program

__all__ = ["BUILTINS", "Budget", "Diagnostic", "Interpreter", "parse_program", "status_of"]
