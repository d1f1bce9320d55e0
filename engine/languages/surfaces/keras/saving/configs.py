"""`get_config` and `from_config`: what a layer was made with, and another one made with the same."""

from __future__ import annotations

from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject, make_object
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.saving.layer_settings import listed_settings, without_usual


def get_config(interpreter: Interpreter, self: UserObject) -> dict[str, Any]:
    """Name, whether it is trained, element type, and the arguments that the layer was made with."""
    fields = self.fields
    base = {"name": fields["name"], "trainable": fields.get("trainable", True), "dtype": _policy("float32")}
    if self.kind.origin == "library" and self.kind.name == "InputLayer":
        return {
            "batch_shape": fields["_output_shape"],
            "dtype": fields.get("_dtype", "float32"),
            **dict.fromkeys(("sparse", "ragged"), False),
            "name": fields["name"],
            "optional": False,
        }
    if self.kind.origin == "library" and self.kind.name in ("Sequential", "Model"):
        return base
    listed = listed_settings(interpreter, self)
    if listed is not None:
        return base | listed
    if self.kind.origin == "library":
        _note_given(interpreter)
    made_with = {key: _plain(value) for key, value in fields.get("_config", {}).items() if key not in base}
    return base | made_with


def _policy(name: str) -> dict[str, Any]:
    """What Keras 3 writes for the element type that a layer computes in."""
    return {"module": "keras", "class_name": "DTypePolicy", "config": {"name": name}, "registered_name": None}


def dtype_of_policy(given: Any) -> Any:
    """The element type of such a dictionary, anything else as it is."""
    is_policy = isinstance(given, dict) and given.get("class_name") == "DTypePolicy"
    return given["config"]["name"] if is_policy else given


def _plain(value: Any) -> Any:
    """An activation of Keras as its name, which the argument takes as well."""
    if isinstance(value, Native) and value.name.startswith(("tf.keras.activations.", "tf.nn.")):
        return value.name.rpartition(".")[2]
    return value


def _note_given(interpreter: Interpreter) -> None:
    interpreter.note(
        "given_settings",
        "get_config() gives the arguments that the layer was made with; Keras adds those left out, "
        "and writes initializers and their kin as dictionaries.",
        "get_config() 给出创建该层时的参数；Keras 还会列出省略的参数，并把初始化器等写成字典。",
    )


def from_config(interpreter: Interpreter, kind: UserClass, config: Any) -> UserObject:
    """A layer of this class with these arguments."""
    made: UserObject = make_object(interpreter, kind, [], arguments_of(kind, config))
    return made


def arguments_of(kind: UserClass, config: Any) -> dict[str, Any]:
    """Those that its `__init__` is given. Raises: ProgramError for what is no configuration."""
    if not isinstance(config, dict) or not all(isinstance(key, str) for key in config):
        raise no_config()
    if kind.origin == "library" and kind.name == "InputLayer":
        usual = ("trainable", "dtype", "sparse", "ragged", "optional")
        own = {key: value for key, value in config.items() if key not in usual}
        count, *shape = own.get("batch_shape", (0,))
        if count is None:
            own = {key: value for key, value in own.items() if key != "batch_shape"} | {"shape": tuple(shape)}
        return own
    if kind.origin == "library" and dtype_of_policy(config.get("dtype")) == "float32":
        config = {key: value for key, value in config.items() if key != "dtype"}
    return without_usual(kind, config)


def no_config() -> ProgramError:
    """What is no configuration of a layer."""
    return ProgramError(
        "from_config() takes what get_config() gives: a dictionary by the names of arguments.",
        message_zh="from_config() 需要 get_config() 给出的内容：以参数名为键的字典。",
        code="wrong_arguments",
    )
