"""What is to be written: a tensor, what it is computed from, and what it is differentiated by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engine.errors import ProgramError
from engine.graph import Node, Tensor
from engine.graph.reachability import ancestors, in_order
from engine.ops.base.tensors import Array


@dataclass(frozen=True, slots=True)
class Input:
    """A variable, or something else that has a value of its own.

    trained: whether the gradient is taken by it; kind: variable, placeholder or constant.
    value:   None for a placeholder that was not fed.
    """

    name: str
    kind: str
    value: Array | None
    dtype: str
    shape: tuple[int | None, ...] | None
    trained: bool = False


@dataclass(frozen=True, slots=True)
class Computation:
    """A target with its inputs.

    inputs:    by the name of the tensor (`x/read:0`) that carries the value.
    gradients: by the input's name, where the graph holds them.
    names:     what the program calls some of its tensors.
    values:    of all tensors that have one, by name.
    """

    target: Tensor
    inputs: Mapping[str, Input]
    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Array] = field(default_factory=dict)
    gradients: Mapping[str, Tensor] = field(default_factory=dict)

    @property
    def trained(self) -> list[Input]:
        """The inputs that the gradient is taken by, each once."""
        found = {item.name: item for item in self.inputs.values() if item.trained}
        return list(found.values())


def nodes_before(targets: Iterable[Tensor], inputs: Mapping[str, Input]) -> list[Node]:
    """The nodes that the targets are computed by, in order; inputs are given."""
    return in_order(ancestors(targets, lambda tensor: tensor.name in inputs))


def static_nodes(nodes: Sequence[Node], inputs: Mapping[str, Input]) -> set[Node]:
    """Those whose values depend on no input: constants, shapes, and what is made of them."""
    static: set[Node] = set()
    for node in nodes:
        known = node.op.of_shapes or all(
            tensor.name not in inputs and tensor.node in static for tensor in node.inputs
        )
        if known and not node.op.draws and not node.op.stateful and node.op.name != "Placeholder":
            static.add(node)
    return static


def uses(nodes: Iterable[Node]) -> Iterator[str]:
    """The name of each tensor that a node takes, once for each time."""
    for node in nodes:
        yield from (tensor.name for tensor in node.inputs)


def not_writable(node: Node, language: str, why: str = "", why_zh: str = "") -> ProgramError:
    """An op that a language has no words for."""
    return ProgramError(
        f"{node.op.name} cannot be written in {language}{': ' + why if why else ''}.",
        message_zh=f"{node.op.name} 无法用 {language} 表示{'：' + why_zh if why_zh else ''}。",
        hint="Another form may have it; TensorFlow 1 has most.",
        hint_zh="可以换一种形式；TensorFlow 1 支持得最多。",
        code="not_writable",
        node=node.name,
        where=node.span,
    )


def no_number(text: str, language: str) -> ProgramError:
    """An infinity or a NaN, which a language has no digits for."""
    return ProgramError(
        f"A value is {text}, which cannot be written in {language}.",
        message_zh=f"有一个值是 {text}，无法用 {language} 表示。",
        hint="Another form may have it; the Python frameworks do.",
        hint_zh="可以换一种形式；各 Python 框架都支持。",
        code="not_writable",
    )


def no_value(item: Input, title: str) -> ProgramError:
    """A placeholder that was not fed, in a language that cannot leave it open."""
    return ProgramError(
        f"The placeholder {item.name} has no value, which {title} needs.",
        message_zh=f"占位符 {item.name} 没有值，而 {title} 需要它。",
        hint="Feed it, in the program or with the request.",
        hint_zh="请在程序中或随请求喂给它一个值。",
        code="not_writable",
    )
