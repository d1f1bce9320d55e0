"""`gradlens run --graph`: a program's graph as trees, each node above what it is computed from.

First the target's, forward; then one for each gradient, whose leaves are nodes of the first. What stands in
a tree already is named again where it is used again, and not repeated below that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text
from rich.tree import Tree

MOST_NODES = 300  # drawn in all; a screen's scroll
MOST_DEPTH = 30  # nodes below each other; each indents by four columns
FEW = 8  # numbers of an array that are written out
NOTHING = "There is no value to draw a tree of; end the program with the name of one, such as y."
FORWARD, GRADIENT, PLAIN = "cyan", "magenta", "dim"

Node = Mapping[str, Any]


def print_graph(console: Console, nodes: Sequence[Node], answer: Mapping[str, Any]) -> None:
    """Draw the graph of an answer of `POST /programs`. nodes: those of `GET /programs/{id}/graph`."""
    drawing = GraphTrees(nodes, names_in(answer))
    if answer["target"] is None:
        console.print(NOTHING, style=PLAIN)
        return
    console.print("Forward: each value above what it is computed from", style="bold")
    console.print(drawing.tree(answer["target"], FORWARD), no_wrap=True, overflow="ellipsis")
    for row in answer["gradients"]:
        if row["tensor"] is not None:
            console.print(f"\nGradient: {title_of(row, drawing.names)}", style="bold")
            console.print(drawing.tree(row["tensor"], GRADIENT), no_wrap=True, overflow="ellipsis")
    if drawing.left_out:
        console.print("\n… marks what is left out; gradlens export --format dot has all of it.", style=PLAIN)


def title_of(row: Mapping[str, Any], names: Mapping[str, str]) -> str:
    """`d y / d x`, by the program's own names."""
    return f"d {names.get(row['y'], row['y'])} / d {row['name']}"


def names_in(answer: Mapping[str, Any]) -> dict[str, str]:
    """What the program calls its tensors; of variables and gradients too."""
    found = {item["tensor"]: item["name"] for item in answer["bindings"] if item.get("tensor")}
    for row in answer["gradients"]:
        found.setdefault(row["x"], row["name"])
    for row in answer["gradients"]:
        if row["tensor"] is not None:
            found[row["tensor"]] = title_of(row, found)
    return found


class GraphTrees:
    """Trees of one graph; what one of them shows the next ones do not show again.

    names: what the program calls some of the tensors.
    """

    def __init__(self, nodes: Sequence[Node], names: Mapping[str, str]) -> None:
        self.nodes = {node["name"]: node for node in nodes}
        self.names = names
        self.drawn: set[str] = set()
        self.left_out = False

    def tree(self, tensor: str, colour: str) -> Tree:
        """The node of a tensor (`Sin_grad/mul:0`), and below it what it is computed from."""
        first = self.label(tensor, colour)
        root = Tree(first, guide_style=PLAIN)
        waiting: list[tuple[Tree, Text, str, int]] = [(root, first, tensor, 0)]
        while waiting:
            branch, label, name, depth = waiting.pop()
            node = self.nodes.get(node_of(name))
            if node is None:
                continue
            if node["name"] not in self.drawn:
                self.drawn.add(node["name"])
                below = list(self._below(branch, node, depth))
                waiting += [(*further, depth + 1) for further in reversed(below)]
            elif node["inputs"]:
                label.append("  (above)", style=PLAIN)
        return root

    def _below(self, branch: Tree, node: Node, depth: int) -> Iterator[tuple[Tree, Text, str]]:
        """A branch for each input of a node, with its label and its tensor."""
        if node["inputs"] and (depth >= MOST_DEPTH or len(self.drawn) >= MOST_NODES):
            self.left_out = True
            branch.add(Text("…", style=PLAIN))
            return
        for source in node["inputs"]:
            label = self.label(source, self._colour_of(source))
            yield branch.add(label), label, source

    def _colour_of(self, tensor: str) -> str:
        node = self.nodes.get(node_of(tensor))
        return FORWARD if node is None or node["phase"] == "forward" else GRADIENT

    def label(self, tensor: str, colour: str) -> Text:
        """`y = 1.152  Exp`; a node without a name of the program's has TensorFlow's."""
        node = self.nodes.get(node_of(tensor))
        whole = tensor if ":" in tensor else f"{tensor}:0"
        name = self.names.get(whole)
        text = Text(name or tensor.removesuffix(":0"), style=colour)
        if node is None:
            return text
        text.append(f" = {short(value_of(node, whole))}", style="default")
        facts = node["op"] if name is None or node["name"] == node["op"] else f"{node['op']} {node['name']}"
        return text.append(f"  {facts}", style=PLAIN)


def node_of(tensor: str) -> str:
    """The node of a tensor, `Split` of `Split:1`."""
    return tensor.partition(":")[0]


def value_of(node: Node, tensor: str) -> Any:
    """The value of one of a node's outputs; None where there is none."""
    place = int(tensor.partition(":")[2] or 0)
    if place == 0:
        return node.get("value")
    outputs = node.get("outputs", [])
    return outputs[place].get("value") if place < len(outputs) else None


def short(value: Any) -> str:
    """A number with six digits; few numbers in brackets; of more their type and shape."""
    if value is None:
        return "no value"
    if not isinstance(value, Mapping):
        return str(value)
    shape, data = value.get("shape", []), value.get("data")
    count = 1
    for length in shape:
        count *= length
    if data is None or count > FEW:
        return f"{value.get('dtype', 'tensor')} of shape {list(shape)}"
    return digits(data)


def digits(data: Any) -> str:
    """Numbers within lists, short."""
    if isinstance(data, list):
        return f"[{', '.join(map(digits, data))}]"
    return f"{data:.6g}" if isinstance(data, float) else str(data)
