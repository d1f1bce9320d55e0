"""Mistakes while a session runs: TensorFlow 1.15.5's classes and words, as a program catches them."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = """
import tensorflow as tf
import numpy as np
p, q = tf.placeholder(tf.float32, name="p"), tf.placeholder(tf.float32, [None, None], name="q")
i = tf.placeholder(tf.int32, name="i")
v = tf.Variable([1.0, 2.0, 3.0], name="v")
def m(*shape):
    return np.zeros(shape, np.float32)
sess = tf.Session()
sess.run(tf.global_variables_initializer())
try:
    sess.run({asked}, {feeds})
except tf.errors.OpError as e:
    print(type(e).__name__, e.message, e.op.name, e.error_code, sep="|")
"""

MISTAKES = [
    ("p + q", "{p: m(3), q: m(2, 2)}", "Incompatible shapes: [3] vs. [2,2]|add"),
    ("tf.matmul(q, tf.constant(m(3, 2)))", "{q: m(2, 2)}",
     "Matrix size-incompatible: In[0]: [2,2], In[1]: [3,2]|MatMul"),
    ("tf.matmul(p, q)", "{p: m(2, 2), q: m(3, 2)}",
     "In[0] mismatch In[1] shape: 2 vs. 3: [2,2] [3,2] 0 0|MatMul"),
    ("tf.matmul(p, q)", "{p: m(2), q: m(3, 2)}", "In[0] ndims must be >= 2: 1|MatMul"),
    ("tf.reshape(p, [2, 3])", "{p: m(4)}",
     "Input to reshape is a tensor with 4 values, but the requested shape has 6|Reshape"),
    ("tf.reshape(p, [-1, 3])", "{p: m(4)}",
     "Input to reshape is a tensor with 4 values, but the requested shape requires a multiple of 3|Reshape"),
    ("tf.reshape(p, i)", "{p: m(4), i: [-1, -1]}", "Only one input size may be -1, not both 0 and 1|Reshape"),
    ("tf.gather(v, i)", "{i: [5]}", "indices[0] = 5 is not in [0, 3)|GatherV2"),
    ("tf.gather(v, i)", "{i: 3}", "indices = 3 is not in [0, 3)|GatherV2"),
    ("tf.gather_nd(v, i)", "{i: [[5]]}", "indices[0] = [5] does not index into param shape [3]|GatherNd"),
    ("tf.concat([p, q], 0)", "{p: m(2, 3), q: m(2, 2)}",
     "ConcatOp : Dimensions of inputs should match: shape[0] = [2,3] vs. shape[1] = [2,2]|concat"),
    ("tf.concat([p, q], 0)", "{p: m(2), q: m(2, 2)}",
     "ConcatOp : Ranks of all input tensors should match: shape[0] = [2] vs. shape[1] = [2,2]|concat"),
    ("tf.stack([p, p * 1, q])", "{p: m(2), q: m(2, 2)}",
     "Shapes of all inputs must match: values[0].shape = [2] != values[2].shape = [2,2]|stack"),
    ("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=q, name='s')", "{i: [7], q: m(1, 3)}",
     "Received a label value of 7 which is outside the valid range of [0, 3).  Label values: 7|s/s"),
    ("tf.nn.sparse_softmax_cross_entropy_with_logits(labels=i, logits=q, name='s')",
     "{i: [1, 2], q: m(1, 3)}",
     "logits and labels must have the same first dimension, got logits shape [1,3] and labels shape [2]|s/s"),
    ("tf.nn.softmax_cross_entropy_with_logits(labels=p, logits=q)", "{p: m(2, 2), q: m(1, 3)}",
     "logits and labels must be broadcastable: logits_size=[1,3] labels_size=[2,2]"
     "|softmax_cross_entropy_with_logits_sg"),
    ("tf.nn.bias_add(q, v)", "{q: m(2, 2)}",
     "Must provide as many biases as the last dimension of the input tensor: [3] vs. [2,2]|BiasAdd"),
    ("i // tf.constant(0)", "{i: [1]}", "Integer division by zero|floordiv"),
    ("tf.slice(v, [i], [2])", "{i: 2}", "Expected size[0] in [0, 1], but got 2|Slice"),
    ("v[i]", "{i: 5}", "slice index 5 of dimension 0 out of bounds.|strided_slice"),
    ("tf.split(p, 2)", "{p: m(3)}",
     "Number of ways to split should evenly divide the split dimension, but got split_dim 0 (size = 3) and "
     "num_split 2|split"),
    ("tf.tile(p, i)", "{p: m(3), i: [1, 2]}",
     "Expected multiples argument to be a vector of length 1 but got length 2|Tile"),
    ("tf.transpose(p, i)", "{p: m(3), i: [1, 0]}",
     "transpose expects a vector of size 1. But input(1) is a vector of size 2|transpose"),
    ("tf.where(p > 0, p, q)", "{p: m(3), q: m(2, 2)}",
     "Inputs to operation Select of type Select must have the same size and shape.  Input 0: [3] != input 2: "
     "[2,2]|Select"),
    ("tf.matrix_inverse(q)", "{q: m(2, 2)}", "Input is not invertible.|MatrixInverse"),
    ("tf.matrix_inverse(q)", "{q: m(2, 3)}", "Input matrix must be square.|MatrixInverse"),
    ("tf.assign(v, p)", "{p: m(2)}",
     "Assign requires shapes of both tensors to match. lhs shape= [3] rhs shape= [2]|Assign"),
    ("tf.assign_add(v, p)", "{p: m(2)}", "Parameters and update must be the same size|AssignAdd"),
    ("tf.squeeze(p, 0)", "{p: m(2)}", "Can not squeeze dim[0], expected a dimension of 1, got 2|Squeeze"),
    ("tf.expand_dims(p, i)", "{p: m(2), i: 5}",
     "Tried to expand dim index 5 for tensor with 1 dimensions.|ExpandDims"),
    ("tf.one_hot([1], i)", "{i: -1}", "depth must be non-negative, got: -1|one_hot"),
    ("tf.fill(i, 1.0)", "{i: [-1]}", "Dimension -1 must be >= 0|Fill"),
    ("tf.range(i, 5, 0)", "{i: 2}", "Requires delta != 0: 0|range"),
    ("tf.reduce_sum(p, i)", "{p: m(2), i: 3}",
     "Invalid reduction dimension (3 for input with 1 dimension(s)|Sum"),
    ("tf.argmax(p, i)", "{p: m(2), i: 3}", "Expected dimension in the range [-1, 1), but got 3|ArgMax"),
    ("tf.nn.top_k(p, 5)", "{p: m(2)}", "input must have at least k columns. Had 2, needed 5|TopKV2"),
    ("tf.nn.conv2d(p, tf.constant(m(2, 2, 3, 1)), [1, 1, 1, 1], 'SAME')", "{p: m(1, 4, 4, 1)}",
     "input depth must be evenly divisible by filter depth: 1 vs 3|Conv2D"),
    ("tf.Assert(p > 0, [p, 'why'], name='A')", "{p: -1.0}",
     "assertion failed: [-1] [why]|A/AssertGuard/Assert"),
    ("tf.pad(p, [[1, 1], [0, 0]])", "{p: m(3)}",
     "The first dimension of paddings must be the rank of inputs[2,2] [3]|Pad"),
    ("tf.reverse(p, [3])", "{p: m(3)}", "'axis'[0] = 3 is out of valid range [0, 0|ReverseV2"),
    ("tf.segment_sum(p, i)", "{p: m(3), i: [2, 1, 0]}", "segment ids are not increasing|SegmentSum"),
    ("tf.scatter_update(v, i, p)", "{i: [9], p: m(1)}", "indices[0] = 9 is not in [0, 3)|ScatterUpdate"),
    ("tf.scatter_nd_update(v, [i], p)", "{i: [9], p: m(1)}",
     "indices[0] = [9] does not index into shape [3]|ScatterNdUpdate"),
    ("p", "None", "You must feed a value for placeholder tensor 'p' with dtype float|p"),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "feeds", "said"), MISTAKES, ids=[said for _, _, said in MISTAKES])
def test_a_run_that_fails_is_caught_by_tensorflows_class_with_its_words(
    asked: str, feeds: str, said: str
) -> None:
    source = START.replace("{asked}", asked).replace("{feeds}", feeds)
    assert run_program(ProgramRequest(source, dialect="tf1"))["printed"] == [f"InvalidArgumentError|{said}|3"]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("'nothere:0'", "ValueError Fetch argument 'nothere:0' cannot be interpreted as a Tensor. "
         "(\"The name 'nothere:0' refers to a Tensor which does not exist. The operation, 'nothere', does "
         'not exist in the graph.")'),
        ("None", "TypeError Fetch argument None has invalid type <class 'NoneType'>"),
        ("3", "TypeError Fetch argument 3 has invalid type <class 'int'>, must be a string or Tensor. (Can "
         "not convert a int into a Tensor or Operation.)"),
    ],
)  # fmt: skip
def test_what_cannot_be_fetched_is_no_error_of_a_run(asked: str, said: str) -> None:
    source = (
        f"import tensorflow as tf\ntry:\n    tf.Session().run({asked})\n"
        "except Exception as e:\n    print(type(e).__name__, e)"
    )
    assert run_program(ProgramRequest(source, dialect="tf1"))["printed"] == [said]


def test_a_mistake_that_nobody_catches_is_explained_as_before() -> None:
    source = START.replace("{asked}", "p + q").replace("{feeds}", "{p: m(3), q: m(2, 2)}")
    uncaught = source.replace("tf.errors.OpError", "ZeroDivisionError")
    (error,) = (
        one
        for one in run_program(ProgramRequest(uncaught, dialect="tf1"))["diagnostics"]
        if one["severity"] == "error"
    )
    assert (error["code"], error["message"]) == (
        "shape_mismatch",
        "The shapes (3,) and (2, 2) do not fit together: 3 is not 2.",
    )


RESTORED = """
import tensorflow as tf
v = tf.Variable(1.0, name="v")
saver = tf.train.Saver()
with tf.Session() as sess:
    sess.run(v.initializer)
    saver.save(sess, "./kept")
