"""What the tests compare with; the TensorFlow files' format is described in their own README."""

from pathlib import Path

FOLDER = Path(__file__).parent / "tensorflow"
