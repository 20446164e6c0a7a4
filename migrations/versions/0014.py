"""Mails are found by their Message-ID, so that a signed one proves its sender once."""

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_inbox_message_id", "inbox", ["message_id"])


def downgrade() -> None:
    op.drop_index("ix_inbox_message_id", "inbox")
