"""Python's `os`, `sys`, `pathlib`, `tempfile` and `importlib`: texts and settings of the run; no file."""

from engine.languages.surfaces.python.system.files import KEPT, OS
from engine.languages.surfaces.python.system.paths import PATHLIB
from engine.languages.surfaces.python.system.run import IMPORTLIB, SYS, TEMPFILE, OutputStream, ended
from engine.languages.surfaces.python.system.versions import PACKAGING

__all__ = ["IMPORTLIB", "KEPT", "OS", "PACKAGING", "PATHLIB", "SYS", "TEMPFILE", "OutputStream", "ended"]
