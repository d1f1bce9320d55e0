"""The order of TensorFlow's arguments where it differs from that of the function behind the name.

TensorFlow 2 put many functions' arguments in another order than TensorFlow 1: `tf.nn.dropout(x, 0.2)` drops
a fifth there, and keeps a fifth in TensorFlow 1. Each line below has one function's arguments in the order of
the real library; `input=value` is an argument that TensorFlow calls `input` and our function `value`. An
argument that our function does not have is refused unless it says what holds anyway; one with a `~` before it
is not read by the real library either.

Source: the signatures of TensorFlow 1.15.5 and 2.21.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from inspect import Parameter
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.values import concrete

IN_BOTH = {
    "linalg.adjoint": "matrix=x name",
    "linalg.diag_part": "input=x name k padding_value",
    "linalg.matmul": "a b transpose_a transpose_b adjoint_a adjoint_b a_is_sparse b_is_sparse name",
    **dict.fromkeys(
        ("linalg.l2_normalize", "math.l2_normalize", "nn.l2_normalize"), "x axis epsilon name dim"
    ),
    "linalg.matvec": "a b transpose_a adjoint_a a_is_sparse b_is_sparse name",
    "linalg.set_diag": "input=x diagonal name k",
    "matmul": "a b transpose_a transpose_b adjoint_a adjoint_b a_is_sparse b_is_sparse name",
    "nn.max_pool2d": "input=value ksize strides padding data_format name",
}
TENSORFLOW_1 = IN_BOTH | {
    "arg_max": "input dimension=axis output_type name",
    "arg_min": "input dimension=axis output_type name",
    "argmax": "input axis name dimension output_type",
    "argmin": "input axis name dimension output_type",
    "convert_to_tensor": "value dtype name preferred_dtype dtype_hint",
    "count_nonzero": "input_tensor axis keepdims dtype name reduction_indices keep_dims input",
    "gather": "params indices ~validate_indices name axis batch_dims",
    "gather_nd": "params indices name batch_dims",
    "get_variable": "name shape dtype initializer regularizer trainable collections caching_device "
    "partitioner validate_shape use_resource custom_getter constraint synchronization aggregation",
    "linalg.diag": "diagonal name ~k ~num_rows ~num_cols ~padding_value",
    "linalg.diag_part": "input=x name ~k ~padding_value",
    "linalg.norm": "tensor ord axis keepdims name keep_dims",
    "linalg.set_diag": "input=x diagonal name ~k",
    "linalg.transpose": "a=x name conjugate",
    "math.argmax": "input axis name dimension output_type",
    "math.argmin": "input axis name dimension output_type",
    "math.count_nonzero": "input_tensor axis keepdims dtype name reduction_indices keep_dims input",
    "math.log_softmax": "logits axis name dim",
    "math.softmax": "logits axis name dim",
    "matrix_diag": "diagonal name ~k ~num_rows ~num_cols ~padding_value",
    "matrix_diag_part": "input=x name ~k ~padding_value",
    "matrix_set_diag": "input=x diagonal name ~k",
    "matrix_transpose": "a=x name conjugate",
    "nn.embedding_lookup": "params ids partition_strategy name ~validate_indices max_norm",
    "nn.log_softmax": "logits axis name dim",
    "nn.softmax": "logits axis name dim",
    "norm": "tensor ord axis keepdims name keep_dims",
    "nn.moments": "x axes shift name keep_dims keepdims",
    "nn.softmax_cross_entropy_with_logits_v2": "labels logits axis name dim",
    "variable_scope": "name_or_scope default_name values initializer regularizer caching_device partitioner "
    "custom_getter reuse dtype use_resource constraint auxiliary_name_scope",
}
TENSORFLOW_2 = IN_BOTH | {
    "argmax": "input axis output_type name",
    "argmin": "input axis output_type name",
    "boolean_mask": "tensor mask axis name",
    "constant_initializer": "value support_partition",
    "convert_to_tensor": "value dtype dtype_hint name",
    "debugging.assert_none_equal": "x y summarize message name",
    "device": "device_name=device_name_or_function",
    "gather": "params indices validate_indices axis batch_dims name",
    "gather_nd": "params indices batch_dims name bad_indices_policy",
    "initializers.glorot_normal": "seed input_axes output_axes",
    "initializers.glorot_uniform": "seed input_axes output_axes",
    "initializers.variance_scaling": "scale mode distribution seed input_axes output_axes",
    "linalg.diag": "diagonal name k num_rows num_cols padding_value align",
    "linalg.diag_part": "input=x name k padding_value align",
    "linalg.matmul": "a b transpose_a transpose_b adjoint_a adjoint_b a_is_sparse b_is_sparse output_type "
    "grad_a grad_b name",
    "linalg.set_diag": "input=x diagonal name k align",
    "math.argmax": "input axis output_type name",
    "math.argmin": "input axis output_type name",
    "math.bincount": "arr weights minlength maxlength dtype name axis binary_output",
    "math.count_nonzero": "input=input_tensor axis keepdims dtype name",
    "math.in_top_k": "targets predictions k name",
    "math.top_k": "input k sorted index_type name",
    "matmul": "a b transpose_a transpose_b adjoint_a adjoint_b a_is_sparse b_is_sparse output_type grad_a "
    "grad_b name",
    "nn.avg_pool": "input=value ksize strides padding data_format name",
    "nn.avg_pool2d": "input=value ksize strides padding data_format name",
    "nn.conv2d": "input filters=filter strides padding data_format dilations name",
    "nn.crelu": "features axis name",
    "nn.dropout": "x rate noise_shape seed name",
    "nn.embedding_lookup": "params ids max_norm name",
    "nn.in_top_k": "targets predictions k name",
    "nn.max_pool": "input=value ksize strides padding data_format name",
    "nn.moments": "x axes shift keepdims name",
    "nn.top_k": "input k sorted index_type name",
    "ones": "shape dtype name layout",
    "ones_like": "input=tensor dtype name layout",
    "pad": "tensor paddings mode constant_values name",
    "scatter_nd": "indices updates shape bad_indices_policy name",
    "shape": "input out_type name",
    "nn.depthwise_conv2d": "input filter strides padding data_format dilations name",
    "nn.separable_conv2d": "input depthwise_filter pointwise_filter strides padding data_format dilations "
    "name",
    "size": "input out_type name",
    "strings.length": "input unit name",
    "strings.substr": "input pos len unit name",
    "strings.to_number": "input=string_tensor out_type name",
    "tensor_scatter_nd_add": "tensor indices updates bad_indices_policy name",
    "tensor_scatter_nd_sub": "tensor indices updates bad_indices_policy name",
    "transpose": "a perm conjugate name",
    "tuple": "tensors control_inputs name",
    "zeros": "shape dtype name layout",
    "zeros_like": "input=tensor dtype name layout",
}
AS_IT_IS = (None, False, 0, "", "mod", "int32", "RIGHT_LEFT")  # what an argument may say that nothing reads
READ = ("axis", "output_type")  # what always says something
TRANSPOSING = {"adjoint_a": "transpose_a", "adjoint_b": "transpose_b"}  # the same of real numbers


def put_in_order(members: dict[str, Any], orders: Mapping[str, str]) -> None:
    """Give these functions of a library the real library's order of arguments."""
    for name, order in orders.items():
        members[name] = in_order(members[name], order)


