"""Variable scopes: names for variables that are made once and used again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any

from engine.errors import ProgramError
from engine.graph.graph import Graph
from engine.graph.variables.initializers import GLOROT_UNIFORM, RULES, Identity, Zeros
from engine.graph.variables.variable import Variable
from engine.ops.base.shapes import known_lengths, written
from engine.ops.base.tensors import FLOATS, Tensor

AUTO_REUSE = "auto"
REGULARIZATION_LOSSES = "regularization_losses"


@dataclass
class VariableScope:
    """Where `get_variable` puts its names: a prefix, whether names are used again, and defaults.

    reads_apart: whether the first reads of its variables are placed by themselves, as for unrolled cells.
    """

    name: str = ""
    reuse: bool | str = False
    initializer: Any = None
    dtype: str = "float32"
    original_name_scope: str = ""
    reads_apart: bool = False
    regularizer: Callable[..., Any] | None = None

    def reuse_variables(self) -> None:
        """From here on `get_variable` gives out existing variables only."""
        self.reuse = True


@dataclass
class VariableStore:
    """The variables of one graph by name, and the scope that is open.

    opened: how often each scope was opened since the one around it was.
    """

    variables: dict[str, Variable] = field(default_factory=dict)
    scope: VariableScope = field(default_factory=VariableScope)
    opened: Counter[str] = field(default_factory=Counter)

    def unused(self, default_name: str) -> str:
        """The default name, numbered where a scope of that name was opened in the present one."""
        prefix = f"{self.scope.name}/" if self.scope.name else ""
        name, number = default_name, 0
        while self.opened[f"{prefix}{name}"]:
            number += 1
            name = f"{default_name}_{number}"
        return name

    def forget_inner(self, name: str) -> None:
        """Count the scopes within one anew: when it is opened again, so are they, under the same names."""
        for inner in self.opened:
            if inner.startswith(f"{name}/"):
                self.opened[inner] = 0


def store_of(graph: Graph) -> VariableStore:
    """The graph's own store, made when it is first asked for."""
    kept = graph.collection("__variable_store")
    if not kept:
        kept.append(VariableStore())
    store: VariableStore = kept[0]
    return store


@contextmanager
def variable_scope(
    graph: Graph,
    name_or_scope: str | VariableScope | None,
    default_name: str | None = None,
    initializer: Any = None,
    reuse: bool | str | None = None,
    dtype: str | None = None,
    regularizer: Callable[..., Any] | None = None,
) -> Iterator[VariableScope]:
    """`tf.variable_scope`: opens a name scope as well, made unique; the variables' prefix is not.

    A scope object given again opens its prefix from the outermost; None takes the default name, made unique
    for variables and for nodes apart; an empty name changes no prefix.
    """
    store = store_of(graph)
    outer = store.scope
    if isinstance(name_or_scope, VariableScope):
        inner, opened = replace(name_or_scope), name_or_scope.name.rpartition("/")[2]
    else:
        opened = name_or_scope if name_or_scope is not None else _checked_name(default_name)
        own = opened if name_or_scope is not None else store.unused(opened)
        inner = replace(outer, name="/".join(filter(None, (outer.name, own))))
    inner.reuse = outer.reuse or inner.reuse if reuse is None else (outer.reuse or reuse)
    inner.initializer = inner.initializer if initializer is None else initializer
    inner.dtype = dtype or inner.dtype
    inner.regularizer = regularizer or inner.regularizer
    with graph.name_scope(opened) if opened else nullcontext(graph.scope_prefix) as scope:
        inner.original_name_scope = scope
        store.scope = inner
        store.opened[inner.name] += 1
        before = store.opened.copy()
        try:
            yield inner
        finally:
            store.scope = outer
            if isinstance(name_or_scope, VariableScope):
                store.opened = before
            else:
                store.forget_inner(inner.name)


@contextmanager
def inside(graph: Graph, scope: VariableScope, reuse: bool | str) -> Iterator[None]:
    """A scope opened again for variables only: the names of nodes go on where they were."""
    store = store_of(graph)
    outer, before = store.scope, store.opened.copy()
    store.scope = replace(scope, reuse=reuse)
    store.opened[scope.name] += 1
    store.forget_inner(scope.name)
    try:
        yield
    finally:
        store.scope, store.opened = outer, before


def _checked_name(default_name: str | None) -> str:
    if not default_name:
        raise ProgramError(
            "A variable scope needs a name.",
            message_zh="变量作用域需要一个名称。",
            code="bad_name",
        )
    return default_name


