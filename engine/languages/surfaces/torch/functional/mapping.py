"""`torch.vmap`: a function applied to each example of a batch, one after the other."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.records import like
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.left_out import takes_only
from engine.languages.surfaces.torch.autograd.examples import example
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functional.levels import transforming
from engine.languages.surfaces.torch.functions.operands import axis_of
from engine.languages.surfaces.torch.functions.shaping import stack
from engine.languages.surfaces.torch.random.generator import drawing
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor

# Nodes that are as they were for one example, and those that others take the place of for all examples.
ELEMENTWISE = "Abs Add Clamp Cos Cumsum Div Exp Flip Gather Log LogSoftmax Logsumexp Mul Neg Pow Relu Select"
ELEMENTWISE += " Sigmoid Sin Softmax Sqrt Stack Sub Tanh Unsqueeze Var View Where LinalgVectorNorm Cat"
KEPT_NODES = {f"{name}Backward0" for name in ELEMENTWISE.split()} | {
    "ClampBackward1",
    "SumBackward1",
    "MvBackward0",
}
OTHER_NODES = {
    "SumBackward0": "SumBackward1",
    "MeanBackward0": "MeanBackward1",
    "ProdBackward0": "ProdBackward1",
    "MaxBackward1": "MaxBackward0",
    "MinBackward1": "MinBackward0",
    "MseLossBackward0": "MeanBackward1",
}


@torch_function("func.vmap", "vmap")
@takes_only(randomness=("error", "different"))
def vmap(
    func: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: Any = "error", *, chunk_size: Any = None
) -> Native:
    """A function applied to each example of a batch, the results stacked."""
    own = getattr(func, "name", "func")

    def call(interpreter: Interpreter, *args: Any, **keywords: Any) -> Any:
        dims = _spread(list(args), list(in_dims) if isinstance(in_dims, (tuple, list)) else in_dims)
        named = _spread(keywords, 0)
        _check_dims(args, dims, own, in_dims)
        count = _batch_size([*_pairs(list(args), dims), *_pairs(keywords, named)])
        results = []
        for place in range(count):
            interpreter.budget.step()
            given = [_one(one, dim, place) for one, dim in zip(args, dims, strict=True)]
            settings = {key: _one(one, named[key], place) for key, one in keywords.items()}
            parts = [
                one
                for one, dim in _pairs([*given, *settings.values()], [*dims, *named.values()])
                if dim is not None
            ]
            with (
                drawing(may_draw=randomness != "error"),
                example(parts, is_last=place == count - 1),
                transforming("vmap", parts, repeats=count > 1),
            ):
                results.append(interpreter.call(func, given, settings))
        return _stacked(interpreter, results, out_dims, own)

    return Native("vmap", call)


def _check_dims(args: Any, dims: Any, own: str, in_dims: Any) -> None:
    """Raises: ValueError's messages of PyTorch for what has no such batch axis."""
    for one, dim in zip(args, dims, strict=True):
        if isinstance(one, (bool, int, float, str)) and in_dims == 0:
            raise torch_error(
                f"vmap({own}, in_dims={in_dims}, ...)(<inputs>): Got in_dim=0 for an input but the input is "
                f"of type <class '{python_name(one)}'>. We cannot vmap over non-Tensor arguments, please use "
                "None as the respective in_dim",
                "vmap 只能沿张量的轴取样本；其他参数请写 in_dims=None。",
                kind="ValueError",
            )
        rank = one.form.ndim if isinstance(one, Tensor) else 0
        if isinstance(one, Tensor) and dim is not None and not -rank <= dim < rank:
            raise torch_error(
                f"vmap({own}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for some input, but that "
                f"input is a Tensor of dimensionality {rank} so expected in_dim to satisfy -{rank} <= in_dim "
                f"< {rank}.",
                f"张量有 {rank} 维，没有第 {dim} 维可以取样本。",
                kind="ValueError",
            )