def in_order(native: Native, order: str) -> Native:
    """The same function, its arguments in another order."""
    native = getattr(native.function, "as_defined", native)
    unread = frozenset(word.removeprefix("~") for word in order.split() if word.startswith("~"))
    words = MappingProxyType(
        {word.partition("=")[0]: word.partition("=")[2] or word for word in order.replace("~", "").split()}
    )
    own = inspect.signature(native.function).parameters

    def call(interpreter: Any, *args: Any, **keywords: Any) -> Any:
        given = dict(zip(words, args, strict=False)) | keywords
        given = {word: value for word, value in given.items() if word not in unread}
        for word in [word for word in given if word in words and words[word] not in own]:
            _take(native.name, word, given)
        renamed = {words.get(word, word): value for word, value in given.items()}
        if native.takes_interpreter:
            return native.function(interpreter, **renamed)
        return native.function(**renamed)

    first = Parameter("interpreter", Parameter.POSITIONAL_OR_KEYWORD)
    listed = [_parameter(word, own.get(name)) for word, name in words.items()]
    listed_names = {"interpreter", *words, *words.values()}
    others = [
        parameter.replace(kind=Parameter.KEYWORD_ONLY)
        for name, parameter in own.items()
        if name not in listed_names and parameter.kind is not Parameter.VAR_KEYWORD
    ]
    call.__signature__ = _signature([first, *listed, *others])  # type: ignore[attr-defined]
    call.__doc__ = native.function.__doc__
    call.as_defined = native  # type: ignore[attr-defined]
    renamed = {word: native.arguments[name] for word, name in words.items() if name in native.arguments}
    return Native(native.name, call, borrowed=native.borrowed, arguments={**native.arguments, **renamed})


def _signature(parameters: list[Parameter]) -> inspect.Signature:
    """A signature in which none without a default follows one that has it."""
    optional = False
    made = []
    for parameter in parameters:
        optional = optional or parameter.default is not Parameter.empty
        by_position = parameter.kind is Parameter.POSITIONAL_OR_KEYWORD
        needs = optional and by_position and parameter.default is Parameter.empty
        made.append(parameter.replace(default=None) if needs else parameter)
    return inspect.Signature(made)


def _parameter(word: str, own: Parameter | None) -> Parameter:
    default = None if own is None else own.default
    return Parameter(word, Parameter.POSITIONAL_OR_KEYWORD, default=default)


def _take(function: str, word: str, given: dict[str, Any]) -> None:
    """Remove an argument that our function does not have. Raises: ProgramError where it changes something."""
    value = given.pop(word)
    if word in TRANSPOSING and not given.get(TRANSPOSING[word]):
        given[TRANSPOSING[word]] = bool(value)
        return
    known = concrete(value)
    plain = getattr(value, "name", value) if known is None else known.item() if known.size == 1 else value
    said = (None,) if word in READ else AS_IT_IS
    if not any(plain is one or plain == one for one in said):
        raise ProgramError(
            f"The argument `{word}` of {function}() is not supported.",
            hint=f"Leave it out: it is {quoted(value)} here.",
            message_zh=f"不支持 {function}() 的参数 `{word}`。",
            hint_zh="请去掉这个参数。",
            code="unknown_argument",
        )
