"""The Python subset: a program's text is parsed and its tree walked against tables of what is allowed."""

from . import class_statements, exceptions, generators, methods, sequences, statements
from .budget import Budget
from .builtins import BUILTINS
from .diagnostics import Diagnostic, status_of
from .machine import Interpreter
from .parse import parse_program

TABLES_FILLED_BY = (class_statements, exceptions, generators, methods, sequences, statements)

__all__ = ["BUILTINS", "Budget", "Diagnostic", "Interpreter", "parse_program", "status_of"]
