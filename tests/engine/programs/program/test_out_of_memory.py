"""Where the results of a program find no memory, what it printed is answered still."""

from __future__ import annotations

from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program, service


def test_the_lines_that_were_printed_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_large(outcome: Any) -> bytes:
        raise MemoryError

    monkeypatch.setattr(service, "pack_outcome", too_large)
    answer = run_program(ProgramRequest("import torch\nfor i in range(3):\n    print(i)"))
    assert answer["printed"] == ["0", "1", "2"]
    assert answer["status"] == "limit"
    assert answer["diagnostics"][-1]["severity"] == "error"