def _spread(value: Any, dims: Any) -> Any:
    """The batch axis of each tensor, in the form of the arguments."""
    if isinstance(value, Tensor):
        return dims
    if isinstance(value, (list, tuple)):
        parts = dims if isinstance(dims, (list, tuple)) else [dims] * len(value)
        if len(parts) != len(value):
            raise torch_error(
                f"vmap(func, in_dims={dims}, ...)(<inputs>): in_dims is not compatible with the structure "
                "of inputs.",
                "vmap 的 in_dims 与参数的结构不一致。",
                kind="ValueError",
            )
        return [_spread(one, dim) for one, dim in zip(value, parts, strict=True)]
    if isinstance(value, dict):
        return {
            key: _spread(one, dims[key] if isinstance(dims, dict) else dims) for key, one in value.items()
        }
    return None


def _pairs(value: Any, dims: Any) -> list[tuple[Tensor, Any]]:
    if isinstance(value, Tensor):
        return [(value, dims)]
    if isinstance(value, (list, tuple)):
        return [pair for one, dim in zip(value, dims, strict=True) for pair in _pairs(one, dim)]
    if isinstance(value, dict):
        return [pair for key, one in value.items() for pair in _pairs(one, dims[key])]
    return []


def _batch_size(pairs: list[tuple[Tensor, Any]]) -> int:
    sizes = [tensor.shape[axis_of(dim, tensor.array.ndim)] for tensor, dim in pairs if dim is not None]
    if not sizes:
        raise torch_error(
            "vmap(func, in_dims=0, ...)(<inputs>): got no inputs with a batch dimension.",
            "vmap 没有得到带批量维的张量。",
            kind="ValueError",
        )
    if len(set(sizes)) > 1:
        raise torch_error(
            f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sizes} "
            "for the mapped "
            "dimension",
            f"vmap 的各张量在批量维上的长度不同：{sizes}。",
            kind="ValueError",
            code="shape_mismatch",
        )
    return int(sizes[0])


def _one(value: Any, dims: Any, place: int) -> Any:
    """The part of one example."""
    if isinstance(value, Tensor):
        return value if dims is None else OPERATORS["select"](value, dims, place)
    if isinstance(value, (list, tuple)):
        return like(value, [_one(one, dim, place) for one, dim in zip(value, dims, strict=True)])
    if isinstance(value, dict):
        return {key: _one(one, dims[key], place) for key, one in value.items()}
    return value


def _stacked(interpreter: Interpreter, results: list[Any], out_dims: Any, own: str) -> Any:
    first = results[0]
    if isinstance(first, Tensor):
        dim = out_dims if isinstance(out_dims, int) else out_dims[0]
        return _as_of_all(interpreter, stack(results, dim), first, dim)
    if isinstance(first, (list, tuple)):
        dims = out_dims if isinstance(out_dims, (list, tuple)) else [out_dims] * len(first)
        parts = ([one[i] for one in results] for i in range(len(first)))
        return like(first, [_stacked(interpreter, *pair, own) for pair in zip(parts, dims, strict=True)])
    if isinstance(first, dict):
        return {key: _stacked(interpreter, [one[key] for one in results], out_dims, own) for key in first}
    raise torch_error(
        f"vmap({own}, ...): `{own}` must only return Tensors, got type <class '{python_name(first)}'>. Did "
        "you mean to set out_dims= to None for output?",
        "vmap 的函数只能返回张量。",
        kind="ValueError",
    )


def _as_of_all(interpreter: Interpreter, made: Tensor, first: Tensor, dim: int) -> Tensor:
    """The stacked results with the name of the node that PyTorch has, as it computes all examples at once."""
    node = made.node
    if node is None:
        return made
    last = first.grad_fn.name
    node.name = "PermuteBackward0" if dim else OTHER_NODES.get(last, last)
    node.is_of_examples = True
    if not dim and last not in KEPT_NODES and last not in OTHER_NODES:
        interpreter.note(
            "nodes_of_vmap",
            f"The result of vmap has a node of another name in PyTorch than {last} has here: PyTorch "
            "computes all examples at once, Gradlens one after the other.",
            f"vmap 的结果在 PyTorch 中的节点可能不叫 {last}：PyTorch 同时计算所有样本，这里逐个计算。",
        )
    return made
