"""Run programs with the Python 3.11 and numpy at hand, and write down what each prints into `python.json`.

numpy's numbers are written in the classic way (`3.0`, not `np.float64(3.0)`), as tutorials show them and as
Gradlens writes them.
"""

import contextlib
import io
import json
import pathlib
import runpy
import tempfile

import numpy

numpy.set_printoptions(legacy="1.25")
path = pathlib.Path(__file__).parent / "python.json"
programs = json.loads(path.read_text(encoding="utf-8"))
for program in programs:
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.py"
        file.write_text(program["source"], encoding="utf-8")
        printed = io.StringIO()
        program["error"] = None
        try:
            with contextlib.redirect_stdout(printed):
                runpy.run_path(str(file), run_name="__main__")
        except BaseException as error:
            program["error"] = type(error).__name__
        program["printed"] = printed.getvalue().splitlines()
path.write_text(json.dumps(programs, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
