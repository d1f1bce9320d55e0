"""Which names of files Keras saves under."""

from __future__ import annotations

from engine.errors import ProgramError

WEIGHTS = ".weights.h5"
WHOLE = (".keras", ".h5", ".hdf5")


def check_name(path: str, endings: tuple[str, ...], said: str) -> None:
    """Raises: ProgramError, which says `said` as Keras does, for a name with another ending."""
    if path.endswith(endings):
        return
    stem = path.rpartition("/")[2].partition(".")[0] or "model"
    raise ProgramError(
        said,
        hint=f'Write "{stem}{endings[0]}".',
        message_zh=f"文件名应以 {'、'.join(endings)} 结尾，不能是 {path}。",
        hint_zh=f'请写 "{stem}{endings[0]}"。',
        code="bad_value",
        kind="ValueError",
    )
