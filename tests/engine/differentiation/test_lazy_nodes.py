"""Lazy nodes are those that would have been made at once: node for node, in the same order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import ops
from engine.differentiation import gradients, prepare_templates
from engine.differentiation.lazy import sweep as lazy_sweep
from engine.differentiation.lazy.templates import is_elementwise, templates_for
from engine.errors import DtypeError, GraphError, LimitError, ShapeError, Span, ValueRefused
from engine.graph import Graph, Tensor, Variable
from engine.graph.surroundings import Surroundings
from engine.ops import REGISTRY
from engine.ops.base.building import current_graph
from engine.ops.base.tensors import FLOATS, OPERATORS
from engine.programs import ProgramRequest, run_program
from tests.engine.ops.samples import SAMPLES
from tests.engine.test_tensorflow_oracle import CASES, check_nodes

INTEGER = {"TruncateDiv"}  # they take no floats
ELEMENTWISE = [name for name, op in REGISTRY.items() if is_elementwise(op) and name not in INTEGER]
Builder = Callable[[], Any]


def facts(graph: Graph) -> list[Any]:
    """All that anybody can read of a graph."""
    nodes = [
        (
            *(node.index, node.name, node.op, sorted((k, str(v)) for k, v in node.attrs.items())),
            *([t.name for t in node.inputs], [other.name for other in node.control_inputs]),
            [(t.name, t.index, t.dtype, t.shape, t.node is node, t.graph is graph) for t in node.outputs],
            *(node.colocate, node.context, node.device, node.phase, node.of and node.of.name, node.span),
        )
        for node in graph.nodes
    ]
    adjoints = [
        (a.node.name, [getattr(t, "name", None) for t in (*a.upstream, *a.passed)]) for a in graph.adjoints
    ]
    return [nodes, adjoints, graph.names.counts, graph.broadcast_cache]


def both_ways(build: Builder, dtype: str = "float32") -> tuple[Graph, Graph]:
    """The graph that `build` makes, with every node lazy and with none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lazy_sweep, "WORTHWHILE", 0)
        with Graph(default_float=dtype).as_default() as lazy:
            build()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Surroundings, "is_plain_here", property(lambda _: False))
        with Graph(default_float=dtype).as_default() as eager:
            build()
    return lazy, eager


def assert_alike(build: Builder, dtype: str = "float32") -> None:
    lazy, eager = both_ways(build, dtype)
    assert facts(lazy) == facts(eager)


def chain(length: int) -> tuple[Tensor, Tensor]:
    """sin, times x, plus a number, in turn."""
    x = y = ops.placeholder("float64", (), name="x")
    for step in range(length):
        if step % 3 == 0:
            y = ops.sin(y)
        else:
            y = y * x if step % 3 == 1 else y + 1.5
    return x, y


# -- one op at a time ------------------------------------------------------------------------------


def repeated(name: str, inputs: Sequence[Any], fixed: bool) -> Builder:
    """Three nodes of one op on the same inputs, and their gradient; `fixed`: the last input is a constant."""

    def build() -> None:
        xs = [ops.placeholder(value.dtype.name, value.shape) for value in inputs]
        operands = [*xs[:-1], ops.constant(inputs[-1])] if fixed else xs
        ys = [REGISTRY[name](*operands) for _ in range(3)]
        gradients(ys, xs)

    return build


@pytest.mark.slow
@pytest.mark.parametrize("fixed", [False, True], ids=["fed", "constant"])
@pytest.mark.parametrize("name", ELEMENTWISE)
def test_a_template_is_what_the_rule_adds(name: str, fixed: bool) -> None:
    for sample in SAMPLES[name]:
        for dtype in ("float32", "float64"):
            inputs = [value.astype(dtype) if value.dtype.name in FLOATS else value for value in sample.inputs]
            assert_alike(repeated(name, inputs, fixed), dtype)


@pytest.mark.parametrize("name", [name for name in ELEMENTWISE if len(REGISTRY[name].input_names) == 2])
def test_a_template_of_a_node_whose_inputs_are_one_tensor(name: str) -> None:
    def build() -> None:
        x = ops.placeholder("float64", (3,))
        gradients([REGISTRY[name](x, x), REGISTRY[name](x, x), REGISTRY[name](x, x + 1.0)], [x])

    assert_alike(build)


def test_every_op_that_works_element_by_element_has_a_template() -> None:
    for op in map(REGISTRY.__getitem__, ELEMENTWISE):
        kinds = tuple([("float32", (3,))] * len(op.input_names))
        assert templates_for(op, kinds, False, "float32") is not None, op


# -- whole graphs ----------------------------------------------------------------------------------

