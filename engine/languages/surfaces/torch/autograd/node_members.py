"""What a program may ask of a `grad_fn`: its name, where gradients go on, what it has saved."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.attributes import LOOKUPS, NAMES_OF, members_of
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES
from engine.languages.surfaces.torch.autograd.custom import CustomNode
from engine.languages.surfaces.torch.autograd.function import FunctionNode
from engine.languages.surfaces.torch.autograd.hooks import node_hook, node_pre_hook
from engine.languages.surfaces.torch.autograd.in_place import CopySlices, StridedView
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Node, freed_already, full_name
from engine.languages.surfaces.torch.errors import not_here
from engine.languages.surfaces.torch.registry import TorchFunction
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers

SAVED = "_saved_"
KINDS = (Node, FunctionNode, AccumulateGrad, CopySlices, StridedView, CustomNode)
NODE = members_of(Node, "Node")


@NODE.fact("next_functions")
def next_functions(node: Node) -> tuple[tuple[Node | None, int], ...]:
    """Where gradients go on. Raises: RefusedError for a result of `vmap`, made by others here."""
    if getattr(node, "is_of_examples", False):
        raise not_here("next_functions of a result of vmap", " vmap 结果的 next_functions")
    return tuple((None, 0) if edge is None else (edge.node, edge.index) for edge in node.next_edges)


NODE.fact("metadata")(lambda node: node.metadata.setdefault("own", {}))
NODE.methods["name"] = TorchFunction("Node.name", full_name)
NODE.methods["register_hook"] = TorchFunction(
    "Node.register_hook", lambda interpreter, self, fn: node_hook(interpreter, self, fn)
)
NODE.methods["register_prehook"] = TorchFunction(
    "Node.register_prehook", lambda interpreter, self, fn: node_pre_hook(interpreter, self, fn)
)
members_of(AccumulateGrad, "AccumulateGrad").fact("variable")(lambda node: node.variable)


def _saved(node: Node, name: str) -> Any:
    """`_saved_self`: what it keeps. Raises: RuntimeError's message of PyTorch once that was let go."""
    key = name.removeprefix(SAVED)
    if not name.startswith(SAVED) or key not in node.saved_names:
        return MISSING
    if node.released:
        raise freed_already()
    if key not in node.known_names():
        raise not_here(
            f"`{name}` of {node.name}",
            f" {node.name} 的 `{name}`",
            "What it is computed with is not kept here under this name.",
            "这里没有以这个名字保存计算所用的值。",
        )
    written = node.metadata.get("written") if key == "indices" else None
    return _as_shown(key, node.saved(key) if written is None else written)


def _as_shown(key: str, found: Any) -> Any:
    """A saved value as PyTorch shows it: places axis by axis, negative numbers without their sign.

    A number of the program beside a tensor is shown in the type that Python's numbers have.
    """
    if key == "indices" and isinstance(found, dict):
        return tuple(found.get(axis) for axis in range(max(found) + 1))
    if isinstance(found, Tensor) and found.wrapped in NUMBERS:
        return of_numbers(found.array.astype(NUMBERS[found.wrapped]))
    if isinstance(found, int) and not isinstance(found, bool) and key in COUNTED:
        return found % 2**64
    return tuple(found) if isinstance(found, Size) else found


NUMBERS = {int: "int64", float: "float64"}
COUNTED = ("diagonal", "offset", "ignore_index", "padding_idx")  # shown by PyTorch without a sign


def _shown(node: Node) -> str:
    home = "torch.autograd.function." if isinstance(node, CustomNode) else ""
    return f"<{home}{node.name} object at 0x7f{node.sequence:010x}>"


for _kind in KINDS:
    LOOKUPS[_kind] = _saved
    NAMES_OF[_kind] = lambda node: [f"{SAVED}{name}" for name in node.saved_names]
    TYPE_NAMES[_kind] = lambda node: node.name
    PYTHON_NAMES[_kind] = lambda node: node.name
    SHOWN[_kind] = (_shown, _shown)
