"""`tensor.backward(…)`, `torch.autograd.backward(…)` and `torch.autograd.grad(…)`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.differentiation.reverse.sweep import first_gradient
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.autograd.engine import Pass, zeros_of
from engine.languages.surfaces.torch.autograd.examples import example, more_examples_come
from engine.languages.surfaces.torch.autograd.history import begin_pass, end_pass
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Edge, Meta, Node, gradient_edge
from engine.languages.surfaces.torch.autograd.repeated import Described, described, repeat_pass
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import check_backward_outside, is_recorded
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import shown
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor, like
from engine.languages.workspace import GradientCall

NOT_USED = (
    "Nothing that was computed leads from x to y. None is not 0.",
    "没有从 x 通向 y 的计算路径。None 不等于 0。",
)


def as_tuple(value: Any) -> tuple[Any, ...]:
    """A tensor alone, or those of a list."""
    return (value,) if isinstance(value, Tensor) or value is None else tuple(iterate(value))


@torch_function("backward", method="only")
def backward_of(
    interpreter: Interpreter,
    self: Tensor,
    gradient: Any = None,
    retain_graph: Any = None,
    create_graph: Any = False,
    inputs: Any = None,
) -> None:
    """Add d(self)/d(leaf) to the `grad` of each leaf."""
    backward(interpreter, self, gradient, retain_graph, create_graph, inputs=inputs)


@torch_function("autograd.backward")
def backward(
    interpreter: Interpreter,
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: Any = None,
    create_graph: Any = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Add the gradient of all these tensors together to the `grad` of each leaf."""
    check_backward_outside()
    roots = as_tuple(tensors)
    given = [None] * len(roots) if grad_tensors is None else list(as_tuple(grad_tensors))
    if inputs is not None and not as_tuple(inputs):
        raise torch_error(
            "`inputs` argument to `backward()` cannot be empty.", "backward() 的 inputs 不能为空。"
        )
    keep = _is_kept(retain_graph, create_graph)
    plain = inputs is None and not create_graph and len(roots) == len(given)
    known = described(roots, given) if plain else None
    if known is not None:
        _in_turn(interpreter, known, keep, roots, given)
        return
    edges, seeds = _roots(roots, given, bool(create_graph))
    wanted = [] if inputs is None else [_edge_of_input(one) for one in as_tuple(inputs)]
    sweep = Pass(keep_graph=keep, create_graph=bool(create_graph), wanted=wanted)
    _run(sweep, edges, seeds)
    state().graph.after_gradient()
    if inputs is not None:
        for one, edge in zip(as_tuple(inputs), wanted, strict=True):
            if not isinstance(edge.node, AccumulateGrad):
                found = sweep.found.get(sweep.wanted[edge.node, edge.index])
                if found is not None:
                    one.grad = found if one.grad is None else one.grad + found
    _remember_reached(interpreter, roots, sweep)


def _is_kept(retain_graph: Any, create_graph: Any) -> bool:
    """Whether what the nodes have saved is kept for another pass."""
    return bool(create_graph if retain_graph is None else retain_graph) or more_examples_come()


def _in_turn(
    interpreter: Interpreter, known: Described, keep: bool, roots: Sequence[Any], given: Sequence[Any]
) -> None:
    """A pass whose turn is recorded, or replayed."""
    sweep = Pass(keep_graph=keep, create_graph=False)

    def run() -> Iterable[Node]:
        _sweep(sweep, *_roots(roots, given, False))
        return sweep.reached

    record = begin_pass([edge for edge in map(gradient_edge, roots) if edge is not None])
    is_again = repeat_pass(known, keep, run)
    end_pass(record)
    state().graph.after_gradient()
    kept = known.shape.calls
    if is_again:
        _keep(interpreter, kept[-1])
    else:
        kept[:] = [_remember_reached(interpreter, roots, sweep)]


def _remember_reached(interpreter: Interpreter, roots: Sequence[Any], sweep: Pass) -> GradientCall:
    leaves = [node.variable for node in sweep.reached if isinstance(node, AccumulateGrad)]
    return remember(interpreter, roots, leaves, list(sweep.reached.values()), is_loss=True)


