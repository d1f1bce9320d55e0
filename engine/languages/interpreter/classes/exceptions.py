"""`try`, `except` and `raise`: the program's own errors. Limits and refusals pass through all of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.errors import NOT_CAUGHT, GradlensError, ProgramError
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.builtin_exceptions import EXCEPTIONS, RAISED_AS, exception_of
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, make_object
from engine.languages.interpreter.dispatch import Ended, Execution, compiles, executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import type_name


class Raised(ProgramError):
    """An error that the program raised itself."""

    def __init__(self, value: UserObject, text: str) -> None:
        raised = f"{value.kind.name}: {text}" if text else value.kind.name
        super().__init__(
            f"The program raised {raised}", message_zh=f"程序抛出了 {raised}", code="uncaught_exception"
        )
        self.value = value


@executes(ast.Raise)
def raise_(interpreter: Interpreter, node: ast.Raise) -> None:
    """`raise Error("why")`, or `raise` alone inside `except`."""
    if node.exc is None:
        if not interpreter.handling:
            raise ProgramError(
                "`raise` alone works inside `except` only.",
                message_zh="单独的 `raise` 只能写在 `except` 里。",
                code="syntax_error",
                kind="RuntimeError",
                said="No active exception to reraise",
            )
        raise interpreter.handling[-1]
    value = interpreter.evaluate(node.exc)
    if isinstance(value, UserClass):
        value = make_object(interpreter, value, [], {})
    if not _is_exception(value):
        raise ProgramError(
            f"Only an exception can be raised, not {type_name(value)}.",
            message_zh=f"只能抛出异常，不能抛出 {type_name(value)}。",
            hint='Write raise ValueError("why").',
            hint_zh='请写 raise ValueError("原因")。',
            code="type_mismatch",
            said="exceptions must derive from BaseException",
        )
    _put_in_context(interpreter, value, _cause(interpreter, node.cause))
    raise Raised(value, to_str(value))


def _cause(interpreter: Interpreter, node: ast.expr | None) -> Any:
    """What stands behind `from`."""
    if node is None:
        return MISSING
    value = interpreter.evaluate(node)
    return make_object(interpreter, value, [], {}) if isinstance(value, UserClass) else value


def _is_exception(value: Any) -> bool:
    return isinstance(value, UserObject) and EXCEPTIONS["BaseException"] in value.kind.line()


@compiles(ast.Try)
def try_(interpreter: Interpreter, node: ast.Try) -> Execution:
    """`try` with its `except`, `else` and `finally`."""
    guarded, final = _guarded(interpreter, node), interpreter.block(node.finalbody)

    def execute() -> Ended:
        try:
            ended = guarded()
        except NOT_CAUGHT:
            raise
        except GradlensError:
            left = final()
            if left is not None:
                return left  # as in Python, leaving from `finally` drops the error
            raise
        left = final()
        return ended if left is None else left

    return execute


def _guarded(interpreter: Interpreter, node: ast.Try) -> Execution:
    body, orelse = interpreter.block(node.body), interpreter.block(node.orelse)
    handlers = {handler: interpreter.block(handler.body) for handler in node.handlers}

    def execute() -> Ended:
        try:
            ended = body()
        except NOT_CAUGHT:
            raise
        except GradlensError as error:
            value = as_exception(interpreter, error)
            handler = catching_handler(interpreter, node, value)
            if handler is None:
                raise
            with handling(interpreter, handler, error, value):
                return handlers[handler]()
        return orelse() if ended is None else ended

    return execute


def is_raised(interpreter: Interpreter, error: GradlensError, name: str) -> bool:
    """Whether the exception that the program sees for an error is of this class of Python's."""
    return EXCEPTIONS[name] in as_exception(interpreter, error).kind.order


def as_exception(interpreter: Interpreter, error: GradlensError) -> UserObject:
    """The exception that the program sees for an error: the same object each time."""
    if isinstance(error, Raised):
        return error.value
    if error.seen is None:
        error.seen = exception_of(interpreter, error)
        _put_in_context(interpreter, error.seen)
    seen: UserObject = error.seen
    return seen


def _put_in_context(interpreter: Interpreter, value: UserObject, cause: Any = MISSING) -> None:
    """`__context__` is what was being handled, `__cause__` what stands behind `from`."""
    handled = as_exception(interpreter, interpreter.handling[-1]) if interpreter.handling else None
    if handled is not value:
        value.fields.setdefault("__context__", handled)
    value.fields["__cause__"] = None if cause is MISSING else cause


def ends_quietly(error: ProgramError) -> bool:
    """Whether it is a SystemExit that says that all went well."""
    if not isinstance(error, Raised):
        return error.code == "program_exit"
    is_exit = EXCEPTIONS["SystemExit"] in error.value.kind.line()
    return is_exit and error.value.fields.get("code") in (None, 0)


def is_stop(error: GradlensError, kind: str = "StopIteration") -> bool:
    """Whether an error is what Python raises at the end of the items."""
    if isinstance(error, Raised):
        return EXCEPTIONS[kind] in error.value.kind.line()
    return (error.kind or RAISED_AS.get(error.code)) == kind


def _catches(interpreter: Interpreter, handler: ast.ExceptHandler, value: UserObject) -> bool:
    if handler.type is None:
        return True
    wanted = interpreter.evaluate(handler.type)
    kinds = list(_each(wanted))
    if not all(isinstance(kind, UserClass) and EXCEPTIONS["BaseException"] in kind.line() for kind in kinds):
        raise _no_class()
    return any(kind in value.kind.line() for kind in kinds)


def _each(wanted: Any) -> Iterator[Any]:
    """The classes of an `except`, which may stand in tuples."""
    for one in wanted if isinstance(wanted, tuple) else (wanted,):
        yield from _each(one) if isinstance(one, tuple) else (one,)


def _no_class() -> ProgramError:
    return ProgramError(
        "`except` takes a class of exceptions, or several in a tuple.",
        message_zh="`except` 后面必须是异常类，或由异常类组成的元组。",
        hint="Write except ValueError: or except (ValueError, TypeError):",
        hint_zh="请写 except ValueError: 或 except (ValueError, TypeError):",
        code="type_mismatch",
        said="catching classes that do not inherit from BaseException is not allowed",
    )


def catching_handler(interpreter: Interpreter, node: ast.Try, value: UserObject) -> ast.ExceptHandler | None:
    """The first `except` block for an exception."""
    return next((handler for handler in node.handlers if _catches(interpreter, handler, value)), None)


@contextmanager
def handling(
    interpreter: Interpreter, handler: ast.ExceptHandler, error: GradlensError, value: UserObject
) -> Iterator[None]:
    """While an `except` block runs: its name is bound, and gone after it."""
    if handler.name:
        interpreter.scope.write(handler.name, value)
    interpreter.handling.append(error)
    try:
        yield
    finally:
        interpreter.handling.pop()
        if handler.name and interpreter.scope.find(handler.name) is not MISSING:
            interpreter.scope.delete(handler.name)
