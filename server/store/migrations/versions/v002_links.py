"""Links in a table of their own, where no answer pushes them out; and when a result was written."""

from __future__ import annotations

import time

import sqlalchemy as sa
from alembic import op

revision = "v002"
down_revision = "v001"

BEFORE, AFTER = '{"link": ', "}"  # of a link's state, where it stood among the results


def upgrade() -> None:
    """Make the table, and copy the links; they stay among the results, too, for replicas of before."""
    links = op.create_table(
        "links",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("id", sa.String(40), nullable=False, unique=True),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("size_bytes", sa.Integer, nullable=False),
        sa.Column("written_at", sa.Float, nullable=False),
    )
    op.add_column("results", sa.Column("written_at", sa.Float))
    connection = op.get_bind()
    results = sa.table("results", sa.column("number"), sa.column("id"), sa.column("request"))
    found = sa.select(results.c.id, results.c.request).where(results.c.id.like("l\\_%", escape="\\"))
    for link in connection.execute(found.order_by(results.c.number)).all():
        state = link.request.removeprefix(BEFORE).removesuffix(AFTER)
        row = {"id": link.id, "state": state, "size_bytes": len(state.encode()), "written_at": time.time()}
        connection.execute(links.insert().values(**row))
