"""What is drawn of TensorFlow's own nodes."""

from __future__ import annotations

import pytest


@pytest.fixture
def level() -> str:
    return "tensorflow"
