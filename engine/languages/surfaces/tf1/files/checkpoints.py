"""`tf.train.Saver`: the nodes that TensorFlow builds, and values that are kept while the program runs.

Nothing is written to a file: `save` keeps the values of the variables under the path, and `restore` of the
same program gives them back.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError, ValueRefused, quoted
from engine.execution.interpreter.session import uninitialised
from engine.graph import Node, Variable
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.argument_kinds import COUNT, ROWS
from engine.languages.surfaces.tensors import VARIABLE
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.program_session import ProgramSession
from engine.languages.surfaces.tf1.session import run
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.building import control_dependencies, current_graph, name_scope
from engine.ops.base.tensors import TEXT
from engine.ops.base.texts import text_array
from engine.ops.common.constants import const
from engine.ops.common.passing import identity, no_op, placeholder_with_default
from engine.ops.control_flow import filing
from engine.ops.control_flow.asserting import text_constant
from engine.ops.sources import state

NOTE = "Nothing is written to a file: what is saved is kept while this program runs."
NOTE_ZH = "这里不写文件：保存的内容只在本程序运行期间保留。"


class Saver:
    """A saver of variables by name; `kept` are the paths that it saved to, the latest last."""

    def __init__(self, variables: dict[str, Variable], most: int) -> None:
        self.variables = variables
        self.most = most
        self.kept: list[str] = []


SAVER = members_of(Saver, "Saver")
TYPE_NAMES[Saver] = lambda saver: "Saver"
SAVER.fact("last_checkpoints")(lambda saver: list(saver.kept))


SAVED = Argument(
    "a list of variables, or a dict by name",
    "变量列表，或以名称为键的字典",
    lambda value: value is None or isinstance(value, (*ROWS, dict)),
    "Leave it out to save all variables.",
    "去掉它就会保存所有变量。",
)
MOST = Argument(
    "a whole number, or None for all",
    "整数，或表示全部的 None",
    lambda value: value is None or COUNT.fits(value),
)


@TF.function("train.Saver", var_list=SAVED, max_to_keep=MOST)
def saver(var_list: Any = None, reshape: Any = False, max_to_keep: Any = 5, name: Any = None) -> Saver:
    """The nodes that save and restore variables: all of them, unless some are named."""
    refuse_given("train.Saver", {"reshape": reshape}, "Leave it out.", "请去掉它。")
    variables = _named(var_list)
    if not variables:
        raise ValueRefused(
            "No variables to save",
            hint="Make the Saver after the variables.",
            message_zh="没有可以保存的变量。",
            hint_zh="请在创建变量之后再创建 Saver。",
            code="bad_value",
        )
    _build(variables, name)
    return Saver(variables, int(max_to_keep or 0))


def _named(var_list: Any) -> dict[str, Variable]:
    """Variables by their names in the checkpoint, in the order of these."""
    if isinstance(var_list, dict):
        found = dict(var_list)
    else:
        listed = current_graph().collection("variables") if var_list is None else var_list
        found = {variable.node.name: variable for variable in listed}
    if not all(isinstance(variable, Variable) for variable in found.values()):
        raise ValueRefused(
            "A Saver takes variables: a list of them, or a dict by name.",
            message_zh="Saver 需要变量：变量列表，或以名称为键的字典。",
            code="bad_value",
        )
    return {name: found[name] for name in sorted(found)}


def _texts(values: list[str], name: str) -> Any:
    return const(value=text_array(values), dtype=TEXT, name=name)


def _no_slices(variables: dict[str, Variable]) -> Any:
    return _texts([""] * len(variables), "shape_and_slices")


def _build(variables: dict[str, Variable], name: Any) -> None:
    """The nodes of TensorFlow's: a file name, what writes to it, and what reads from it."""
    with name_scope(name, "save"):
        with name_scope(None, "filename") as scope:
            first = placeholder_with_default(text_constant("model", "input"), (), name=scope)
        file_name = placeholder_with_default(first, (), name="Const")
        with name_scope(None, "SaveV2") as scope:
            names, slices = _texts(list(variables), "tensor_names"), _no_slices(variables)
            tensors = [variable.ref for variable in variables.values()]
            saved = filing.save_v2.node(file_name, names, slices, tensors, name=scope)
        with control_dependencies(saved):
            identity(file_name, name="control_dependency")
        with name_scope(None, "RestoreV2") as scope:
            names, slices = _texts(list(variables), "tensor_names"), _no_slices(variables)
            dtypes = tuple(variable.dtype for variable in variables.values())
            found = filing.restore_v2.node(file_name, names, slices, name=scope, dtypes=dtypes).outputs
        assigned: list[Node] = []
        for variable, value in zip(variables.values(), found, strict=True):
            with current_graph().colocate_with(variable.ref.node):
                assigned.append(state.assign.node(variable.ref, value, name="Assign"))
        with control_dependencies(*assigned):
            no_op.node(name="restore_all")


@SAVER.method("save")
def save(
    interpreter: Interpreter,
    saver: Saver,
    sess: Any,
    save_path: Any,
    global_step: Any = None,
    latest_filename: Any = None,
    meta_graph_suffix: Any = "meta",
    write_meta_graph: Any = True,
    write_state: Any = True,
) -> str:
    """Keep the values of the variables under a path, which is given back with the step."""
    interpreter.note("kept_in_memory", NOTE, NOTE_ZH)
    path = _text(save_path)
    if global_step is not None:
        is_plain = isinstance(global_step, (int, np.integer))
        path = f"{path}-{int(global_step if is_plain else run(interpreter, sess, global_step))}"
    values = _values(saver, sess)
    interpreter.budget.check_cells(sum(value.size for value in values.values()))
    checkpoints = interpreter.workspace.checkpoints
    checkpoints.pop(_key(path), None)
    checkpoints[_key(path)] = values
    saver.kept = [*(one for one in saver.kept if one != path), path]
    while saver.most and len(saver.kept) > saver.most:
        checkpoints.pop(_key(saver.kept.pop(0)), None)
    return path


