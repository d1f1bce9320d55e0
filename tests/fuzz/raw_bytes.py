"""Raw bytes into both parsers, led by Atheris to code that has not run yet; ends with 1 at a finding.

python -m tests.fuzz.raw_bytes -max_total_time=60

Atheris follows the parsers; with `GRADLENS_FUZZ=long` all of the engine, which takes long to prepare.
"""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path

import atheris

ROOT = Path(__file__).parent.parent.parent
FOLLOWED = ("engine.languages.interpreter", "engine.languages.mathematics")
MODULES = [".".join(path.relative_to(ROOT).with_suffix("").parts) for path in (ROOT / "engine").rglob("*.py")]
PASSED_OVER = [
    name.removesuffix(".__init__")
    for name in MODULES
    if os.environ.get("GRADLENS_FUZZ") != "long" and not name.startswith(FOLLOWED)
]

# Atheris takes whole packages: what it shall not follow is named by module.
with atheris.instrument_imports(include=["engine"], exclude=PASSED_OVER, enable_loader_override=False):
    from engine.errors import GradlensError
    from engine.execution.budget import Limits
    from engine.languages.interpreter import parse_program
    from engine.languages.mathematics import FUNCTIONS, AmbiguityNotes, parse_math
    from engine.programs import ProgramRequest, run_program

LIMITS = Limits(steps=500, wall_s=1.0, nodes=100)


def parse(data: bytes) -> None:
    """Hand a text to both parsers and run it as a formula: any answer will do, a refusal too."""
    text = data.decode("utf-8", errors="surrogateescape")
    for parser in (
        lambda: parse_program(text, LIMITS),
        lambda: parse_math(text, FUNCTIONS, {}, LIMITS, AmbiguityNotes(text)),
    ):
        with suppress(GradlensError):
            parser()
    answer = run_program(ProgramRequest(text, dialect="math"), LIMITS)
    assert all(reported["code"] != "internal_error" for reported in answer["diagnostics"])
    json.dumps(answer, allow_nan=False)


if __name__ == "__main__":
    atheris.Setup(sys.argv, parse)
    atheris.Fuzz()
