"""Who may come back to an open seat, the thread of a phase, and the judge's own secret."""

from secrets import token_bytes

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("former", sa.Text(), nullable=True))
    op.add_column("outbox", sa.Column("phase", sa.Text(), nullable=True))
    secrets = op.create_table(
        "secrets",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
    )
    op.bulk_insert(secrets, [{"id": 1, "secret": token_bytes(32)}])


def downgrade() -> None:
    op.drop_table("secrets")
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_column("phase")
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("former")