UNARY = ["Sin", "Exp", "Tanh", "Square", "Identity", "Neg", "Sigmoid", "Floor", "Sqrt"]
BINARY = ["add", "sub", "mul", "truediv", "pow"]
STEPS = st.lists(
    st.tuples(st.sampled_from(UNARY + BINARY), st.integers(0, 99), st.integers(0, 99), st.integers(0, 4)),
    min_size=1,
    max_size=25,
)


def drawn(steps: list[tuple[str, int, int, int]], orders: int) -> None:
    """Each step applies an op to earlier tensors, or to one and a number; then gradients of any order."""
    xs = [ops.placeholder("float32", shape) for shape in ((), (3,), (2, 1))]
    tensors = list(xs)
    for name, first, second, kind in steps:
        x, y = tensors[first % len(tensors)], tensors[second % len(tensors)]
        if name in UNARY:
            tensors.append(REGISTRY[name](x))
        elif kind == 0:
            tensors.append(OPERATORS[name](x, 2.5))
        elif kind == 1:
            tensors.append(OPERATORS[name](3, y))
        else:
            tensors.append(OPERATORS[name](x, y))
    found: list[Any] = tensors[-2:]
    for _ in range(orders):
        found = [gradient for gradient in gradients(found, xs) if gradient is not None] or found
    _ = found[0] * 2.0


@pytest.mark.slow
@settings(deadline=None)
@given(STEPS, st.integers(1, 3))
def test_any_graph_is_the_same_both_ways(steps: list[tuple[str, int, int, int]], orders: int) -> None:
    assert_alike(lambda: drawn(steps, orders))


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case["dialect"] == "tf1"])
def test_a_lazy_gradient_is_the_one_that_tensorflow_builds(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lazy_sweep, "WORTHWHILE", 0)
    check_nodes(CASES[name])


def test_a_program_has_the_same_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    request = ProgramRequest(source="y = exp(sin(x)) * x + 2", at={"x": 3})
    made = run_program(request)
    monkeypatch.setattr(lazy_sweep, "WORTHWHILE", 0)
    assert run_program(request)["graph"] == made["graph"]


def test_places_are_kept() -> None:
    def build() -> None:
        graph = current_graph()
        assert isinstance(graph, Graph)
        x = Variable(3.0, name="x")
        with graph.device("/gpu:0"), graph.name_scope("net"), graph.at(Span(1, 2, 3, 4)):
            y = ops.sin(x.read) * 2.0
            y = y * y
            (dx,) = gradients(y, [x])
        with graph.control_dependencies([dx]):
            ops.cos(x.read)
        gradients(dx * 3.0, [x], name="again")

    assert_alike(build)


def test_a_tensor_stays_the_same_object_when_its_node_is_made() -> None:
    with Graph().as_default() as graph:
        x, y = chain(6)
        z = y * 2.0
        (dx,) = gradients(z, [x])
        assert z.node.outputs == (z,)
        assert z.node.inputs[0] is y
        assert dx.node.outputs[0] is dx
        assert type(y) is type(z) is type(dx) is Tensor
        assert graph.tensor(y.name) is y


@pytest.mark.parametrize("way", ["beside the way", "on the way", "before the way", "fixed"])
def test_a_sum_of_three_tensors_wherever_it_stands(way: str) -> None:
    def build() -> None:
        x, c = ops.placeholder("float32", ()), ops.constant(2.0)
        y = ops.sin(x) * x
        wide = ops.add_n([c, c, c] if way == "fixed" else [c, x, y])
        z = ops.exp(y) if way == "beside the way" else ops.exp(y) * wide
        gradients(z, [wide] if way == "before the way" else [x])

    assert_alike(build)


def test_a_sum_beside_the_way_leaves_the_gradient_lazy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_sweep, "WORTHWHILE", 0)
    with Graph().as_default() as graph:
        x = ops.placeholder("float32", ())
        y = ops.sin(x) * x
        ops.add_n([x, y, y])
        made = len(graph.nodes)
        gradients(ops.exp(y), [x])
        assert len(graph._nodes) == made


def test_a_y_named_twice_counts_twice() -> None:
    def build() -> None:
        x, y = chain(5)
        gradients([y, y, x], [x])

    assert_alike(build)


def test_two_xs_with_one_gradient_share_its_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_sweep, "WORTHWHILE", 0)
    with Graph().as_default():
        a, b = ops.placeholder("float32", ()), ops.placeholder("float32", ())
        da, db = gradients(a + b, [a, b])
        assert da is db
        assert da.name == "gradients/Fill:0"


# -- what is wrong is said at once -----------------------------------------------------------------


def test_a_square_and_a_product_that_were_looked_at_keep_rules_of_their_own() -> None:
    def build() -> None:
        x, z = (ops.placeholder("float32", (), name=name) for name in "xz")
        y = x * x + x * z
        assert y.node.inputs
        gradients(y, [x, z])

    assert_alike(build)


