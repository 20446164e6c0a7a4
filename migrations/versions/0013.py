"""Since which version of a game nothing but order sets was added."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("games", sa.Column("only_sheets_since", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("games", "only_sheets_since")
