"""Records what TensorFlow 1.15.5 adds to the graphs of `tests/data/tensorflow` for their gradients.

Run with a Python that has it, as `python tests/engine/programs/imported/record.py`, into
`tests/data/imported/gradients.json`.
"""

import json
from pathlib import Path
from typing import Any

import tensorflow as tf
from google.protobuf import text_format

GRAPHS = Path(__file__).parents[3] / "data" / "tensorflow"
NO_Y = ("Const", "VariableV2", "Assign", "Identity", "Placeholder", "Fill")
FLOATS = (tf.float32, tf.float64)


def recorded(path: Path) -> Any:
    """What TensorFlow adds to one graph, None where there is nothing to differentiate."""
    message = tf.compat.v1.GraphDef()
    text_format.Parse(path.read_text(), message)
    with tf.Graph().as_default() as graph:
        tf.import_graph_def(message, name="")
        before = graph.get_operations()
        y, xs = asked(before)
        if y is None or not xs:
            return None
        found = tf.gradients([y], xs)
        new = [node(op) for op in graph.get_operations()[len(before) :]]
    return {"y": y.name, "xs": [x.name for x in xs], "nodes": new, "gradients": list(map(named, found))}


def asked(operations: Any) -> Any:
    """The last float before the first gradient, and the outermost variables, else the placeholders."""
    first = next((i for i, op in enumerate(operations) if op.name.startswith("gradients")), len(operations))
    ys = [
        op.outputs[0]
        for op in operations[:first]
        if op.outputs and op.outputs[0].dtype in FLOATS and is_y(op)
    ]
    variables = [op.outputs[0] for op in operations if op.type == "VariableV2" and "/" not in op.name]
    variables = [x for x in variables if x.dtype.base_dtype in FLOATS]
    fed = [op.outputs[0] for op in operations if op.type == "Placeholder" and op.outputs[0].dtype in FLOATS]
    return (ys[-1] if ys else None), variables or fed


def is_y(op: Any) -> bool:
    return op.type not in NO_Y and not any(part in op.type for part in ("Apply", "Assign", "Scatter"))


def node(op: Any) -> list[Any]:
    inputs = [x.op.name if x.value_index == 0 else x.name for x in op.inputs]
    return [op.name, op.type, inputs, sorted(other.name for other in op.control_inputs)]


def named(gradient: Any) -> Any:
    if gradient is None:
        return None
    if isinstance(gradient, tf.Tensor):
        return gradient.name
    return {"values": gradient.values.name, "indices": gradient.indices.name}


if __name__ == "__main__":
    found = {path.stem: recorded(path) for path in sorted(GRAPHS.glob("*.pbtxt"))}
    lines = [
        f"{json.dumps(name)}: {json.dumps(one, separators=(',', ':'))}" for name, one in found.items() if one
    ]
    print("{\n" + ",\n".join(lines) + "\n}")