def test_shapes_types_and_graphs_are_checked_when_the_operation_is_asked_for() -> None:
    with Graph().as_default():
        x, whole = ops.placeholder("float32", (2, 3)), ops.placeholder("int32", (3,))
        other = ops.placeholder("float32", (2, 4))
        with pytest.raises(ShapeError):
            _ = x + other
        with pytest.raises(DtypeError):
            _ = x * whole
    with Graph().as_default():
        y = ops.placeholder("float32", (2, 3))
        with pytest.raises(GraphError):
            _ = x * y


@pytest.mark.parametrize("operator", ["add", "mul", "sub"])
def test_none_is_no_operand(operator: str) -> None:
    with Graph().as_default():
        x = ops.placeholder("float32", (2, 3))
        for operands in ((x, None), (None, x)):
            with pytest.raises(ValueRefused, match="None is not a tensor"):
                OPERATORS[operator](*operands)


def test_the_name_of_a_gradient_is_checked_when_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_sweep, "WORTHWHILE", 0)
    with Graph().as_default() as graph:
        x, y = chain(6)
        with pytest.raises(GraphError):
            gradients(y, [x], name="two words")
        with graph.name_scope("again") as scope:
            pass
        (dx,) = gradients(y, [x], name=scope)
        assert dx.name == "again/AddN:0"


def test_lazy_nodes_count_towards_the_limit() -> None:
    with Graph(node_limit=20).as_default() as graph:
        y = ops.placeholder("float32", ())
        for _ in range(6):
            y = ops.sin(y) + 1.0
        y = ops.sin(y)
        with pytest.raises(LimitError):
            _ = y + 1.0
        assert len(graph.nodes) == 20  # the constant still found its place
    with Graph(node_limit=2500).as_default() as graph:
        x, y = chain(1500)
        with pytest.raises(LimitError):
            gradients(y, [x])
        assert len(graph.nodes) == 2500


@pytest.mark.parametrize("limit", range(5, 40))
def test_a_graph_of_lazy_nodes_holds_exactly_as_many_nodes_as_its_limit(limit: int) -> None:
    with Graph(node_limit=limit).as_default() as graph:
        y = ops.placeholder("float32", ())
        for k in range(limit - 3):
            y = ops.sin(y)
            if k % 7 == 3:
                assert len(graph.nodes) == k + 2  # made meanwhile
        assert not graph.lazy.has_room_for(3)
        assert graph.lazy.has_room_for(2)
        _ = y + 1.0
        assert not graph.lazy.has_room_for(1)
        with pytest.raises(LimitError):
            ops.sin(y)
        assert len(graph.nodes) == limit


def test_after_a_lazy_gradient_the_limit_is_exact_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_sweep, "WORTHWHILE", 0)
    with Graph(node_limit=1_000).as_default() as graph:
        x, y = chain(30)
        (dx,) = gradients(y, [x])
        room = 1_000 - len(graph.nodes)
    with Graph(node_limit=1_000).as_default() as graph:
        x, y = chain(30)
        (dx,) = gradients(y, [x])
        for _ in range(room):
            dx = ops.sin(dx)
        with pytest.raises(LimitError):
            ops.sin(dx)
        assert len(graph.nodes) == 1_000


def test_prepared_templates_are_those_that_a_first_use_finds() -> None:
    prepare_templates()
    misses = templates_for.cache_info().misses
    with Graph(default_float="float64").as_default():
        x = ops.placeholder("float64", ())
        y = x
        for _ in range(lazy_sweep.WORTHWHILE):
            y = ops.sin(y * x + 1.5) - y
        (dx,) = gradients(y, [x])
        assert templates_for.cache_info().misses == misses
    assert dx.name == f"gradients/AddN_{lazy_sweep.WORTHWHILE - 1}:0"


# -- a chain of 100,000 ----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_chain_of_100_000_ops_has_the_nodes_and_names_of_a_short_one() -> None:
    with Graph().as_default() as graph:
        x, y = chain(100_000)
        (dx,) = gradients(y, [x])
    assert len(graph.nodes) == 1 + 133_333 + 133_341
    assert y.name == "Sin_33333:0"
    assert (dx.name, len(dx.node.inputs)) == ("gradients/AddN:0", 33_334)
    assert [node.name for node in graph.nodes[:6]] == ["x", "Sin", "mul", "add/y", "add", "Sin_1"]
    assert graph.nodes[66_669].name == "Sin_16667"
    middle = graph.node("gradients/mul_16666_grad/Mul_1")
    assert [t.name for t in middle.inputs] == ["Sin_16666:0", "gradients/Sin_16667_grad/mul:0"]
    assert middle.of is graph.node("mul_16666")
    assert len(graph.adjoints) == 100_000


@pytest.mark.slow
def test_a_long_chain_is_the_same_made_at_once() -> None:
    def build() -> None:
        x, y = chain(3000)
        gradients(y, [x])

    assert_alike(build)