def get_variable(
    graph: Graph,
    name: str,
    shape: Sequence[int] | None = None,
    dtype: str | None = None,
    initializer: Any = None,
    trainable: bool = True,
    collections: Sequence[str] | None = None,
    regularizer: Callable[..., Any] | None = None,
    *,
    beside: bool = True,
) -> Variable:
    """`tf.get_variable`: makes the variable under the scope's prefix, or gives out the one that is there.

    initializer: a tensor or value, a function without arguments, or a rule of shape and dtype; left out,
                 Glorot's uniform numbers for floats and zeros for integers.
    regularizer: a function of the variable, the scope's own where none is given; what it gives enters the
                 collection of penalties.
    beside:      whether a given penalty is placed beside the variable; those of layers are not.
    Raises:      ProgramError where it exists and is not to be used again, or the other way round.
    """
    store = store_of(graph)
    scope = store.scope
    full = f"{scope.name}/{name}" if scope.name else name
    known = store.variables.get(full)
    if known is not None:
        return _again(known, full, scope, shape)
    if scope.reuse is True:
        raise _missing(full)
    kind = dtype or scope.dtype
    chosen = initializer if initializer is not None else scope.initializer
    with graph.control_dependencies(None), graph.name_scope(None):
        made = Variable(
            _first_value(chosen, shape, kind),
            dtype=_wanted_dtype(chosen, dtype),
            name=full,
            trainable=trainable,
            collections=collections,
            reads_apart=scope.reads_apart,
        )
    store.variables[full] = made
    penalty = regularizer or scope.regularizer
    if penalty is not None:
        with graph.colocate_with(made.node) if beside or regularizer is None else nullcontext():
            _add_penalty(graph, made, penalty)
    return made


def _add_penalty(graph: Graph, variable: Variable, regularizer: Callable[..., Any]) -> None:
    """What a variable adds to the loss, kept until the program asks for it."""
    with graph.name_scope(f"{variable.node.name}/Regularizer/"):
        penalty = regularizer(variable)
    if penalty is not None:
        graph.collection(REGULARIZATION_LOSSES).append(penalty)


def _again(known: Variable, name: str, scope: VariableScope, shape: Any) -> Variable:
    if not scope.reuse:
        raise ProgramError(
            f"The variable {name} exists already.",
            hint="Open the scope with reuse=True or tf.AUTO_REUSE to use it again, or choose another name.",
            message_zh=f"变量 {name} 已经存在。",
            hint_zh="要重复使用它，请用 reuse=True 或 tf.AUTO_REUSE 打开作用域；否则请换一个名称。",
            code="variable_exists",
        )
    if shape is not None and tuple(shape) != known.shape:
        raise ProgramError(
            f"The variable {name} has the shape {written(known.shape)}, not {written(tuple(shape))}.",
            message_zh=f"变量 {name} 的形状是 {written(known.shape)}，不是 {written(tuple(shape))}。",
            code="shape_mismatch",
        )
    return known


def _missing(name: str) -> ProgramError:
    return ProgramError(
        f"There is no variable {name} to be used again.",
        hint="Make it once in a scope without reuse=True, or open the scope with reuse=tf.AUTO_REUSE.",
        message_zh=f"没有可以重复使用的变量 {name}。",
        hint_zh="请先在没有 reuse=True 的作用域里创建它，或用 reuse=tf.AUTO_REUSE 打开作用域。",
        code="variable_missing",
    )


def _wanted_dtype(initializer: Any, dtype: str | None) -> str | None:
    return None if initializer is None or callable(initializer) or isinstance(initializer, Tensor) else dtype


def _first_value(initializer: Any, shape: Sequence[int] | None, dtype: str) -> Any:
    """The initial value itself, or a function that adds its nodes in the scope `Initializer`."""
    if initializer is None:
        initializer = GLOROT_UNIFORM if dtype in FLOATS else Zeros()
    if isinstance(initializer, type):
        initializer = initializer()
    if not callable(initializer):
        return initializer
    rule: Callable[..., Any] = initializer
    if shape is None and isinstance(rule, (*RULES, Identity)):
        raise ProgramError(
            "A new variable needs a shape.",
            hint='Write tf.get_variable("w", [2, 3]), or give a tensor as its initializer.',
            message_zh="新变量需要形状。",
            hint_zh='请写 tf.get_variable("w", [2, 3])，或把张量作为初始化器。',
            code="wrong_arguments",
        )
    if shape is None:
        return rule
    lengths = known_lengths(shape)
    return lambda: rule(lengths, dtype)
