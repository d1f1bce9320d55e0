"""What a program can call: its own functions, and ours behind named parameters."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import BY_NAME, FLAG, Argument
from engine.languages.interpreter.reading.suggestions import did_you_mean
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES

if TYPE_CHECKING:
    from engine.languages.interpreter.scope import Scope

# An argument to look at before a call: its place (None where it is given by name), its parameter, what that
# expects, and whether it takes None besides.
Check = tuple[int | None, str, Argument, bool]

REQUIRED = inspect.Parameter.empty
NOTHING_SPECIAL: Mapping[str, Argument] = MappingProxyType({})


@dataclass(frozen=True)
class Signature:
    """The parameters of a function, as far as calling it needs them."""

    positional: tuple[str, ...]
    keyword_only: tuple[str, ...] = ()
    required: frozenset[str] = frozenset()
    many_positional: str = ""
    many_keywords: str = ""
    positional_only: int = 0
    none_by_default: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """Every parameter that an argument may name."""
        return (*self.positional[self.positional_only :], *self.keyword_only)

    @property
    def every_name(self) -> tuple[str, ...]:
        """Every parameter that takes one argument."""
        return (*self.positional, *self.keyword_only)

    def fits(self, count: int, keywords: Set[str] = frozenset()) -> bool:
        """Whether that many arguments by position, and these by name, are all that is needed."""
        if count > len(self.positional) and not self.many_positional:
            return False
        given = self._filled[min(count, len(self.positional))]
        if not keywords:
            return self.required <= given
        known = keywords <= self._named and keywords.isdisjoint(given)
        return known and self.required <= keywords | given

    @cached_property
    def _needs_names(self) -> bool:
        """Whether an argument has to be given by name."""
        return not self.required.issubset(self.positional)

    @cached_property
    def _filled(self) -> tuple[frozenset[str], ...]:
        """The parameters that get an argument by position, where there are 0, 1, 2, … of these."""
        return tuple(frozenset(self.positional[:count]) for count in range(len(self.positional) + 1))

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(self.names)

    @classmethod
    def of(cls, function: Callable[..., Any], skip: int = 0) -> Signature:
        """Read the parameters of one of our own functions, leaving out the first `skip`."""
        parameters = list(inspect.signature(function).parameters.values())[skip:]
        by_position = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        return cls(
            positional=tuple(p.name for p in by_position),
            keyword_only=tuple(p.name for p in parameters if p.kind is p.KEYWORD_ONLY),
            required=frozenset(p.name for p in parameters if p.default is REQUIRED and not _takes_many(p)),
            many_positional=next((p.name for p in parameters if p.kind is p.VAR_POSITIONAL), ""),
            many_keywords=next((p.name for p in parameters if p.kind is p.VAR_KEYWORD), ""),
            positional_only=sum(p.kind is p.POSITIONAL_ONLY for p in parameters),
            none_by_default=frozenset(p.name for p in parameters if p.default is None),
            flags=frozenset(p.name for p in parameters if isinstance(p.default, bool)),
        )

    def bind(
        self, name: str, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[dict[str, Any], tuple[Any, ...], dict[str, Any]]:
        """Arguments by parameter name, the rest by position and the rest by keyword.

        Raises: ProgramError for one too many, one unknown (with the nearest name), one twice or left out.
        """
        if not keywords and len(args) == len(self.positional) and not self._needs_names:
            return dict(zip(self.positional, args, strict=True)), (), {}  # most calls
        if len(args) > len(self.positional) and not self.many_positional:
            raise _too_many(name, self, len(args))
        bound = dict(zip(self.positional, args, strict=False))
        rest: dict[str, Any] = {}
        for key, value in keywords.items():
            if key in bound and key in self.names:
                raise _given_twice(name, key)
            if key in self.names:
                bound[key] = value
            elif self.many_keywords:
                rest[key] = value
            else:
                raise _unknown_argument(name, key, self.names)
        missing = [p for p in (*self.positional, *self.keyword_only) if p in self.required and p not in bound]
        if missing:
            raise missing_arguments(name, missing, self.keyword_only)
        return bound, tuple(args[len(self.positional) :]), rest


def _takes_many(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)


class Native:
    """One of our functions under the name that a program calls it by.

    A function whose first parameter is called `interpreter` is given the running interpreter.

    borrowed: whether it is one of Python's or numpy's, whose own errors are about what they were given. The
              others say by a GradlensError what a program did wrong, so any other error of theirs is ours.
    arguments: what its parameters take, where their names alone do not say it (`arguments.py`).
    """

    def __init__(
        self,
        name: str,
        function: Callable[..., Any],
        *,
        borrowed: bool = False,
        arguments: Mapping[str, Argument] = NOTHING_SPECIAL,
    ) -> None:
        self.name = name
        self.function = function
        self.borrowed = borrowed
        self.arguments = MappingProxyType(dict(arguments))

    def called(self, name: str) -> Native:
        """The same function under another name."""
        return Native(name, self.function, borrowed=self.borrowed, arguments=self.arguments)

    @cached_property
    def takes_interpreter(self) -> bool:
        """Whether the function works on the run itself: prints, calls back, adds nodes."""
        return next(iter(inspect.signature(self.function).parameters), "") == "interpreter"

    @cached_property
    def signature(self) -> Signature:
        """The parameters that a program sees."""
        return Signature.of(self.function, skip=int(self.takes_interpreter))

    @cached_property
    def checked(self) -> Mapping[str, Argument]:
        """The parameters of which it is known what they take; a borrowed function checks most by itself."""
        by_name = {} if self.borrowed else {**dict.fromkeys(self.signature.flags, FLAG), **BY_NAME}
        known = {**by_name, **self.arguments}
        every = self.signature.every_name
        return MappingProxyType({name: known[name] for name in every if name in known})

    def call(self, interpreter: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Check the arguments against the parameters and call."""
        named = keywords.keys()
        if not self.signature.fits(len(args), named):
            self.signature.bind(self.name, args, keywords)
        return self.call_checked(interpreter, args, keywords, self.checks_of(len(args), named))

    def checks_of(self, count: int, named: Set[str]) -> Sequence[Check]:
        """What to check in a call of so many arguments by position, and these by name."""
        given = min(count, len(self.signature.positional))
        return [
            (place if place < given else None, name, kind, takes_none)
            for place, name, kind, takes_none in self._expected
            if place < given or name in named
        ]

    def call_checked(
        self, interpreter: Any, args: Sequence[Any], keywords: Mapping[str, Any], checks: Sequence[Check]
    ) -> Any:
        """Make these checks and call. Raises: GradlensError for the first argument of another kind."""
        for place, name, expected, takes_none in checks:
            value = keywords[name] if place is None else args[place]
            if value is not None or not takes_none:
                expected.check(self.name, name, value)
        if self.takes_interpreter:
            return self.function(interpreter, *args, **keywords)
        return self.function(*args, **keywords)

    @cached_property
    def _expected(self) -> tuple[tuple[int, str, Argument, bool], ...]:
        """The same in order: the place of each, and whether None is taken besides."""
        positional, by_default = self.signature.positional, self.signature.none_by_default
        places = {name: place for place, name in enumerate(positional)}
        far = len(positional)  # of a parameter that is given by name alone
        found = [
            (places.get(name, far), name, kind, name in by_default) for name, kind in self.checked.items()
        ]
        return tuple(found)


