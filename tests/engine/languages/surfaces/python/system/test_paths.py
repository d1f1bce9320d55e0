"""`pathlib` and the files and folders of a run: what Python prints for the same lines."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

START = """import os
from pathlib import Path
import torch
folder = Path("models")
file = folder / "a" / "w.pth"
"""


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(START + source), ROOMY)
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("folder, file.parent, str(file)", "(PosixPath('models'), PosixPath('models/a'), 'models/a/w.pth')"),
        ("file.name, file.stem, file.suffix, file.parts", "('w.pth', 'w', '.pth', ('models', 'a', 'w.pth'))"),
        ("'root' / file, file.with_suffix('.txt').name", "(PosixPath('root/models/a/w.pth'), 'w.txt')"),
        ("file == Path('models', 'a', 'w.pth'), isinstance(file, Path)", "(True, True)"),
        ("os.path.join(folder, 'x'), os.path.basename(file)", "('models/x', 'w.pth')"),
        ("folder.exists(), folder.is_dir(), file.is_file()", "(False, False, False)"),
    ],
)
def test_what_a_path_says(expression: str, expected: str) -> None:
    assert printed(f"print(({expression}))") == expected


def test_folders_and_what_is_saved_are_there_for_the_rest_of_the_run() -> None:
    source = """file.parent.mkdir(parents=True, exist_ok=True)
torch.save({"a": torch.ones(2)}, file)
print(folder.is_dir(), os.path.isdir("models"), file.exists(), os.listdir("models"), torch.load(file))
file.unlink()
print(file.exists())
try:
    os.makedirs("models")
except FileExistsError as error:
    print(error)
try:
    os.listdir("nothing")
except FileNotFoundError as error:
    print(error)"""
    assert printed(source) == (
        "True True True ['a'] {'a': tensor([1., 1.])}\nFalse\n[Errno 17] File exists: 'models'\n"
        "[Errno 2] No such file or directory: 'nothing'"
    )