def _key(path: str) -> str:
    """A path without what says that it begins here."""
    return path.removeprefix("./")


def _values(saver: Saver, session: ProgramSession) -> dict[str, Any]:
    """The variables' values in a session. Raises: UninitialisedError where one has none."""
    refs = [variable.ref for variable in saver.variables.values()]
    found = session.session.variables
    for ref in refs:
        if ref.node not in found:
            raise uninitialised(ref.node)
    return {name: np.array(found[ref.node]) for name, ref in zip(saver.variables, refs, strict=True)}


def _text(path: Any) -> str:
    if not isinstance(path, str):
        raise ValueRefused(
            "A checkpoint's path is a text.",
            message_zh="检查点的路径是文字。",
            code="bad_value",
        )
    return path


@SAVER.method("restore")
def restore(interpreter: Interpreter, saver: Saver, sess: Any, save_path: Any) -> None:
    """Give the variables the values that were saved under a path."""
    interpreter.note("kept_in_memory", NOTE, NOTE_ZH)
    path = _text(save_path)
    values = interpreter.workspace.checkpoints.get(_key(path))
    if values is None:
        raise ProgramError(
            f"Nothing was saved as {quoted(path)} while this program ran.",
            message_zh=f"本程序运行期间没有保存过 {quoted(path)}。",
            hint="No files are read here: save with saver.save(sess, path) first, and restore the same path.",
            hint_zh="这里不读取文件：请先用 saver.save(sess, path) 保存，再恢复同一路径。",
            code="no_such_file",
            kind="ValueError",
            said=f"The passed save_path is not a valid checkpoint: {path}",
        )
    for name, variable in saver.variables.items():
        if name not in values:
            raise ProgramError(
                f"Key {name} not found in checkpoint",
                message_zh=f"检查点中没有 {name}。",
                code="not_found",
                kind="NotFoundError",
                said=_failed("a Variable name or other graph key that is missing from the checkpoint")
                + f"Key {name} not found in checkpoint",
            )
        if values[name].shape != variable.shape:
            raise ProgramError(
                f"{name} was saved as {values[name].shape}, but the variable has the shape {variable.shape}.",
                message_zh=f"{name} 保存时的形状是 {values[name].shape}，而变量的形状是 {variable.shape}。",
                code="shape_mismatch",
                kind="InvalidArgumentError",
                said=_failed("a mismatch between the current graph and the graph from the checkpoint")
                + "Assign requires shapes of both tensors to match. lhs shape= "
                f"{_lengths(variable.shape)} rhs shape= {_lengths(values[name].shape)}",
            )
    for name, variable in saver.variables.items():
        sess.session.variables[variable.node] = np.array(values[name], dtype=variable.dtype)


def _failed(reason: str) -> str:
    return (
        f"Restoring from checkpoint failed. This is most likely due to {reason}. Please ensure that you have "
        "not altered the graph expected based on the checkpoint. Original error:\n\n"
    )


def _lengths(shape: Any) -> str:
    return f"[{','.join(map(str, shape))}]"


def _latest(interpreter: Interpreter, folder: Any) -> str | None:
    """The path that was saved to last in a folder, which is written as the program writes it."""
    given = _text(folder).rstrip("/")
    own = "" if given == "." else _key(given)
    inside = [path for path in interpreter.workspace.checkpoints if path.rpartition("/")[0] == own]
    return f"{given}/{inside[-1].rpartition('/')[2]}" if inside else None


@TF.function("train.latest_checkpoint")
def latest_checkpoint(
    interpreter: Interpreter, checkpoint_dir: Any, latest_filename: Any = None
) -> str | None:
    """The path that this program saved to last in a folder, or None."""
    return _latest(interpreter, checkpoint_dir)


class CheckpointState:
    """What `get_checkpoint_state` gives: the latest path."""

    def __init__(self, path: str) -> None:
        self.path = path


members_of(CheckpointState, "CheckpointState").fact("model_checkpoint_path")(lambda state: state.path)


@TF.function("train.get_checkpoint_state")
def get_checkpoint_state(
    interpreter: Interpreter, checkpoint_dir: Any, latest_filename: Any = None
) -> CheckpointState | None:
    """The same, as an object."""
    path = _latest(interpreter, checkpoint_dir)
    return None if path is None else CheckpointState(path)


@TF.function("train.checkpoint_exists")
def checkpoint_exists(interpreter: Interpreter, checkpoint_prefix: Any) -> bool:
    """Whether this program saved to a path."""
    return _key(_text(checkpoint_prefix)) in interpreter.workspace.checkpoints


@VARIABLE.method("load")
def load(interpreter: Interpreter, variable: Variable, value: Any, session: Any = None) -> None:
    """Give the variable a value in a session, as its initializer fed with it would."""
    opened = interpreter.workspace.default_sessions
    if session is None and not opened:
        raise ProgramError(
            "Either session argument should be provided or default session should be established",
            message_zh="请给出 session 参数，或在默认会话中调用。",
            hint="Write variable.load(value, sess).",
            hint_zh="请写 variable.load(value, sess)。",
            code="no_default_session",
            kind="ValueError",
        )
    run(interpreter, session or opened[-1], variable.initializer, {variable.initial_value: value})
