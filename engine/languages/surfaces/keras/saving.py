"""`save_weights`, `load_weights` and `save` of a model: under the name of a file, for this run alone."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.layer import set_values, values_of
from engine.languages.surfaces.unsupported import refuse_given


def save_weights(interpreter: Interpreter, self: UserObject, filepath: Any, overwrite: Any = True) -> None:
    """Keep what all variables hold under the name of a file. Nothing is written to a disk."""
    name = to_str(filepath)
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
    """The same of a whole model."""
    save_weights(interpreter, self, filepath)


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
        raise ProgramError(
            f"There is no file {quoted(name)} here.",
            hint="Only what the program itself has saved in this run can be loaded.",
            message_zh=f"这里没有文件 {quoted(name)}。",
            hint_zh="只能读取程序在本次运行中自己保存的内容。",
            code="refused_name",
            kind="FileNotFoundError",
        )
    set_values(self, list(saved.values()))
