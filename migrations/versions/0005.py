"""What waits is found in its order, however much of it there is."""

from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_inbox_state_sender", "inbox")
    op.create_index("ix_inbox_sender_state", "inbox", ["sender", "state"])
    op.drop_index("ix_outbox_state_due", "outbox")
    op.create_index("ix_outbox_state_id", "outbox", ["state", "id"])


def downgrade() -> None:
    op.drop_index("ix_outbox_state_id", "outbox")
    op.create_index("ix_outbox_state_due", "outbox", ["state", "due"])
    op.drop_index("ix_inbox_sender_state", "inbox")
    op.create_index("ix_inbox_state_sender", "inbox", ["state", "sender"])
