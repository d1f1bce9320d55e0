"""TensorFlow 1 and 2: the ops under their own names."""

from __future__ import annotations

from collections.abc import Mapping

from engine.graph import Node
from engine.interchange.code.language import Rule
from engine.interchange.code.pieces import Piece
from engine.interchange.code.python import (
    CALLS,
    SLICES,
    PythonLanguage,
    listed,
    numbers_text,
)
from engine.ops.base.tensors import Array


def product(language: PythonLanguage, node: Node, a: Piece, b: Piece) -> Piece:
    """`tf.matmul`, with its flags."""
    names = ("transpose_a", "transpose_b") if node.op.name == "MatMul" else ("adj_x", "adj_y")
    options = {
        option: True
        for option, flag in zip(("transpose_a", "transpose_b"), names, strict=True)
        if node.attrs[flag]
    }
    return language.function("matmul", a, b, **options)


def squeezed(language: PythonLanguage, node: Node, x: Piece) -> Piece:
    axes = node.attrs.get("squeeze_dims") or ()
    return language.function("squeeze", x, **({"axis": list(axes)} if axes else {}))


def cast(language: PythonLanguage, node: Node, x: Piece) -> Piece:
    return language.function("cast", x, language.piece(language.dtype(node.outputs[0].dtype)))


def filled(language: PythonLanguage, node: Node, dims: Piece, value: Piece) -> Piece:
    """`tf.fill`; the value keeps its type."""
    shape = language.piece(numbers_text(language.static(node, 0)))
    return language.function("fill", shape, language.typed(value, node.inputs[1].dtype))


def added(language: PythonLanguage, node: Node, *pieces: Piece) -> Piece:
    return language.function("add_n", listed(language, node, pieces))


def leaky_relu(language: PythonLanguage, node: Node, x: Piece) -> Piece:
    return language.function("nn.leaky_relu", x, alpha=node.attrs["alpha"])


def cross_entropy(language: PythonLanguage, node: Node, logits: Piece, labels: Piece) -> list[Piece]:
    """The loss of each row; the second output is its gradient, which is never taken by name."""
    kind = "sparse_softmax" if node.op.name.startswith("Sparse") else "softmax"
    return [language.function(f"nn.{kind}_cross_entropy_with_logits", labels=labels.text, logits=logits.text)]


def padded(language: PythonLanguage, node: Node, x: Piece, _: Piece, value: Piece | None = None) -> Piece:
    rows = language.piece(str([[int(n) for n in row] for row in language.static(node, 1)]))
    return language.function("pad", x, rows, **({"constant_values": value.text} if value else {}))


def one_hot(
    language: PythonLanguage, node: Node, indices: Piece, depth: Piece, on: Piece, off: Piece
) -> Piece:
    options = {"on_value": on.text, "off_value": off.text, "axis": node.attrs["axis"]}
    dtype = language.dtype(node.outputs[0].dtype)
    return language.function("one_hot", indices, depth, **options, dtype=dtype)


def floored(name: str) -> Rule:
    """A division of whole numbers by name; of two plain numbers the first gets its type."""

    def rule(language: PythonLanguage, node: Node, a: Piece, b: Piece) -> Piece:
        first = language.typed(a, node.inputs[0].dtype) if b.plain else a
        return language.function(name, first, b)

    return rule


RULES: Mapping[str, Rule] = {
    **SLICES,
    "AddN": added,
    "BatchMatMulV2": product,
    "Cast": cast,
    "Fill": filled,
    "FloorDiv": floored("math.floordiv"),
    "FloorMod": floored("math.floormod"),
    "LeakyRelu": leaky_relu,
    "MatMul": product,
    "OneHot": one_hot,
    "Pad": padded,
    "PadV2": padded,
    "SoftmaxCrossEntropyWithLogits": cross_entropy,
    "SparseSoftmaxCrossEntropyWithLogits": cross_entropy,
    "Squeeze": squeezed,
}


