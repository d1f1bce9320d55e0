"""The exceptions of Python, numpy and TensorFlow: their classes, and which of them an error of ours is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.errors import GradlensError
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter

# Python's exceptions, each with the one that it is a kind of.
BASES: dict[str, str] = {
    "BaseException": "",
    "Exception": "BaseException",
    **dict.fromkeys(("KeyboardInterrupt", "SystemExit", "GeneratorExit"), "BaseException"),
    **dict.fromkeys(("ArithmeticError", "LookupError", "ValueError", "TypeError", "NameError"), "Exception"),
    **dict.fromkeys(("AttributeError", "AssertionError", "RuntimeError", "StopIteration"), "Exception"),
    **dict.fromkeys(("OSError", "ImportError", "EOFError", "BufferError", "MemoryError"), "Exception"),
    **dict.fromkeys(("SyntaxError", "ReferenceError", "Warning", "SystemError"), "Exception"),
    **dict.fromkeys(("ZeroDivisionError", "OverflowError", "FloatingPointError"), "ArithmeticError"),
    **dict.fromkeys(("IndexError", "KeyError"), "LookupError"),
    **dict.fromkeys(("NotImplementedError", "RecursionError"), "RuntimeError"),
    **dict.fromkeys(("FileNotFoundError", "FileExistsError", "PermissionError", "TimeoutError"), "OSError"),
    **dict.fromkeys(("ConnectionError", "IsADirectoryError", "NotADirectoryError"), "OSError"),
    **dict.fromkeys(("UserWarning", "DeprecationWarning", "RuntimeWarning", "FutureWarning"), "Warning"),
    "UnboundLocalError": "NameError",
    "ModuleNotFoundError": "ImportError",
    "UnicodeError": "ValueError",
    "IndentationError": "SyntaxError",
}

# TensorFlow's and numpy's, which a program finds in their modules.
OF_LIBRARIES: dict[str, str] = {
    "OpError": "Exception",
    **dict.fromkeys(("CancelledError", "UnknownError", "InvalidArgumentError"), "OpError"),
    **dict.fromkeys(("NotFoundError", "AlreadyExistsError", "PermissionDeniedError"), "OpError"),
    **dict.fromkeys(("UnauthenticatedError", "ResourceExhaustedError", "AbortedError"), "OpError"),
    **dict.fromkeys(("OutOfRangeError", "UnimplementedError", "InternalError"), "OpError"),
    **dict.fromkeys(("FailedPreconditionError", "UnavailableError", "DataLossError"), "OpError"),
    "DeadlineExceededError": "OpError",
    "OperatorNotAllowedInGraphError": "TypeError",
    "InaccessibleTensorError": "ValueError",
    "LinAlgError": "ValueError",
    "_LinAlgError": "RuntimeError",  # PyTorch's
    "GradcheckError": "RuntimeError",  # and of its gradcheck
    "UnpicklingError": "Exception",  # that of pickle
    "FrozenInstanceError": "AttributeError",  # that of Python's dataclasses
    "AxisError": "ValueError",
    "UFuncTypeError": "TypeError",
    **dict.fromkeys(("InvalidOperation", "Inexact"), "ArithmeticError"),
    "DivisionByZero": "ZeroDivisionError",
    "JAXTypeError": "TypeError",
    "JAXIndexError": "IndexError",
    "KeyReuseError": "RuntimeError",
    **dict.fromkeys(("ConcretizationTypeError", "TracerArrayConversionError"), "JAXTypeError"),
    **dict.fromkeys(("TracerIntegerConversionError", "UnexpectedTracerError"), "JAXTypeError"),
    "TracerBoolConversionError": "ConcretizationTypeError",
    "NonConcreteBooleanIndexError": "JAXIndexError",
}

OF_OPS = tuple(error for error, base in OF_LIBRARIES.items() if "OpError" in (error, base))  # in tf.errors

# What Python, numpy or TensorFlow would raise for a mistake with this code, where nothing says it better.
RAISED_AS: dict[str, str] = {
    "division_by_zero": "ZeroDivisionError",
    "overflow": "OverflowError",
    "index_out_of_range": "IndexError",
    "missing_key": "KeyError",
    "unknown_name": "NameError",
    "unbound_local": "UnboundLocalError",
    "unknown_attribute": "AttributeError",
    "assertion_failed": "AssertionError",
    "no_next_item": "StopIteration",
    "tape_used_twice": "RuntimeError",
    "closed_session": "RuntimeError",
    **dict.fromkeys(("type_mismatch", "not_callable", "not_iterable", "not_subscriptable"), "TypeError"),
    **dict.fromkeys(("dtype_mismatch", "tensor_as_bool", "unknown_argument", "cannot_fetch"), "TypeError"),
    **dict.fromkeys(("bad_index", "not_settable"), "TypeError"),
    **dict.fromkeys(
        ("shape_mismatch", "wrong_count", "bad_value", "outside_domain", "bad_format"), "ValueError"
    ),
    **dict.fromkeys(("wrong_arguments", "no_gradients", "no_variables", "array_as_bool"), "ValueError"),
}

# The codes of errors that stand for one of Python's or numpy's own, which is then at hand.
IN_PLACE_OF = frozenset(
    {"wrong_arguments", "type_mismatch", "bad_value", "bad_index", "not_settable", "division_by_zero"}
    | {"overflow", "index_out_of_range", "missing_key", "no_next_item", "bad_format", "outside_domain"}
    | {"array_as_bool", "shape_mismatch", "wrong_count", "not_iterable", "numpy_failed", "no_solution"}
)
OUR_NAMES = re.compile(
    r"\b_\w+\(|'(?:User\w+|Lazy|Stream|Eager\w+|Traced\w+|Native|BoundMethod|Kind|Module)'"
)


# What a surface says of an error in an operation, given the op and its inputs; None where it has no words.
SAID_BY_OPERATIONS: list[Callable[..., str | None]] = []
# The same of an error in a session's run, given the node and what went into it.
SAID_IN_RUNS: list[Callable[..., str | None]] = []

ERROR_CODES = {
    "CancelledError": 1,
    "UnknownError": 2,
    "InvalidArgumentError": 3,
    "DeadlineExceededError": 4,
    "NotFoundError": 5,
    "AlreadyExistsError": 6,
    "PermissionDeniedError": 7,
    "ResourceExhaustedError": 8,
    "FailedPreconditionError": 9,
    "AbortedError": 10,
    "OutOfRangeError": 11,
    "UnimplementedError": 12,
    "InternalError": 13,
    "UnavailableError": 14,
    "DataLossError": 15,
    "UnauthenticatedError": 16,
}


# -- objects -----------------------------------------------------------------------------------------


def _initialise(owner: UserObject, *args: Any) -> None:
    owner.fields["args"] = args
    kinds = {kind.name for kind in owner.kind.line()}
    if "StopIteration" in kinds:
        owner.fields["value"] = args[0] if args else None
    if "SystemExit" in kinds:
        owner.fields["code"] = args[0] if len(args) == 1 else args or None


def _args(owner: UserObject) -> Any:
    return owner.fields.get("args", ())


def _text(owner: UserObject) -> str:
    args = _args(owner)
    if not isinstance(args, tuple):  # a program may write it
        return to_str(args)
    return to_str(args[0]) if len(args) == 1 else to_str(args) if args else ""


def _key_text(owner: UserObject) -> str:
    args = _args(owner)
    return to_repr(args[0]) if isinstance(args, tuple) and len(args) == 1 else _text(owner)


def _repr(owner: UserObject) -> str:
    args = _args(owner)
    shown = ", ".join(map(to_repr, args)) if isinstance(args, tuple) else to_repr(args)
    return f"{owner.kind.name}({shown})"


def _with_traceback(owner: UserObject, traceback: Any) -> UserObject:
    return owner


def _initialise_op_error(owner: UserObject, node_def: Any, op: Any, message: Any, *others: Any) -> None:
    owner.fields.update(args=(node_def, op, message, *others), node_def=node_def, op=op, message=message)
    known = [ERROR_CODES[kind.name] for kind in owner.kind.line() if kind.name in ERROR_CODES]
    owner.fields["error_code"] = known[0] if known else others[0] if others else None


def _op_error_text(owner: UserObject) -> str:
    return to_str(owner.fields.get("message", ""))


AN_EXCEPTION = Argument(
    "an exception",
    "异常对象",
    lambda value: isinstance(value, UserObject),
    'Write raise ValueError("why").',
    '请写 raise ValueError("原因")。',
    "type_mismatch",
)


def _method(name: str, function: Any) -> Native:
    return Native(f"Exception.{name}", function, arguments={"owner": AN_EXCEPTION})


METHODS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "BaseException": {
            "__init__": _method("__init__", _initialise),
            "__str__": _method("__str__", _text),
            "__repr__": _method("__repr__", _repr),
            "with_traceback": _method("with_traceback", _with_traceback),
        },
        "KeyError": {"__str__": _method("__str__", _key_text)},
        "OpError": {
            "__init__": _method("__init__", _initialise_op_error),
            "__str__": _method("__str__", _op_error_text),
        },
    }
)


def _exceptions() -> Mapping[str, UserClass]:
    made: dict[str, UserClass] = {}
    waiting = {**BASES, **OF_LIBRARIES}
    while waiting:
        for name, base in list(waiting.items()):
            if not base or base in made:
                made[name] = UserClass(name, made.get(base), METHODS.get(name, {}), origin="python")
                del waiting[name]
    return MappingProxyType(made)


EXCEPTIONS = _exceptions()
BUILTINS.update((name, EXCEPTIONS[name]) for name in BASES)
BUILTINS.update(IOError=EXCEPTIONS["OSError"], EnvironmentError=EXCEPTIONS["OSError"])


# -- of an error of ours -----------------------------------------------------------------------------


def exception_of(interpreter: Interpreter, error: GradlensError) -> UserObject:
    """The exception that Python, numpy or TensorFlow would have raised, as an object of the program."""
    behind = _behind(error)
    behind = None if error.in_run else behind
    kind = error.kind or _kind_behind(behind) or _usual_kind(interpreter, error)
    made = UserObject(EXCEPTIONS[kind], interpreter.next_serial(), interpreter)
    arguments = _arguments(error, behind)
    if EXCEPTIONS["OpError"] in made.kind.line():
        node = error.in_run[0] if error.in_run else None
        _initialise_op_error(made, None, node, _said_by_operation(error) or arguments[0])
    else:
        _initialise(made, *arguments)
    return made


def _said_by_operation(error: GradlensError) -> str | None:
    if error.said is not None:
        return None
    if error.in_run is not None:
        texts = [say(error, *error.in_run) for say in SAID_IN_RUNS]
    elif error.in_operation is not None:
        texts = [say(error, *error.in_operation) for say in SAID_BY_OPERATIONS]
    else:
        return None
    return next((text for text in texts if text is not None), None)


def _usual_kind(interpreter: Interpreter, error: GradlensError) -> str:
    """What the code says; operations that run have one class for all that does not fit them."""
    if error.in_run is not None:
        return "InvalidArgumentError"
    runs_at_once = getattr(getattr(interpreter.workspace, "graph", None), "release", 1) == 2
    if error.in_operation and runs_at_once and interpreter.staging is None:
        return "InvalidArgumentError"
    return RAISED_AS.get(error.code, "Exception")


def _behind(error: GradlensError) -> BaseException | None:
    """The exception of Python or numpy that an error stands for."""
    found = error.__cause__ or error.__context__
    if found is None or isinstance(found, GradlensError) or error.in_operation:
        return None
    if error.code not in IN_PLACE_OF or OUR_NAMES.search(str(found)):
        return None
    is_look_up = isinstance(found, (KeyError, AttributeError, StopIteration))
    if is_look_up and error.code not in ("missing_key", "no_next_item", "bad_format"):
        return None
    return found


def _kind_behind(found: BaseException | None) -> str:
    if found is None:
        return ""
    return next((kind.__name__ for kind in type(found).__mro__ if kind.__name__ in EXCEPTIONS), "")


PLAIN = (str, int, float, bool, type(None), tuple)


def _arguments(error: GradlensError, behind: BaseException | None) -> tuple[Any, ...]:
    if error.said is not None:
        return error.said if isinstance(error.said, tuple) else (error.said,)
    if behind is None:
        return (error.message,)
    is_pythons = type(behind).__module__ == "builtins"
    if is_pythons and behind.args and all(isinstance(one, PLAIN) for one in behind.args):
        return behind.args
    return (str(behind) or error.message,)
