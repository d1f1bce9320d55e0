"""`save_weights`, `load_weights` and `save` of a model: under the name of a file, for this run alone."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.fitting.compiling import compile_
from engine.languages.surfaces.keras.layering.weights import set_values, values_of
from engine.languages.surfaces.keras.optimizers.optimizer import KerasOptimizer
from engine.languages.surfaces.keras.saving.cloning import build_alike, clone_model
from engine.languages.surfaces.keras.saving.file_names import WEIGHTS, WHOLE, check_name
from engine.languages.surfaces.unsupported import refuse_given


def save_weights(interpreter: Interpreter, self: UserObject, filepath: Any, overwrite: Any = True) -> None:
    """Keep what all variables hold under the name of a file. Nothing is written to a disk.

    Raises: ProgramError for a name that Keras does not take.
    """
    name = to_str(filepath)
    check_name(name, (WEIGHTS,), f"The filename must end in `{WEIGHTS}`. Received: filepath={name}")
    _keep(interpreter, self, name)


def _keep(interpreter: Interpreter, self: UserObject, name: str) -> None:
    interpreter.workspace.checkpoints[name] = dict(zip(map(str, range(10**6)), values_of(self), strict=False))
    interpreter.note(
        "kept_in_memory",
        "What a model saves is kept for this run alone; no file is written.",
        "模型保存的内容只在本次运行中保留；不会写入文件。",
    )


def save(
    interpreter: Interpreter,
    self: UserObject,
    filepath: Any,
    overwrite: Any = True,
    zipped: Any = None,
    save_format: Any = None,
    include_optimizer: Any = True,
) -> None:
    """The same of a whole model, which `load_model` makes anew."""
    name = to_str(filepath)
    check_name(
        name,
        WHOLE,
        "Invalid filepath extension for saving. Please add either a `.keras` extension for the native Keras "
        "format (recommended) or a `.h5` extension. Use `model.export(filepath)` if you want to export a "
        f"SavedModel for use with TFLite/TFServing/etc. Received: filepath={name}.",
    )
    _keep(interpreter, self, name)
    interpreter.workspace.saved_models[name] = self


def load_weights(
    interpreter: Interpreter,
    self: UserObject,
    filepath: Any,
    skip_mismatch: Any = False,
    by_name: Any = False,
) -> None:
    """The variables as this run has saved them. Raises: ProgramError for any other name."""
    refuse_given(
        "load_weights()",
        {"skip_mismatch": skip_mismatch or None, "by_name": by_name or None},
        "All weights are loaded, in their order: leave it out.",
        "这里按顺序读取全部权重：请去掉它。",
    )
    name = to_str(filepath)
    saved = interpreter.workspace.checkpoints.get(name)
    if saved is None:
        raise _no_file(name)
    set_values(self, list(saved.values()))


def _no_file(name: str) -> ProgramError:
    return ProgramError(
        f"There is no file {quoted(name)} here.",
        hint="Only what the program itself has saved in this run can be loaded.",
        message_zh=f"这里没有文件 {quoted(name)}。",
        hint_zh="只能读取程序在本次运行中自己保存的内容。",
        code="refused_name",
        kind="FileNotFoundError",
    )


def load_model(
    interpreter: Interpreter,
    filepath: Any,
    custom_objects: Any = None,
    **settings: Any,
) -> UserObject:
    """A model as this run has saved it: its layers, what they held then, and what it was compiled with."""
    is_compiled = settings.pop("compile", True)
    settings.pop("safe_mode", None)
    refuse_given("load_model()", settings, "Leave it out.", "请去掉它。")
    name = to_str(filepath)
    saved = interpreter.workspace.saved_models.get(name)
    if saved is None:
        raise _no_file(name)
    made = clone_model(interpreter, saved)
    build_alike(interpreter, made, saved)
    set_values(made, list(interpreter.workspace.checkpoints[name].values()))
    before = saved.fields.get("_compiled")
    if is_compiled and before is not None:
        optimizer = KerasOptimizer(before.optimizer.rule, before.optimizer.name, before.optimizer.clipping)
        optimizer.weight_decay = before.optimizer.weight_decay
        _note_state(interpreter, before.optimizer)
        given = (optimizer, before.loss, before.share, before.metrics, before.weighted)
        compile_(interpreter, made, *given)
    return made


def _note_state(interpreter: Interpreter, optimizer: KerasOptimizer) -> None:
    """Say that the loaded model's optimizer begins anew. Raises: ProgramError for one with a schedule."""
    if optimizer.steps is not None:
        raise ProgramError(
            "A model whose learning rate follows a schedule cannot be loaded with its optimizer here.",
            hint="Write load_model(path, compile=False), and compile it again.",
            message_zh="学习率按计划变化的模型在这里不能连同优化器一起读取。",
            hint_zh="请写 load_model(path, compile=False)，再重新 compile。",
            code="refused_name",
        )
    if optimizer.taken:
        interpreter.note(
            "optimizer_begins_anew",
            "The optimizer of a loaded model begins anew here; Keras goes on where it was saved.",
            "读取的模型在这里从优化器的第一步重新开始；Keras 则从保存时的状态继续。",
        )
