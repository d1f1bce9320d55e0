"""`try`, `except` and `raise`: the program's own errors. Limits and refusals pass through all of them."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import NOT_CAUGHT, GradlensError, ProgramError
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, make_object
from engine.languages.interpreter.dispatch import Ended, executes
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import type_name

# Python's exceptions, each with the one that it is a kind of.
BASES: dict[str, str] = {
    "Exception": "",
    "ArithmeticError": "Exception",
    "ZeroDivisionError": "ArithmeticError",
    "OverflowError": "ArithmeticError",
    "LookupError": "Exception",
    "IndexError": "LookupError",
    "KeyError": "LookupError",
    "ValueError": "Exception",
    "TypeError": "Exception",
    "NameError": "Exception",
    "AttributeError": "Exception",
    "AssertionError": "Exception",
    "RuntimeError": "Exception",
    "NotImplementedError": "RuntimeError",
    "StopIteration": "Exception",
}

# TensorFlow's and numpy's, which a program finds in their modules.
OF_LIBRARIES: dict[str, str] = {
    "OpError": "Exception",
    **dict.fromkeys(
        ("CancelledError", "UnknownError", "InvalidArgumentError", "DeadlineExceededError"), "OpError"
    ),
    **dict.fromkeys(
        ("NotFoundError", "AlreadyExistsError", "PermissionDeniedError", "AbortedError"), "OpError"
    ),
    **dict.fromkeys(("UnauthenticatedError", "ResourceExhaustedError", "FailedPreconditionError"), "OpError"),
    **dict.fromkeys(
        ("OutOfRangeError", "UnimplementedError", "InternalError", "UnavailableError"), "OpError"
    ),
    "DataLossError": "OpError",
    "OperatorNotAllowedInGraphError": "TypeError",
    "InaccessibleTensorError": "ValueError",
    "LinAlgError": "ValueError",
}

# What Python, numpy or TensorFlow would raise for a mistake with this code.
RAISED_AS: dict[str, str] = {
    "division_by_zero": "ZeroDivisionError",
    "overflow": "OverflowError",
    "index_out_of_range": "IndexError",
    "missing_key": "KeyError",
    "unknown_name": "NameError",
    "unbound_local": "NameError",
    "unknown_attribute": "AttributeError",
    "assertion_failed": "AssertionError",
    "no_next_item": "StopIteration",
    "closed_session": "RuntimeError",
    **dict.fromkeys(("type_mismatch", "not_callable", "not_iterable", "not_subscriptable"), "TypeError"),
    **dict.fromkeys(("dtype_mismatch", "tensor_as_bool", "unknown_argument", "cannot_fetch"), "TypeError"),
    **dict.fromkeys(
        ("shape_mismatch", "wrong_count", "bad_value", "outside_domain", "bad_format"), "ValueError"
    ),
    **dict.fromkeys(("wrong_arguments", "no_gradients", "no_variables", "array_as_bool"), "ValueError"),
}


class Raised(ProgramError):
    """An error that the program raised itself."""

    def __init__(self, value: UserObject, text: str) -> None:
        raised = f"{value.kind.name}: {text}" if text else value.kind.name
        super().__init__(
            f"The program raised {raised}", message_zh=f"程序抛出了 {raised}", code="uncaught_exception"
        )
        self.value = value


def _initialise(owner: UserObject, *args: Any) -> None:
    owner.fields["args"] = args


def _text(owner: UserObject) -> str:
    args = owner.fields.get("args", ())
    if not isinstance(args, tuple):  # a program may write it
        return to_str(args)
    return to_str(args[0]) if len(args) == 1 else to_str(args) if args else ""


AN_EXCEPTION = Argument(
    "an exception",
    "异常对象",
    lambda value: isinstance(value, UserObject),
    'Write raise ValueError("why").',
    '请写 raise ValueError("原因")。',
    "type_mismatch",
)
METHODS = {
    "__init__": Native("Exception.__init__", _initialise, arguments={"owner": AN_EXCEPTION}),
    "__str__": Native("Exception.__str__", _text, arguments={"owner": AN_EXCEPTION}),
}


def _exceptions() -> Mapping[str, UserClass]:
    made: dict[str, UserClass] = {}
    for name, base in {**BASES, **OF_LIBRARIES}.items():
        made[name] = UserClass(name, made.get(base), {} if base else METHODS, origin="python")
    return MappingProxyType(made)


EXCEPTIONS = _exceptions()
BUILTINS.update((name, EXCEPTIONS[name]) for name in BASES)


@executes(ast.Raise)
def raise_(interpreter: Interpreter, node: ast.Raise) -> None:
    """`raise Error("why")`, or `raise` alone inside `except`."""
    if node.exc is None:
        if not interpreter.handling:
            raise ProgramError(
                "`raise` alone works inside `except` only.",
                message_zh="单独的 `raise` 只能写在 `except` 里。",
                code="syntax_error",
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
        )
    raise Raised(value, to_str(value))


def _is_exception(value: Any) -> bool:
    return isinstance(value, UserObject) and EXCEPTIONS["Exception"] in value.kind.line()


@executes(ast.Try)
def try_(interpreter: Interpreter, node: ast.Try) -> Ended:
    """`try` with its `except`, `else` and `finally`."""
    try:
        ended = _guarded(interpreter, node)
    except NOT_CAUGHT:
        raise
    except GradlensError:
        left = interpreter.execute(node.finalbody)
        if left is not None:
            return left  # as in Python, leaving from `finally` drops the error
        raise
    left = interpreter.execute(node.finalbody)
    return ended if left is None else left


def _guarded(interpreter: Interpreter, node: ast.Try) -> Ended:
    try:
        ended = interpreter.execute(node.body)
    except NOT_CAUGHT:
        raise
    except GradlensError as error:
        value = as_exception(interpreter, error)
        handler = next((h for h in node.handlers if _catches(interpreter, h, value)), None)
        if handler is None:
            raise
        return _handle(interpreter, handler, error, value)
    return interpreter.execute(node.orelse) if ended is None else ended


def as_exception(interpreter: Interpreter, error: GradlensError) -> UserObject:
    """The exception that the program sees for an error."""
    if isinstance(error, Raised):
        return error.value
    kind = EXCEPTIONS[error.kind or RAISED_AS.get(error.code, "Exception")]
    made: UserObject = make_object(interpreter, kind, [error.message], {})
    return made


def is_stop(error: GradlensError, kind: str = "StopIteration") -> bool:
    """Whether an error is what Python raises at the end of the items."""
    if isinstance(error, Raised):
        return EXCEPTIONS[kind] in error.value.kind.line()
    return RAISED_AS.get(error.code) == kind


def _catches(interpreter: Interpreter, handler: ast.ExceptHandler, value: UserObject) -> bool:
    if handler.type is None:
        return True
    wanted = interpreter.evaluate(handler.type)
    kinds = wanted if isinstance(wanted, tuple) else (wanted,)
    return any(kind in value.kind.line() for kind in kinds)


def _handle(
    interpreter: Interpreter, handler: ast.ExceptHandler, error: GradlensError, value: UserObject
) -> Ended:
    """Run an `except` block with its name bound; the name is gone after it."""
    if handler.name:
        interpreter.scope.write(handler.name, value)
    interpreter.handling.append(error)
    try:
        return interpreter.execute(handler.body)
    finally:
        interpreter.handling.pop()
        if handler.name and interpreter.scope.find(handler.name) is not MISSING:
            interpreter.scope.delete(handler.name)
