"""`tf.function` itself: which trace a call is one of, and how one is made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.errors import GradlensError, ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import Descriptor
from engine.languages.interpreter.classes.objects import UserMethod
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.tensors import TensorShape
from engine.languages.surfaces.tf2.functions import mistakes
from engine.languages.surfaces.tf2.functions.concrete import Concrete
from engine.languages.surfaces.tf2.functions.flow import TENSORS
from engine.languages.surfaces.tf2.functions.signature import (
    Given,
    Literal,
    TensorSpec,
    alike,
    as_signature,
    as_tensors,
    canonical,
    generalised,
    given,
    rebuilt,
)
from engine.languages.surfaces.tf2.functions.staging import FunctionStaging
from engine.languages.surfaces.tf2.functions.steps import Handle, mapped
from engine.languages.surfaces.tf2.functions.traced import TracedGraph, tracing_now
from engine.ops.base.building import convert_to_tensor


@dataclass(slots=True, eq=False)
class Function(Descriptor):
    """A function of the program that is traced.

    traces:  one for each kind of arguments.
    lowered: the bodies that AutoGraph has rewritten, kept with the originals, by those.
    """

    function: Any
    signature: Sequence[Any] | None = None
    converts: bool = True
    relaxes: bool = False
    traces: list[Concrete] = field(default_factory=list)
    count: int = 0
    was_called: bool = False
    lowered: dict[int, Any] = field(default_factory=dict)
    _bound: dict[int, tuple[Any, Function]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name in the program."""
        return str(getattr(self.function, "name", "function"))

    # -- methods of classes ----------------------------------------------------------------------

    def bound_to(self, owner: Any) -> Function:
        """The method of one object, which has traces of its own."""
        if id(owner) not in self._bound:
            is_own = isinstance(self.function, UserFunction)
            method = UserMethod(self.function, owner) if is_own else self.function
            made = Function(method, self.signature, self.converts, self.relaxes)
            made.lowered = self.lowered
            self._bound[id(owner)] = owner, made
        return self._bound[id(owner)][1]

    def written_in(self, owned: Any) -> Function:
        """The same function as a member of a class."""
        return Function(owned(self.function), self.signature, self.converts, self.relaxes)

    # -- calls -----------------------------------------------------------------------------------

    def call(self, interpreter: Interpreter, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run the trace that fits the arguments, made now where there is none yet."""
        if interpreter.workspace.runs_functions_eagerly and tracing_now() is None:
            return interpreter.call(self.function, args, keywords)
        arguments = self.arguments(args, keywords)
        return self.concrete(interpreter, arguments, args, keywords).run(interpreter, arguments.leaves)

    def arguments(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> Given:
        """The arguments, leaf by leaf; those of a method without its owner."""
        named, rest, others = canonical(self.function, args, keywords)
        self.leave_out_owner(named)
        if self.signature is None:
            return given(named, rest, others)
        return as_signature(given(*as_tensors(named, rest, self.signature), others), self.signature)

    def concrete(
        self, interpreter: Interpreter, arguments: Given, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> Concrete:
        """The trace for a call."""
        fitting = [one for one in self.traces if one.accepts(arguments.form, arguments.specs)]
        if fitting:
            return max(fitting, key=_known_lengths)
        if self.relaxes:
            arguments = self._relaxed(arguments)
        first = not self.was_called
        made, variables = self._trace(interpreter, arguments, args, keywords, makes_variables=first)
        self.was_called = True
        if variables:  # as in TensorFlow, what made them is traced once more
            made, _ = self._trace(interpreter, arguments, args, keywords, makes_variables=False)
        self.traces.append(made)
        return made

    def _relaxed(self, arguments: Given) -> Given:
        specs = arguments.specs
        for one in self.traces:
            if one.form == arguments.form and alike(one.specs, specs):
                specs = generalised(specs, one.specs)
        return Given(arguments.form, arguments.leaves, specs, arguments.names)

    def _trace(
        self,
        interpreter: Interpreter,
        arguments: Given,
        args: Sequence[Any],
        keywords: Mapping[str, Any],
        *,
        makes_variables: bool,
    ) -> tuple[Concrete, int]:
        graph = TracedGraph(interpreter.workspace.graph)
        inputs = [
            _parameter(graph, *one)
            for one in zip(arguments.names, arguments.specs, arguments.leaves, strict=True)
        ]
        named, rest, others = canonical(self.function, args, keywords)
        self.leave_out_owner(named)
        leaves = iter(inputs)
        named = {name: rebuilt(value, leaves) for name, value in named.items()}
        rest = [rebuilt(value, leaves) for value in rest]
        others = {name: rebuilt(others[name], leaves) for name in sorted(others)}
        staging = FunctionStaging(interpreter, graph, self, self.converts, makes_variables)
        outer, interpreter.staging = interpreter.staging, staging
        self.count += 1
        try:
            with graph.entered():
                result = interpreter.call(self.function, *self._passed(named, rest, others))
                _check_returnable(result)
                result = mapped(result, _returned)
        except GradlensError as error:
            error.in_operation = None  # in a graph, what does not fit is found before anything runs
            raise
        finally:
            interpreter.staging = outer
        made = Concrete(arguments.form, arguments.specs, inputs, graph.steps, result, self.name, graph)
        return made, staging.made

    def leave_out_owner(self, named: dict[str, Any]) -> None:
        """Take the object of a method out of its arguments."""
        if isinstance(self.function, UserMethod):
            named.pop(self.function.function.signature.positional[0], None)

    def _passed(
        self, named: dict[str, Any], rest: list[Any], others: dict[str, Any]
    ) -> tuple[list[Any], dict[str, Any]]:
        """Arguments as a call takes them: by position where more follow by position."""
        function = self.function.function if isinstance(self.function, UserMethod) else self.function
        if not isinstance(function, UserFunction):
            return rest, others
        by_position = [named.pop(name) for name in function.signature.positional if name in named]
        return [*by_position, *rest], {**named, **others}


def _known_lengths(trace: Concrete) -> int:
    shapes = [spec.shape for spec in trace.specs if isinstance(spec, TensorSpec)]
    return sum(0 if shape is None else 1 + sum(n is not None for n in shape) for shape in shapes)


def _parameter(graph: TracedGraph, name: str, spec: Any, leaf: Any) -> Any:
    """What stands for an argument while the function is traced."""
    if isinstance(spec, TensorSpec):
        (made,) = graph.passed([], [(spec.dtype, spec.shape)], spec.name or name)
        return made
    return leaf


def _check_returnable(value: Any) -> None:
    """Raises: ProgramError for a shape among the results, which looks like a tuple."""
    if isinstance(value, TensorShape):
        raise mistakes.not_returnable(value)
    for item in value if isinstance(value, (list, tuple)) else ():
        _check_returnable(item)


def _returned(one: Any) -> Any:
    """A result as a tensor. Raises: ProgramError where it can be none."""
    if one is None or isinstance(one, Handle):
        return one
    if isinstance(one, TENSORS):
        return convert_to_tensor(one)
    raise mistakes.not_returnable(one)


# -- as a program sees it ----------------------------------------------------------------------------


def _call(interpreter: Interpreter, function: Function, args: Any, keywords: Any) -> Any:
    return function.call(interpreter, args, keywords)


def _call_concrete(interpreter: Interpreter, called: ConcreteFunction, args: Any, keywords: Any) -> Any:
    return called.call(interpreter, args, keywords)


@dataclass(frozen=True, slots=True, eq=False)
class ConcreteFunction:
    """`get_concrete_function`: one trace, which takes the tensors alone."""

    function: Function
    trace: Concrete
    name: str = "ConcreteFunction"

    def call(self, interpreter: Interpreter, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """Run the trace. Raises: ProgramError where the arguments are of another kind."""
        named, rest, others = canonical(self.function.function, *self._filled(args, keywords))
        self.function.leave_out_owner(named)
        found = given(named, rest, others)
        leaves = [
            convert_to_tensor(leaf, dtype=own.dtype)
            if isinstance(own, TensorSpec) and isinstance(one, Literal)
            else leaf
            for own, one, leaf in zip(self.trace.specs, found.specs, found.leaves, strict=False)
        ]
        specs = given({}, leaves, {}).specs
        if len(specs) != len(self.trace.specs) or not alike(self.trace.specs, specs):
            raise mistakes.does_not_bind("the arguments are not those that it was traced for")
        return self.trace.run(interpreter, leaves)

    def _filled(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments with the Python values that it was traced with."""
        values, waiting = list(args), dict(keywords)
        fixed = [one.value for one in self.trace.specs if isinstance(one, Literal)]
        if fixed and len(values) + len(waiting) < len(self.trace.specs):
            own = iter(values)
            values = [one.value if isinstance(one, Literal) else next(own, None) for one in self.trace.specs][
                : len(self.trace.specs) - len(waiting)
            ]
        return values, waiting


CALLABLES[Function] = _call
CALLABLES[ConcreteFunction] = _call_concrete
TYPE_NAMES[Function] = TYPE_NAMES[ConcreteFunction] = lambda _: "function"
SHOWN[Function] = (lambda one: f"<tensorflow.python.eager.polymorphic_function.Function {one.name}>",) * 2
SHOWN[ConcreteFunction] = (lambda one: f"<ConcreteFunction {one.function.name}>",) * 2
MEMBERS = members_of(Function, "Function")
MEMBERS.fact("python_function")(lambda one: one.function)
MEMBERS.fact("input_signature")(lambda one: None if one.signature is None else tuple(one.signature))
MEMBERS.fact("__name__")(lambda one: one.name)
MEMBERS.method("experimental_get_tracing_count")(lambda one: one.count)


@MEMBERS.method("get_concrete_function")
def get_concrete_function(
    interpreter: Interpreter, function: Function, *args: Any, **keywords: Any
) -> ConcreteFunction:
    """The trace for such arguments, which may be given as tf.TensorSpec."""
    if function.signature is not None and not args and not keywords:
        args = tuple(function.signature)
    return ConcreteFunction(function, concrete_of(interpreter, function, args, keywords))


def concrete_of(
    interpreter: Interpreter, function: Function, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Concrete:
    """The trace of a function for such arguments."""
    return function.concrete(interpreter, function.arguments(args, keywords), args, keywords)


def function(
    func: Any = None,
    input_signature: Any = None,
    autograph: Any = True,
    jit_compile: Any = None,
    reduce_retracing: Any = False,
    experimental_implements: Any = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: Any = None,
    experimental_compile: Any = None,
    experimental_follow_type_hints: Any = None,
) -> Any:
    """A function that is traced once for each kind of arguments."""
    wanted = None if input_signature is None else list(input_signature)
    for _ in _specs(wanted or []):
        pass
    relaxes = bool(reduce_retracing or experimental_relax_shapes)

    def make(wrapped: Any) -> Function:
        return Function(wrapped, wanted, bool(autograph), relaxes)

    return Native("tf.function", make) if func is None else make(func)


def _specs(value: Any) -> Iterator[TensorSpec]:
    """The specs in a signature, one after the other. Raises: ProgramError where it holds anything else."""
    if isinstance(value, (list, tuple)):
        for one in value:
            yield from _specs(one)
    elif isinstance(value, TensorSpec):
        yield value
    else:
        raise ProgramError(
            "input_signature takes tf.TensorSpec, in a list.",
            message_zh="input_signature 需要由 tf.TensorSpec 组成的列表。",
            hint="Write input_signature=[tf.TensorSpec(shape=[None], dtype=tf.float32)].",
            hint_zh="请写 input_signature=[tf.TensorSpec(shape=[None], dtype=tf.float32)]。",
            code="type_mismatch",
            kind="TypeError",
        )
