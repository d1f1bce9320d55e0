"""What AutoGraph and `tf.function` refuse, in TensorFlow's own words."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.values import type_name
from engine.ops.base.tensors import Shape

RESOLUTIONS = (
    "You can attempt the following resolutions to the problem: If you are running in Graph mode, use Eager "
    "execution mode or decorate this function with @tf.function. If you are using AutoGraph, you can try "
    "decorating this function with @tf.function. If that does not work, then you may be using an unsupported "
    "feature or your source code may not be visible to AutoGraph. See https://github.com/tensorflow/tensorflow/"
    "blob/master/tensorflow/python/autograph/g3doc/reference/limitations.md#access-to-source-code for more "
    "information."
)


def _mistake(
    said: str, message_zh: str, hint: str, hint_zh: str, kind: str, code: str = "not_traceable"
) -> ProgramError:
    return ProgramError(
        said, message_zh=message_zh, hint=hint, hint_zh=hint_zh, code=code, kind=kind, said=said
    )


def not_allowed(what: str, what_zh: str) -> ProgramError:
    """What Python would do with the value of a tensor, which has none while a function is traced."""
    made = _mistake(
        f"{what} is not allowed.",
        f"不允许{what_zh}。",
        "Inside tf.function a tensor has no value yet: use tf.unstack, tf.cond, or a plain `for` or `if`.",
        "在 tf.function 中张量还没有值：请用 tf.unstack、tf.cond，或普通的 for、if 语句。",
        "OperatorNotAllowedInGraphError",
        "tensor_as_bool",
    )
    made.said = f"{what} is not allowed. {RESOLUTIONS}"
    return made


def not_in_branch(name: str, side: str) -> ProgramError:
    """A name that only one side of an `if` gives a value."""
    side_zh = "if" if side == "main" else "else"
    if name == "retval_":
        return _mistake(
            f"the {side} branch must also have a return statement.",
            f"{side_zh} 分支也必须有 return 语句。",
            "A tensor decides on this `if`, so both of its sides must return a value, or neither.",
            "这个 if 由张量决定，所以两个分支要么都返回值，要么都不返回。",
            "ValueError",
        )
    return _mistake(
        f"'{name}' must also be initialized in the {side} branch",
        f"在 {side_zh} 分支中也必须给 {name} 赋值。",
        f"A tensor decides on this `if`: give {name} a value on both sides, or before it.",
        f"这个 if 由张量决定：请在两个分支中都给 {name} 赋值，或在 if 之前赋值。",
        "ValueError",
    )


def none_in_branch(name: str, side: str) -> ProgramError:
    """A name that one side makes None."""
    side_zh = "if" if side == "main" else "else"
    return _mistake(
        f"'{name}' is None at the end of the {side} branch.",
        f"在 {side_zh} 分支结束时 {name} 是 None。",
        "A tensor decides on this `if`, so both sides must give a tensor.",
        "这个 if 由张量决定，所以两个分支都必须给出张量。",
        "ValueError",
    )


def other_dtype_in_branch(name: str, main: str, other: str) -> ProgramError:
    """Two sides with two types of elements."""
    about = f"'{name}'" if name else "The result"
    return _mistake(
        f"{about} has dtype {main} in the main branch, but dtype {other} in the else branch",
        f"{name or '结果'} 在 if 分支中的类型是 {main}，在 else 分支中是 {other}。",
        "Write tf.cast(…) on one side, or a decimal point.",
        "请在一个分支中使用 tf.cast(…)，或写上小数点。",
        "TypeError",
    )


def other_structure(name: str, main: Any, other: Any) -> ProgramError:
    """Two sides with values of other kinds."""
    about = f"'{name}'" if name else "The result"
    return _mistake(
        f"{about} must have the same nested structure in the main and else branches:"
        f" {type_name(main)} and {type_name(other)} do not.",
        f"{name or '结果'} 在两个分支中必须有相同的结构：这里是 {type_name(main)} 和 {type_name(other)}。",
        "A tensor decides on this `if`: both sides must give tensors in the same lists.",
        "这个 if 由张量决定：两个分支必须给出结构相同的张量。",
        "TypeError",
    )


def other_structure_in_loop(name: str, before: Any, after: Any) -> ProgramError:
    """A turn that makes another kind of value."""
    return _mistake(
        f"'{name}' does not have the same nested structure after one iteration:"
        f" {type_name(before)} before the loop, {type_name(after)} after it.",
        f"{name} 在一轮循环之后结构不同：循环前是 {type_name(before)}，之后是 {type_name(after)}。",
        "A tensor decides on this loop: what it changes stays a tensor of one type and shape. "
        "Collect values with tf.TensorArray.",
        "这个循环由张量决定：它改变的量必须保持类型和形状。请用 tf.TensorArray 收集数值。",
        "ValueError",
    )


def other_dtype_in_loop(name: str, before: str, after: str) -> ProgramError:
    """A turn that makes another type of elements."""
    return _mistake(
        f"'{name}' has dtype {before} before the loop, but dtype {after} after one iteration",
        f"{name} 在循环前的类型是 {before}，一轮之后变成 {after}。",
        f"Begin with a value of {after}, such as 0.0 in place of 0.",
        f"请从 {after} 类型的值开始，例如用 0.0 代替 0。",
        "TypeError",
    )


def other_shape_in_loop(name: str, before: Shape, after: Shape) -> ProgramError:
    """A turn that makes another shape."""
    return _mistake(
        f"'{name}' has shape {_shape(before)} before the loop, but shape {_shape(after)} after one "
        "iteration. Use tf.autograph.experimental.set_loop_options to set shape invariants.",
        f"{name} 在循环前的形状是 {_shape(before)}，一轮之后变成 {_shape(after)}。",
        "Collect values with tf.TensorArray, or keep the shape.",
        "请用 tf.TensorArray 收集数值，或保持形状不变。",
        "ValueError",
    )


def _shape(shape: Shape) -> str:
    return "<unknown>" if shape is None else to_str(tuple(shape))


def return_in_loop() -> ProgramError:
    """`return` in a loop that a tensor decides on."""
    return _mistake(
        "a return statement cannot be placed inside this TensorFlow loop; this may happen if a return "
        "statement depends on a static Python condition such as a hyperparameter",
        "由张量决定的循环中不能使用 return 语句。",
        "Set a variable, write `break`, and return it after the loop.",
        "请先给变量赋值并 break，在循环之后再 return。",
        "NotImplementedError",
    )


def became_tensor() -> ProgramError:
    """A loop whose test is a tensor from its second turn on."""
    return _mistake(
        "The condition of while loop started as non-Tensor, then changed to Tensor. This may happen "
        "either because variables changed type, or when a break or return statement inside the loop "
        "depends on a Tensor condition. In both cases, changing to a TF loop should remove the error.\n"
        "See https://github.com/tensorflow/tensorflow/blob/master/tensorflow/python/autograph/g3doc/reference/"
        "limitations.md#consistency-of-control-flow-types for more info.",
        "循环条件开始时不是张量，后来变成了张量。",
        "Begin with a tensor: `while tf.constant(True):`.",
        "请从张量开始：`while tf.constant(True):`。",
        "NotImplementedError",
    )


def new_variable() -> ProgramError:
    """`tf.Variable` in a function that was traced before."""
    return _mistake(
        "tf.function only supports singleton tf.Variables created on the first call. Make sure the "
        "tf.Variable is only created once or created outside tf.function. See "
        "https://www.tensorflow.org/guide/function#creating_tfvariables for more information.",
        "tf.function 中的变量只能在第一次调用时创建一次。",
        "Make the variable before the function, or keep it: `if self.v is None: self.v = tf.Variable(…)`.",
        "请在函数之外创建变量，或只创建一次：`if self.v is None: self.v = tf.Variable(…)`。",
        "ValueError",
        "variable_in_function",
    )


def not_liftable() -> ProgramError:
    """A variable whose first value depends on an argument of the function."""
    return _mistake(
        "Unable to lift tensor out of the function: the initial value of a tf.Variable that is created "
        "inside tf.function may not depend on the function's arguments.",
        "在 tf.function 中创建的变量，其初始值不能依赖函数的参数。",
        "Create the variable before the function.",
        "请在函数之外创建变量。",
        "ValueError",
        "variable_in_function",
    )


def not_before_loop(name: str) -> ProgramError:
    """A name that a loop over a data set gives its first value."""
    return _mistake(
        f"'{name}' must be defined before the loop.",
        f"必须在循环之前给 {name} 赋值。",
        f"Give {name} a value before the loop.",
        f"请在循环之前给 {name} 赋值。",
        "ValueError",
    )


def out_of_scope(name: str, kind: str = "TypeError") -> ProgramError:
    """A tensor of a function used where it has no value."""
    return _mistake(
        f"{name} is out of scope and cannot be used here. Use return values, explicit Python locals or "
        "TensorFlow collections to access it.\nPlease see https://www.tensorflow.org/guide/function"
        "#all_outputs_of_a_tffunction_must_be_return_values for more information.",
        "这个张量属于 tf.function 的内部，在这里不能使用。",
        "A list that a traced function appends to keeps tensors without a value: return them instead.",
        "被跟踪的函数或循环放进列表的张量没有值：请改用返回值。",
        kind,
        "out_of_scope",
    )


def no_numpy() -> ProgramError:
    """`.numpy()` of a variable while a function is traced."""
    return _mistake(
        "numpy() is only available when eager execution is enabled.",
        "只有在即时执行时才能使用 numpy()。",
        "Inside tf.function use the variable itself; call .numpy() outside.",
        "在 tf.function 中请直接使用变量；在函数之外再调用 .numpy()。",
        "NotImplementedError",
    )


def no_attribute(name: str) -> ProgramError:
    """`.numpy()` of a tensor while a function is traced."""
    return _mistake(
        f"'SymbolicTensor' object has no attribute '{name}'",
        f"tf.function 中的张量还没有值，没有 {name}。",
        f"Inside tf.function a tensor has no value yet. Return it, and take .{name} of what the call gives.",
        f"请把张量返回，再对调用结果使用 .{name}。",
        "AttributeError",
        "unknown_attribute",
    )


def does_not_bind(why: str) -> ProgramError:
    """Arguments that a function does not take."""
    return _mistake(
        f"Binding inputs to tf.function failed due to `{why}`.",
        f"传给 tf.function 的参数不合适：{why}。",
        "Give what its input_signature names.",
        "请按照 input_signature 传入参数。",
        "TypeError",
        "wrong_arguments",
    )


def not_returnable(value: Any) -> ProgramError:
    """A result that is no tensor."""
    return _mistake(
        "To be compatible with tf.function, Python functions must return zero or more Tensors or "
        f"ExtensionTypes or None values; found return value of type {type_name(value)}, which is not a "
        "Tensor or ExtensionType.",
        f"tf.function 只能返回张量或 None，不能返回 {type_name(value)}。",
        "Return tensors, in lists, tuples and dicts.",
        "请返回张量，可以放在列表、元组和字典里。",
        "TypeError",
        "type_mismatch",
    )


def no_turn(name: str) -> ProgramError:
    """A loop that has to give a value, and does not run once."""
    return _mistake(
        f"assertion failed: [loop must iterate at least once to initialize {name}]",
        f"循环一次也没有执行，因此 {name} 没有值。",
        f"Give {name} a value before the loop.",
        f"请在循环之前给 {name} 赋值。",
        "InvalidArgumentError",
        "loop_without_turn",
    )