@dataclass(slots=True, unsafe_hash=True)
class BoundMethod:
    """A method of one of our values, taken from its table. (Not frozen: each call makes one.)"""

    method: Native
    owner: Any

    @property
    def name(self) -> str:
        """Its name with its type, as in `list.append`."""
        return self.method.name

    @property
    def borrowed(self) -> bool:
        """Whether it is a method of Python's or numpy's."""
        return self.method.borrowed

    def call(self, interpreter: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Call with the owner as the first argument."""
        return self.method.call(interpreter, (self.owner, *args), keywords)


@dataclass(frozen=True, slots=True, eq=False)
class UserFunction:
    """A function of the program: its parameters, its body and the scope that it was made in.

    run: runs the body in the current scope; what it returns.
    """

    name: str
    signature: Signature
    defaults: Mapping[str, Any]
    body: list[ast.stmt] | ast.expr
    run: Callable[[], Any]
    local_names: frozenset[str]
    closure: Scope
    doc: str = ""
    owner: Any = None  # the class that it was written in
    is_generator: bool = False
    is_abstract: bool = False  # whether a class that inherits it has to bring one of its own

    def called(self, name: str, doc: str) -> UserFunction:
        """The same function under another name and with another text."""
        return replace(self, name=name, doc=doc)


TYPE_NAMES.update(dict.fromkeys((Native, BoundMethod, UserFunction), lambda _: "function"))
PYTHON_NAMES.update(dict.fromkeys((Native, BoundMethod, UserFunction), lambda _: "function"))


def _own_name(name: str) -> str:
    """As Python names a function in its errors: without its module, with its class (`sum`, `Line.fit`)."""
    return name if name[:1].isupper() else name.rpartition(".")[2]


def _too_many(name: str, signature: Signature, given: int) -> ProgramError:
    most = len(signature.positional)
    least = sum(parameter in signature.required for parameter in signature.positional)
    counted = f"from {least} to {most}" if least < most else str(most)
    plural, were = "" if counted == "1" else "s", "was" if given == 1 else "were"
    return ProgramError(
        f"{name}() takes at most {most} positional arguments, but {given} were given.",
        message_zh=f"{name}() 最多接受 {most} 个位置参数，但给了 {given} 个。",
        code="wrong_arguments",
        kind="TypeError",
        said=f"{_own_name(name)}() takes {counted} positional argument{plural} but {given} {were} given",
    )


def _given_twice(name: str, key: str) -> ProgramError:
    return ProgramError(
        f"{name}() got the argument `{key}` twice.",
        message_zh=f"{name}() 的参数 `{key}` 给了两次。",
        hint="It is given once by position and once by name.",
        hint_zh="它既按位置给出，又按名字给出。",
        code="wrong_arguments",
        kind="TypeError",
        said=f"{_own_name(name)}() got multiple values for argument '{key}'",
    )


def _unknown_argument(name: str, key: str, known: Sequence[str]) -> ProgramError:
    hint, hint_zh = did_you_mean(key, known)
    listed = ", ".join(known)
    return ProgramError(
        f"{name}() has no argument named `{key}`.",
        message_zh=f"{name}() 没有名为 `{key}` 的参数。",
        hint=hint or (f"It takes: {listed}." if known else "It takes no named arguments."),
        hint_zh=hint_zh or (f"它接受：{listed}。" if known else "它不接受命名参数。"),
        code="unknown_argument",
        said=f"{_own_name(name)}() got an unexpected keyword argument '{key}'",
    )


def missing_arguments(name: str, missing: Sequence[str], by_name: Sequence[str]) -> ProgramError:
    """The error for arguments that a call leaves out. by_name: those that are given by name alone."""
    listed = ", ".join(f"`{parameter}`" for parameter in missing)
    return ProgramError(
        f"{name}() is missing its argument {listed}.",
        message_zh=f"{name}() 缺少参数 {listed}。",
        code="wrong_arguments",
        kind="TypeError",
        said=_python_missing(name, missing, by_name),
    )


def _python_missing(name: str, missing: Sequence[str], by_name: Sequence[str]) -> str:
    """The same in Python's words: those by position, or else the others."""
    positional = [repr(one) for one in missing if one not in by_name]
    shown = positional or [repr(one) for one in missing]
    how = "positional" if positional else "keyword-only"
    joined = " and ".join(shown) if len(shown) < 3 else f"{', '.join(shown[:-1])}, and {shown[-1]}"
    plural = "" if len(shown) == 1 else "s"
    return f"{_own_name(name)}() missing {len(shown)} required {how} argument{plural}: {joined}"
