"""`gradlens backup FILE` and `gradlens restore FILE`: a store in one file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import URL
from sqlalchemy.exc import SQLAlchemyError

import server.answers.store
import server.classes.tables
from gradlens.serve import what_is_set_wrong
from server.settings import Settings, UnusableAddress
from server.store.backup import BackupError, back_up, restore
from server.store.database import metadata
from server.store.engines import store_url
from server.store.schema import SchemaTooNew

TABLES = (
    server.answers.store.results,
    server.classes.tables.classes,
)  # which `metadata` has once they are imported


def back_up_store(file: str) -> int:
    """Write the store to a file; returns the exit code."""
    return _report("Kept", file, lambda url: back_up(url, Path(file).absolute(), metadata))


def restore_store(file: str, replace: bool) -> int:
    """Bring a backup back into the store; returns the exit code."""
    return _report(
        "Restored", file, lambda url: restore(url, Path(file).absolute(), metadata, replace=replace)
    )


def _report(done: str, file: str, work: Callable[[URL], int]) -> int:
    """Do the work on the store that is set, and print how it went."""
    try:
        settings = Settings()
        rows = work(store_url(settings.database_url, settings.data_dir))
    except ValidationError as error:
        wrong = what_is_set_wrong(error)
    except (BackupError, SchemaTooNew, UnusableAddress) as error:
        wrong = str(error)
    except OSError as error:
        wrong = f"{error.filename or file}: {error.strerror}."
    except SQLAlchemyError as error:
        wrong = (
            f"The store cannot be read or written ({type(error).__name__}). See DATABASE_URL and the disk."
        )
    else:
        print(f"{done}: {rows} rows, {file}")
        return 0
    print(wrong, file=sys.stderr)
    return 1
