"""Mails are taken from a mailbox."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "mailboxes",
        sa.Column("name", sa.Text(), primary_key=True),
        sa.Column("looked", sa.DateTime(timezone=True), nullable=False),
        sa.Column("failed", sa.DateTime(timezone=True), nullable=True),
        sa.Column("holder", sa.Text(), nullable=True),
        sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True),
    )
    op.create_table(
        "mailbox_mails",
        sa.Column(
            "mailbox",
            sa.Text(),
            sa.ForeignKey("mailboxes.name", deferrable=True, initially="DEFERRED"),
            primary_key=True,
        ),
        sa.Column("validity", sa.BigInteger(), primary_key=True),
        sa.Column("number", sa.BigInteger(), primary_key=True),
        sa.Column("refused", sa.Boolean(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("mailbox_mails")
    op.drop_table("mailboxes")
