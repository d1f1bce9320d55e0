"""Ask the real JAX what programs print: `python scripts/record_jax.py PYTHON PROGRAMS.json`.

PYTHON: an interpreter with jax and optax; PROGRAMS.json: by name `source`, to which `printed` is added.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def printed(python: str, source: str) -> list[str]:
    """The lines that a program prints. Raises: CalledProcessError where it fails."""
    ran = subprocess.run([python, "-c", source], capture_output=True, text=True, check=True)
    return ran.stdout.rstrip("\n").split("\n")


def main() -> None:
    """Fill in what is printed."""
    python, path = sys.argv[1], Path(sys.argv[2])
    programs = json.loads(path.read_text())
    for name, program in programs.items():
        try:
            program["printed"] = printed(python, program["source"])
        except subprocess.CalledProcessError as error:
            print(name, error.stderr.strip().splitlines()[-1])
    path.write_text(json.dumps(programs, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
