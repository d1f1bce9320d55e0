"""Write down what arguments are when they are left out: `python record_defaults.py tensorflow2`.

It needs an environment with that TensorFlow; the functions are those of the file of signatures. Only what can be
written as a literal or as a member of tf is kept.
"""

import inspect
import json
import pathlib
import sys
from typing import Any

import tensorflow as tf

FOLDER = pathlib.Path(__file__).parent


def written(value: Any) -> str:
    """The value as an expression of a program, or nothing."""
    if isinstance(value, tf.DType):
        return "tf." + str(value.name)
    plain = value is None or isinstance(value, (bool, int, float, str))
    whole = isinstance(value, (list, tuple)) and all(isinstance(one, (bool, int, float, str)) for one in value)
    return repr(value) if plain or whole else ""


def defaults_of(name: str) -> dict[str, str]:
    """The defaults of a function of tf by its dotted name."""
    member: Any = tf
    for part in name.split("."):
        member = getattr(member, part)
    try:
        parameters = inspect.signature(member).parameters.values()
    except (TypeError, ValueError):
        return {}
    found = {one.name: written(one.default) for one in parameters if one.default is not one.empty}
    return {key: text for key, text in found.items() if text}


def main(release: str) -> None:
    path = FOLDER / "defaults.json"
    content = json.loads(path.read_text()) if path.exists() else {}
    names = json.loads((FOLDER / (release + ".json")).read_text())
    content[release] = {name: defaults_of(name) for name in sorted(names)}
    path.write_text(json.dumps(content, indent=0, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
