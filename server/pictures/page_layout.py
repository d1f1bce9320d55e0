"""The page's layout without a page: QuickJS runs `state/pictures/whole_picture.js` on a program's answer.

The script is ours alone; what a person wrote comes to it as data, in JSON. It has a clock and a bound on its
memory, and reaches nothing: QuickJS by itself knows neither files nor a network.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from typing import Any

from engine.interchange.picture.refusals import takes_too_long
from engine.interchange.picture.scene import Scene
from engine.interchange.refusals import not_installed
from server.page_folder import find_folder
from server.pictures.linking import MODULES, linked

ENTRY = "state/pictures/whole_picture.js"
PROCESSOR_S = 10
MEMORY_BYTES = 500_000_000
STACK_BYTES = 4_000_000
DRAW = f"(text) => JSON.stringify({MODULES}[{json.dumps(ENTRY)}].wholePicture(JSON.parse(text)))"
STOPPED = ("interrupted", "out of memory", "stack overflow", "null")  # no memory is left for words of its own


def lay_out(picture: Mapping[str, Any]) -> Scene:
    """The scene of a program's graph: `{program, nodes, steps, none}` in, what is drawn out.

    Each scene is made in an engine of its own, so that none depends on those before it.
    Raises: ValueRefused where QuickJS is not installed; LimitError where it was stopped.
    """
    if find_spec("quickjs") is None:
        raise not_installed("A picture", "quickjs-ng", "pictures")
    import quickjs

    context = quickjs.Context()
    context.set_time_limit(PROCESSOR_S)
    context.set_memory_limit(MEMORY_BYTES)
    context.set_max_stack_size(STACK_BYTES)
    try:
        context.eval(_script())
        scene: Scene = json.loads(context.eval(DRAW)(json.dumps(picture, allow_nan=False)))
    except (quickjs.JSException, quickjs.StackOverflow) as error:
        if any(word in str(error) for word in STOPPED) or isinstance(error, quickjs.StackOverflow):
            raise takes_too_long() from error
        raise
    return scene


@cache
def _script() -> str:
    return linked(find_folder("frontend"), ENTRY)
