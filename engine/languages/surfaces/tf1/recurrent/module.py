"""`tf.nn.rnn_cell`, which is `tf.contrib.rnn` as well, `tf.nn.static_rnn` and `tf.nn.dynamic_rnn`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine import ops
from engine.errors import ProgramError
from engine.graph.variables.variable_scopes import variable_scope
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.dispatch import CALLABLES
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import COUNT
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.structures import flat
from engine.languages.surfaces.tf1.functions.layers import function_of
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import taken
from engine.languages.surfaces.tf1.recurrent import looping
from engine.languages.surfaces.tf1.recurrent.cells import (
    LSTM_STATE,
    BasicLSTMCell,
    BasicRNNCell,
    Cell,
    GRUCell,
    LSTMCell,
    MultiRNNCell,
)
from engine.languages.surfaces.tf1.recurrent.dropping import DropoutWrapper, shares
from engine.languages.surfaces.tf1.scopes import as_initializer
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import convert_to_tensor, current_graph
from engine.ops.base.shapes import whole_number
from engine.ops.common import measuring

HOMES = ("nn.rnn_cell", "contrib.rnn")
PARTS = (
    "Leave it out, or write the cell with tf.matmul.",
    "请去掉它，或用 tf.matmul 写出这个单元。",
)
TYPES = (
    "Leave it out: the variables have the type of the inputs.",
    "请去掉它：变量的类型与输入相同。",
)
TF.value(LSTM_STATE, *(f"{home}.LSTMStateTuple" for home in HOMES))


def _homes(name: str) -> list[str]:
    return [f"{home}.{name}" for home in HOMES]


def _rule(interpreter: Interpreter, activation: Any) -> Any:
    if isinstance(activation, str):
        raise ProgramError(
            "A cell's activation is a function here.",
            hint="Write tf.tanh, or tf.nn.relu.",
            message_zh="这里循环单元的激活是一个函数。",
            hint_zh="请写 tf.tanh 或 tf.nn.relu。",
            kind="ValueError",
            code="wrong_arguments",
        )
    return ops.tanh if activation is None else function_of(interpreter, activation)


def _units(num_units: Any) -> int:
    return whole_number(num_units, "num_units")


@TF.function(*_homes("BasicRNNCell"), num_units=COUNT)
def basic_rnn_cell(
    interpreter: Interpreter,
    num_units: Any,
    activation: Any = None,
    reuse: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> BasicRNNCell:
    """h' = a([x, h] W + b)."""
    refuse_given("nn.rnn_cell.BasicRNNCell", {"dtype": dtype}, *TYPES)
    return BasicRNNCell(_units(num_units), _rule(interpreter, activation), reuse=reuse, name=name)


