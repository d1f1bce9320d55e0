"""Requests drawn from the OpenAPI document meet a real service: each answer is as described."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.conftest import LONG
from tests.server.service import running

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
SECONDS = 300 if LONG else 10


@pytest.mark.slow
def test_every_request_of_the_description_is_answered_as_described(tmp_path: Path) -> None:
    with running(tmp_path) as client:
        done = subprocess.run(
            [
                *(sys.executable, "-m", "schemathesis.cli", "run", f"{client.base_url}openapi.json"),
                *("--checks", CHECKS, "--max-time", str(SECONDS), "--max-examples", "2000" if LONG else "25"),
                *("--phases", "examples,coverage,fuzzing", "--no-color"),
                *([] if LONG else ["--generation-deterministic"]),
            ],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
        assert client.get("/health").status_code == 200