@torch_function("autograd.grad")
def grad(
    interpreter: Interpreter,
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: Any = None,
    create_graph: Any = False,
    only_inputs: Any = True,
    allow_unused: Any = None,
    is_grads_batched: Any = False,
    materialize_grads: Any = False,
) -> tuple[Tensor | None, ...]:
    """The gradient of the outputs with respect to each input, added nowhere."""
    _check_inputs(inputs)
    if is_grads_batched:
        settings = (retain_graph, create_graph, only_inputs, allow_unused, False, materialize_grads)
        return _batched(interpreter, outputs, inputs, grad_outputs, settings)
    roots, xs = as_tuple(outputs), as_tuple(inputs)
    given = [None] * len(roots) if grad_outputs is None else list(as_tuple(grad_outputs))
    edges, seeds = _roots(roots, given, bool(create_graph))
    keep = _is_kept(retain_graph, create_graph)
    wanted = [_edge_of_input(x) for x in xs]
    sweep = Pass(keep_graph=keep, create_graph=bool(create_graph), wanted=wanted, accumulate=False)
    _run(sweep, edges, seeds)
    state().graph.after_gradient()
    found = [sweep.found.get(sweep.wanted[edge.node, edge.index]) for edge in wanted]
    if materialize_grads:
        found = [zeros_of(Meta(x.shape, x.dtype)) if g is None else g for x, g in zip(xs, found, strict=True)]
    elif not allow_unused and None in found:
        raise _unused(found.index(None))
    remember(interpreter, roots, xs, found, is_loss=False)
    return tuple(found)


def _check_inputs(inputs: Any) -> None:
    """Raises: RuntimeError's messages of PyTorch where there is nothing to differentiate by."""
    listed = inputs if isinstance(inputs, (list, tuple, str)) else ()
    for one in listed:
        if not isinstance(one, (Tensor, Edge)):
            kind = python_name(one)
            raise torch_error(
                f"all inputs have to be Tensors or GradientEdges, but got {kind}",
                f"inputs 必须是张量，不能是 {kind}。",
            )
    if isinstance(inputs, (list, tuple)) and not inputs:
        raise torch_error("`inputs` argument to `grad()` cannot be empty.", "grad() 的 inputs 不能为空。")


def _batched(
    interpreter: Interpreter, outputs: Any, inputs: Any, grad_outputs: Any, settings: tuple[Any, ...]
) -> tuple[Tensor | None, ...]:
    """One pass for each row of the gradients of the outputs. Shapes: as `grad`, with one axis more."""
    rows = as_tuple(grad_outputs)
    count = rows[0].form.shape[0]
    found = []
    for index in range(count):
        with example((), is_last=index == count - 1):
            found.append(grad(interpreter, outputs, inputs, tuple(row[index] for row in rows), *settings))
    return tuple(
        None if part[0] is None else OPERATORS["stack"](list(part), 0) for part in zip(*found, strict=True)
    )


def _edge_of_input(tensor: Tensor) -> Edge:
    edge = gradient_edge(tensor)
    if edge is None:
        raise torch_error(
            "One of the differentiated Tensors does not require grad",
            "要对其求梯度的某个张量没有 requires_grad。",
            hint="Make it with requires_grad=True.",
            hint_zh="请在创建时写 requires_grad=True。",
        )
    return edge


def _run(sweep: Pass, edges: Sequence[Edge], seeds: Sequence[Tensor]) -> None:
    record = begin_pass(edges)
    _sweep(sweep, edges, seeds)
    end_pass(record)


def _sweep(sweep: Pass, edges: Sequence[Edge], seeds: Sequence[Tensor]) -> None:
    graph = state().graph
    with graph.name_scope_kept(f"{seeds[0].value.node.name.rpartition('/')[0] or 'gradients'}/"):
        sweep.run(edges, seeds)


def _roots(roots: Sequence[Any], given: Sequence[Any], create_graph: bool) -> tuple[list[Edge], list[Tensor]]:
    """Where the pass begins, and with what."""
    for one in given:
        if one is not None and not isinstance(one, Tensor):
            kind = python_name(one)
            raise torch_error(
                f"gradients can be either Tensors or None, but got {kind}",
                f"梯度必须是张量或 None，不能是 {kind}。",
                kind="TypeError",
            )
    if len(roots) != len(given):
        raise torch_error(
            f"got {len(roots)} tensors and {len(given)} gradients",
            f"有 {len(roots)} 个张量，却有 {len(given)} 个梯度。",
        )
    edges, seeds = [], []
    with state().graph.name_scope("gradients"):
        for place, (root, one) in enumerate(zip(roots, given, strict=True)):
            edge = gradient_edge(root)
            if edge is None or not is_recorded(root):
                raise _no_grad_fn(place)
            edges.append(edge)
            seeds.append(_seed(root, one, place, create_graph))
    return edges, seeds