@TF.function(*_homes("BasicLSTMCell"), num_units=COUNT)
def basic_lstm_cell(
    interpreter: Interpreter,
    num_units: Any,
    forget_bias: Any = 1.0,
    state_is_tuple: Any = True,
    activation: Any = None,
    reuse: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> BasicLSTMCell:
    """The cell with a memory, in the nodes of older programs."""
    refuse_given("nn.rnn_cell.BasicLSTMCell", {"dtype": dtype}, *TYPES)
    _check_parts(state_is_tuple)
    rule = _rule(interpreter, activation)
    return BasicLSTMCell(_units(num_units), rule, reuse=reuse, name=name, forget_bias=float(forget_bias))


@TF.function(*_homes("LSTMCell"), num_units=COUNT)
def lstm_cell(
    interpreter: Interpreter,
    num_units: Any,
    use_peepholes: Any = False,
    cell_clip: Any = None,
    initializer: Any = None,
    num_proj: Any = None,
    proj_clip: Any = None,
    num_unit_shards: Any = None,
    num_proj_shards: Any = None,
    forget_bias: Any = 1.0,
    state_is_tuple: Any = True,
    activation: Any = None,
    reuse: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> LSTMCell:
    """The cell with a memory."""
    refuse_given("nn.rnn_cell.LSTMCell", {"dtype": dtype}, *TYPES)
    parts = {"use_peepholes": use_peepholes, "cell_clip": cell_clip, "num_proj": num_proj}
    shards = {"num_unit_shards": num_unit_shards, "num_proj_shards": num_proj_shards}
    refuse_given("nn.rnn_cell.LSTMCell", {**parts, "proj_clip": proj_clip, **shards}, *PARTS)
    _check_parts(state_is_tuple)
    first = (as_initializer(interpreter, initializer), None)
    rule = _rule(interpreter, activation)
    return LSTMCell(_units(num_units), rule, first, reuse, name, forget_bias=float(forget_bias))


def _check_parts(state_is_tuple: Any) -> None:
    if not state_is_tuple:
        raise ProgramError(
            "The state of an LSTM cell is always a tuple here.",
            hint="Leave out state_is_tuple=False; the state's parts are state.c and state.h.",
            message_zh="这里 LSTM 单元的状态总是一个元组。",
            hint_zh="请去掉 state_is_tuple=False；状态的两部分是 state.c 和 state.h。",
            code="unknown_argument",
        )


@TF.function(*_homes("GRUCell"), num_units=COUNT)
def gru_cell(
    interpreter: Interpreter,
    num_units: Any,
    activation: Any = None,
    reuse: Any = None,
    kernel_initializer: Any = None,
    bias_initializer: Any = None,
    name: Any = None,
    dtype: Any = None,
) -> GRUCell:
    """The cell with gates."""
    refuse_given("nn.rnn_cell.GRUCell", {"dtype": dtype}, *TYPES)
    first = [as_initializer(interpreter, rule) for rule in (kernel_initializer, bias_initializer)]
    return GRUCell(_units(num_units), _rule(interpreter, activation), first, reuse, name)


@TF.function(*_homes("MultiRNNCell"), cells=ANY)
def multi_rnn_cell(cells: Any, state_is_tuple: Any = True) -> MultiRNNCell:
    """Cells one above the other."""
    _check_parts(state_is_tuple)
    if not isinstance(cells, (list, tuple)) or not cells or not all(isinstance(c, Cell) for c in cells):
        raise ProgramError(
            "MultiRNNCell takes a list of cells, at least one.",
            hint="Write MultiRNNCell([cell_1, cell_2]).",
            message_zh="MultiRNNCell 需要一个循环单元的列表，至少一个。",
            hint_zh="请写 MultiRNNCell([cell_1, cell_2])。",
            kind="TypeError" if cells else "ValueError",
            code="wrong_arguments",
        )
    return MultiRNNCell(0, cells=tuple(cells))


@TF.function(*_homes("DropoutWrapper"), cell=ANY, input_keep_prob=ANY, output_keep_prob=ANY)
def dropout_wrapper(
    cell: Any,
    input_keep_prob: Any = 1.0,
    output_keep_prob: Any = 1.0,
    state_keep_prob: Any = 1.0,
    variational_recurrent: Any = False,
    input_size: Any = None,
    dtype: Any = None,
    seed: Any = None,
    dropout_state_filter_visitor: Any = None,
) -> DropoutWrapper:
    """A cell with what goes in and comes out dropped by chance."""
    _check_cell("DropoutWrapper", cell)
    given = {"variational_recurrent": variational_recurrent, "input_size": input_size, "dtype": dtype}
    given |= {"seed": seed, "dropout_state_filter_visitor": dropout_state_filter_visitor}
    refuse_given("nn.rnn_cell.DropoutWrapper", given, *UNWRAPPED)
    kept = shares(
        input_keep_prob=taken(input_keep_prob),
        state_keep_prob=taken(state_keep_prob),
        output_keep_prob=taken(output_keep_prob),
    )
    return DropoutWrapper(0, cell=cell, kept=kept)


UNWRAPPED = (
    "Leave it out; tf.set_random_seed(…) fixes the random numbers.",
    "请去掉它；用 tf.set_random_seed(…) 固定随机数。",
)


def _turn(interpreter: Interpreter, cell: Cell, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """`cell(inputs, state)`. Raises: ProgramError for other arguments."""
    given = dict(zip(("inputs", "state", "scope"), args, strict=False), **keywords)
    if len(args) > 3 or not {"inputs", "state"} <= given.keys() <= {"inputs", "state", "scope"}:
        raise ProgramError(
            "A cell takes its inputs and its state.",
            hint="Write output, state = cell(inputs, state).",
            message_zh="循环单元需要输入和状态。",
            hint_zh="请写 output, state = cell(inputs, state)。",
            kind="TypeError",
            code="wrong_arguments",
        )
    graph: Any = current_graph()
    return cell.turn(graph, taken(given["inputs"]), given["state"], given.get("scope"))


for cell_kind in (BasicRNNCell, BasicLSTMCell, LSTMCell, GRUCell, MultiRNNCell, DropoutWrapper):
    CALLABLES[cell_kind] = _turn

CELL = members_of(Cell, "RNNCell")
CELL.fact("state_size")(lambda cell: cell.state_size)
CELL.fact("output_size")(lambda cell: cell.output_size)
CELL.fact("variables", "weights", "trainable_variables", "trainable_weights")(lambda cell: cell.variables)


@CELL.method("zero_state", batch_size=ANY)
def zero_state(cell: Cell, batch_size: Any, dtype: Any) -> Any:
    """Zeros in the form of the cell's state."""
    graph: Any = current_graph()
    return cell.zero_state(graph, batch_size, _type_named(dtype))


def _type_named(dtype: Any) -> str:
    name = dtype_name(dtype)
    if name is None:
        raise ProgramError(
            "If no initial_state is provided, dtype must be specified",
            hint="Write dtype=tf.float32.",
            message_zh="没有给出 initial_state 时，必须给出 dtype。",
            hint_zh="请写 dtype=tf.float32。",
            kind="ValueError",
            code="wrong_arguments",
        )
    return name


@TF.function("nn.static_rnn", "contrib.rnn.static_rnn", cell=ANY, inputs=ANY, initial_state=ANY)
def static_rnn(
    cell: Any,
    inputs: Any,
    initial_state: Any = None,
    dtype: Any = None,
    sequence_length: Any = None,
    scope: Any = None,
) -> Any:
    """The outputs of all turns in a list, and the last state; every turn has nodes of its own."""
    refuse_given("nn.static_rnn", {"sequence_length": sequence_length}, *LENGTHS)
    _check_row(cell, inputs)
    graph: Any = current_graph()
    row = [convert_to_tensor(taken(x)) for x in inputs]
    with variable_scope(graph, scope, "rnn") if scope is None else variable_scope(graph, scope) as opened:
        opened.reads_apart = True
        batch = (row[0].shape or (None,))[0]
        rows = measuring.shape_of(row[0])[0] if batch is None else batch
        state = initial_state
        if state is None:
            state = cell.zero_state(graph, rows, _type_named(dtype))
        outputs = []
        for x in row:
            output, state = cell.turn(graph, x, state)
            opened.reuse_variables()
            outputs.append(output)
    return outputs, state


LENGTHS = (
    "Give all sequences the same length, or mask what comes after the end.",
    "请让所有序列一样长，或用掩码去掉结尾之后的部分。",
)


@TF.function("nn.dynamic_rnn", cell=ANY, inputs=ANY, initial_state=ANY)
def dynamic_rnn(
    cell: Any,
    inputs: Any,
    sequence_length: Any = None,
    initial_state: Any = None,
    dtype: Any = None,
    parallel_iterations: Any = None,
    swap_memory: Any = False,
    time_major: Any = False,
    scope: Any = None,
) -> Any:
    """The outputs of all turns in one tensor, and the last state; a loop takes the turns."""
    refuse_given("nn.dynamic_rnn", {"sequence_length": sequence_length}, *LENGTHS)
    _check_cell("dynamic_rnn", cell)
    graph: Any = current_graph()
    with variable_scope(graph, scope, "rnn") if scope is None else variable_scope(graph, scope) as opened:
        opened.reads_apart = True
        x = convert_to_tensor(taken(inputs))
        x = looping.checked(x) if time_major else looping.turns_first(x)
        rows, state = looping.rows_of(x), initial_state
        if state is None:
            state = cell.zero_state(graph, rows, _type_named(dtype))
        outputs, state = looping.looped(graph, cell, x, state, dtype_name(dtype) or _type_of(state))
        return outputs if time_major else looping.turns_first(outputs), state


def _type_of(state: Any) -> str:
    return convert_to_tensor(next(flat(state))).dtype


def _check_cell(function: str, cell: Any) -> None:
    if not isinstance(cell, Cell):
        raise ProgramError(
            f"{function} takes one of the cells of tf.nn.rnn_cell.",
            message_zh=f"{function} 需要 tf.nn.rnn_cell 中的一个循环单元。",
            kind="TypeError",
            code="wrong_arguments",
        )


def _check_row(cell: Any, inputs: Any) -> None:
    _check_cell("static_rnn", cell)
    if not isinstance(inputs, (list, tuple)):
        raise ProgramError(
            "inputs must be a sequence",
            hint="Write tf.unstack(x, axis=1) to make a list of the turns.",
            message_zh="inputs 必须是一个列表。",
            hint_zh="请用 tf.unstack(x, axis=1) 得到每一步的列表。",
            kind="TypeError",
            code="wrong_arguments",
        )
    if not inputs:
        raise ProgramError(
            "inputs must not be empty",
            message_zh="inputs 不能为空。",
            kind="ValueError",
            code="wrong_arguments",
        )
