"""The look at the clock is a heartbeat."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _move("pulse", "heartbeat")


def downgrade() -> None:
    _move("heartbeat", "pulse")


def _move(old: str, new: str) -> None:
    created = op.create_table(
        new,
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("usual", sa.Integer(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=f"pk_{new}"),
    )
    kept = sa.table(old, *(sa.column(each.name) for each in created.columns))
    op.execute(created.insert().from_select([*created.columns.keys()], sa.select(kept)))
    op.drop_table(old)