class TensorFlow(PythonLanguage):
    """What both versions share."""

    module = "tf"
    array = "tf.constant"
    frameworks = ("tf",)
    rules = RULES
    calls = CALLS

    def full(self, value: Array, dtype: str) -> Piece:
        filler = f"tf.constant({self.digits(value.reshape(-1)[0]) if value.size else '0'}, dtype={dtype})"
        return self.piece(f"tf.fill({list(value.shape)}, {filler})")

    def variable_line(self, tensor: str, named: bool) -> str:
        """`x = tf.Variable(3.0, dtype=tf.float64, name="x")`."""
        item = self.computation.inputs[tensor]
        name = self.input_names[item.name]
        maker = "tf.Variable" if item.kind == "variable" else "tf.constant"
        known = f', name="{name}"' if named and name.isascii() else ""
        return f"{name} = {maker}({self.input_text(item)}, dtype={self.dtype(item.dtype)}{known})"


class TensorFlow1(TensorFlow):
    """A graph, its gradients, and a session that runs both."""

    title = "TensorFlow 1"
    takes_feeds = True

    def program(self) -> str:
        building = self.building()
        fetches = f"[{self._target}, gradients]" if self.computation.trained else self._target
        return building + "\n".join(self._session(fetches))

    def building(self) -> str:
        """The graph alone, without a session."""
        computation = self.computation
        self.write_inputs()
        (self._target,) = self.write([computation.target], {computation.target.name: "y"})
        trained = [self.input_names[item.name] for item in computation.trained]
        lines = [
            "import tensorflow as tf",
            "",
            *self._inputs(),
            "",
            *(f"{name} = {text}" for name, text in self.lines),
        ]
        if trained:
            lines.append(f"gradients = tf.gradients({self._target}, [{', '.join(trained)}])")
        return "\n".join([*lines, ""])

    def _inputs(self) -> list[str]:
        lines: dict[str, str] = {}
        for tensor, item in self.computation.inputs.items():
            name = self.input_names[item.name]
            if item.kind == "placeholder":
                shape = "None" if item.shape is None else list(item.shape)
                lines[name] = f"{name} = tf.placeholder({self.dtype(item.dtype)}, shape={shape})"
            else:
                lines[name] = self.variable_line(tensor, named=item.kind == "variable")
        return list(lines.values())

    def _session(self, fetches: str) -> list[str]:
        if self.unfed():
            return []
        fed = {item.name: item for item in self.computation.inputs.values() if item.kind == "placeholder"}
        feeds = [f"{self.input_names[name]}: {self.input_text(item)}" for name, item in fed.items()]
        feed = f", feed_dict={{{', '.join(feeds)}}}" if feeds else ""
        return [
            "",
            "with tf.Session() as sess:",
            "    sess.run(tf.global_variables_initializer())",
            f"    print(sess.run({fetches}{feed}))",
            "",
        ]


class TensorFlow2(TensorFlow):
    """Variables, a tape, and the gradients that it gives."""

    title = "TensorFlow 2"

    def program(self) -> str:
        computation = self.computation
        self.write_inputs()
        lines = {
            self.input_names[item.name]: self.variable_line(tensor, named=False)
            for tensor, item in computation.inputs.items()
        }
        (y,) = self.write([computation.target], {computation.target.name: "y"})
        watched = [
            f"    tape.watch({self.input_names[item.name]})"
            for item in computation.trained
            if item.kind != "variable"
        ]
        inside = [*watched, *(f"    {name} = {text}" for name, text in self.lines)]
        trained = [self.input_names[item.name] for item in computation.trained]
        if computation.target.name in computation.inputs:  # the target is itself an input
            y, named = self.fresh("y"), y
            inside.append(f"    {y} = tf.identity({named})")
        if not trained:
            body = [*(line.strip() for line in inside), f"print({y})"]
        else:
            body = ["with tf.GradientTape() as tape:", *(inside or ["    pass"])]
            body += [f"gradients = tape.gradient({y}, [{', '.join(trained)}])", f"print({y}, gradients)"]
        return "\n".join(["import tensorflow as tf", "", *lines.values(), "", *body, ""])
