"""What Alembic runs: the steps, on the connection that `server/store/schema.py` has opened."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
