"""How messages look beside their text, the pictures in them, and who wants that."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("layout", sa.Text(), nullable=True))
    op.add_column("attachments", sa.Column("cid", sa.Text(), nullable=True))
    op.add_column("persons", sa.Column("html", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("persons", "html")
    op.drop_column("attachments", "cid")
    op.drop_column("outbox", "layout")
