"""`matplotlib` and `pylab` as modules: `pyplot` draws, and what is about looks alone changes nothing."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.values import Ignored, Module
from engine.languages.surfaces.library import Library
from engine.languages.surfaces.matplotlib.colours import colours_module
from engine.languages.surfaces.matplotlib.pyplot import PLT

ABOUT_LOOKS = """
    animation backends cm collections colors dates font_manager gridspec image lines
    matplotlib_fname mlab offsetbox patches path patheffects rc rcParams scale style text ticker
    transforms use widgets axes figure artist cycler rcdefaults get_backend interactive colormaps
"""


PYTHONS_OWN = frozenset({"abs", "bool", "bytes", "max", "min", "pow", "round"})  # which pylab leaves alone


def _pylab(top: Module, pyplot: Module, numpy: Module) -> Module:
    """numpy, its draws and its linear algebra, and pyplot in one, as `from pylab import *` has it."""
    rooms = (numpy.members, numpy.members["linalg"].members, numpy.members["random"].members)
    numbers = {name: one for room in rooms for name, one in room.items() if name not in PYTHONS_OWN}
    modules = {"np": numpy, "plt": pyplot, "matplotlib": top, "mpl": top}
    return Module("pylab", {**numbers, **pyplot.members, **modules})


def matplotlib_modules(numpy: Module) -> dict[str, Any]:
    """The modules by the names that they are imported under."""
    library = Library("matplotlib", borrowed=True)
    for name in ABOUT_LOOKS.split():
        library.value(Ignored(f"matplotlib.{name}"), name)
    library.value(colours_module(), "colors")
    library.value("3.10.0", "__version__")
    pyplot = PLT.module()
    library.value(pyplot, "pyplot", "pylab")
    top: Module = library.module()
    pylab = _pylab(top, pyplot, numpy)
    looks = {f"matplotlib.{name}": top.members[name] for name in ABOUT_LOOKS.split()}
    return {
        **looks,
        "matplotlib": top,
        "matplotlib.pyplot": pyplot,
        "matplotlib.pylab": pylab,
        "pylab": pylab,
        "mpl_toolkits": Ignored("mpl_toolkits"),
    }