tf.reset_default_graph()
w = tf.Variable({value}, name={name!r})
with tf.Session() as sess:
    try:
        tf.train.Saver().restore(sess, {path!r})
    except Exception as e:
        print(type(e).__name__, str(e).replace("\\n", "/"))
"""
FAILED = "Restoring from checkpoint failed. This is most likely due to "
ALTERED = (
    "Please ensure that you have not altered the graph expected based on the checkpoint. Original error://"
)


@pytest.mark.parametrize(
    ("value", "name", "path", "said"),
    [
        ("1.0", "w", "./kept",
         f"NotFoundError {FAILED}a Variable name or other graph key that is missing from the checkpoint. "
         f"{ALTERED}Key w not found in checkpoint"),
        ("[1.0]", "v", "./kept",
         f"InvalidArgumentError {FAILED}a mismatch between the current graph and the graph from "
         f"the checkpoint. {ALTERED}Assign requires shapes of both tensors to match. "
         "lhs shape= [1] rhs shape= []"),
        ("1.0", "v", "./other", "ValueError The passed save_path is not a valid checkpoint: ./other"),
    ],
)  # fmt: skip
def test_a_checkpoint_that_does_not_fit_is_caught(value: str, name: str, path: str, said: str) -> None:
    source = RESTORED.format(value=value, name=name, path=path)
    assert run_program(ProgramRequest(source, dialect="tf1"))["printed"] == [said]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ("get_tensor_by_name('x:0')", "KeyError \"The name 'x:0' refers to a Tensor which does not exist. "
         "The operation, 'x', does not exist in the graph.\""),
        ("get_operation_by_name('x')", "KeyError \"The name 'x' refers to an Operation not in the graph.\""),
        ("get_tensor_by_name('c')", "ValueError The name 'c' refers to an Operation, not a Tensor. Tensor "
         'names must be of the form "<op_name>:<output_index>".'),
    ],
)  # fmt: skip
def test_a_name_that_the_graph_does_not_have_is_caught(call: str, said: str) -> None:
    source = (
        f"import tensorflow as tf\nc = tf.constant(1.0, name='c')\ntry:\n    tf.get_default_graph().{call}\n"
        "except Exception as e:\n    print(type(e).__name__, e)"
    )
    assert run_program(ProgramRequest(source, dialect="tf1"))["printed"] == [said]
