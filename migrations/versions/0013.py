"""What the tokens in the judge's messages speak for; its secret leaves the database."""

from secrets import token_bytes

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reply_tokens",
        sa.Column("hashed", sa.Text(), primary_key=True),
        sa.Column("speaks", sa.JSON(), nullable=False),
        sa.Column("made", sa.DateTime(timezone=True), nullable=False),
    )
    op.add_column("outbox", sa.Column("reply", sa.JSON(), nullable=True))
    op.drop_table("secrets")


def downgrade() -> None:
    secrets = op.create_table(
        "secrets",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
    )
    op.bulk_insert(secrets, [{"id": 1, "secret": token_bytes(32)}])
    with op.batch_alter_table("outbox") as outbox:
        outbox.drop_column("reply")
    op.drop_table("reply_tokens")
