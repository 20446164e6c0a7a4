"""What the powers have on file ahead: orders for later phases, standing orders."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "plans",
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("power", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parts", sa.JSON(), nullable=False),
        sa.Column("received", sa.DateTime(timezone=True), nullable=False),
        sa.Column("mail", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(
            ["game"], ["games.id"], name="fk_plans_game", initially="DEFERRED", deferrable=True
        ),
        sa.ForeignKeyConstraint(
            ["mail"], ["inbox.id"], name="fk_plans_mail", initially="DEFERRED", deferrable=True
        ),
        sa.PrimaryKeyConstraint("game", "power", "number", name="pk_plans"),
    )


def downgrade() -> None:
    op.drop_table("plans")
