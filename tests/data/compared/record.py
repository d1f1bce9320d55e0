"""Run programs with the TensorFlow at hand, and write down what each prints: `python record.py FILE.json`.

The file holds a list of programs; it is rewritten with what they print, and with the error that ended one.
It needs an environment with TensorFlow, which the project's own does not have.
"""

import contextlib
import io
import json
import pathlib
import runpy
import sys
import tempfile

path = pathlib.Path(sys.argv[1])
programs = json.loads(path.read_text())
for program in programs:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.py"
        file.write_text(program["source"])
        printed = io.StringIO()
        program["error"] = None
        try:
            with contextlib.redirect_stdout(printed):
                runpy.run_path(str(file))
        except Exception as error:
            program["error"] = type(error).__name__
        program["printed"] = printed.getvalue().splitlines()
path.write_text(json.dumps(programs, indent=1) + "\n")