def _seed(root: Tensor, given: Any, place: int, create_graph: bool) -> Tensor:
    if given is None:
        if root.form.size == 1 and root.dtype.is_complex:
            raise torch_error(
                "grad can be implicitly created only for real scalar outputs but got "
                f"torch.{root.dtype.name}",
                "只有实数标量输出才能省略 backward 的梯度参数。",
                hint="Take a real number of it first, as y.abs() or y.real.",
                hint_zh="请先取实数，例如 y.abs() 或 y.real。",
            )
        if root.form.size != 1:
            raise torch_error(
                "grad can be implicitly created only for scalar outputs",
                "只有标量输出才能省略 backward 的梯度参数。",
                hint="Sum it up first, y.sum().backward(), or say y.backward(torch.ones_like(y)).",
                hint_zh="请先求和：y.sum().backward()，或写 y.backward(torch.ones_like(y))。",
            )
        with state().graph.making("gradient"), recording(create_graph):
            return like(first_gradient(root.value, None, f"grad_ys_{place}"), root.dtype)
    check_shape_of_seed(place, given, root)
    seed: Tensor = given
    return seed


def check_shape_of_seed(place: int, given: Tensor, root: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where a gradient has another shape than its output."""
    if given.shape != root.shape:
        raise torch_error(
            f"Mismatch in shape: grad_output[{place}] has a shape of {shown(given.shape)} and "
            f"output[{place}] has a shape of {shown(root.shape)}.",
            f"第 {place} 个梯度的形状是 {list(given.shape)}，而输出的形状是 {list(root.shape)}。",
        )


def _no_grad_fn(place: int) -> Exception:
    return torch_error(
        f"element {place} of tensors does not require grad and does not have a grad_fn",
        f"第 {place} 个张量没有 requires_grad，也没有 grad_fn。",
        hint="Make what it is computed from with requires_grad=True, outside of torch.no_grad().",
        hint_zh="请让它所依赖的张量带有 requires_grad=True，并且不要写在 torch.no_grad() 里。",
    )


def _unused(place: int) -> Exception:
    return torch_error(
        f"The differentiated Tensor at index {place} appears to not have been used in the graph. Set "
        "allow_unused=True if this is the desired behavior.",
        f"要对其求梯度的第 {place} 个张量没有用在计算图中。",
        hint="Write allow_unused=True to get None for it.",
        hint_zh="写 allow_unused=True 可以得到 None。",
    )


def remember(
    interpreter: Interpreter,
    ys: Sequence[Tensor],
    xs: Sequence[Tensor],
    found: Sequence[Any],
    *,
    is_loss: bool,
    added: bool = False,
) -> GradientCall:
    """Keep a gradient call for the answer, once for all turns of a loop."""
    kept = [(x, g) for x, g in zip(xs, found, strict=True) if not x.steps or x.storage.variable is None]
    call = GradientCall(
        tuple(y.value for y in ys),
        tuple(x.storage.variable or x.value for x, _ in kept),
        tuple(None if g is None else g.value for _, g in kept),
        is_loss,
        tuple(NOT_USED if g is None else None for _, g in kept),
        added,
    )
    _keep(interpreter, call)
    return call


def _keep(interpreter: Interpreter, call: GradientCall) -> None:
    """Keep a call as the last one, in place of an earlier one of the same nodes."""
    calls = interpreter.workspace.gradient_calls
    if calls and calls[-1] is call:
        return
    same = [index for index, other in enumerate(calls[-20:]) if nodes_of(other) == nodes_of(call)]
    if same:
        del calls[max(len(calls) - 20, 0) + same[0]]
    calls.append(call)


def nodes_of(call: GradientCall) -> Any:
    """The nodes of a call, by which it is known again in a later turn."""
    found = [None if g is None else g.node for g in call.gradients]
    return [y.node for y in call.ys], [x.node for x in call.xs], found


def with_last_values(call: GradientCall, now: Any) -> GradientCall:
    """The same call with the tensors of the last turn."""
    return replace(
        call,
        ys=tuple(map(now, call.ys)),
        xs=tuple(map(now, call.xs)),
        gradients=tuple(map(now, call.gradients)),
    )
