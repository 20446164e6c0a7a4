"""What still named people who had been forgotten: logs in other languages, and reply tokens."""

from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None

_FORGOTTEN = (
    "SELECT 1 FROM persons WHERE persons.claimed IS NULL"
    " AND persons.id NOT IN (SELECT person FROM addresses)"
)


def upgrade() -> None:
    # Their names are no longer known; the text in the judge's language lacks them already.
    op.execute(
        "UPDATE notices SET translations = NULL WHERE translations IS NOT NULL"  # noqa: S608
        f" AND EXISTS ({_FORGOTTEN} AND notices.text LIKE '%' || persons.name || '%')"
    )
    op.execute(
        "DELETE FROM reply_tokens WHERE EXISTS"  # noqa: S608
        f" ({_FORGOTTEN} AND CAST(reply_tokens.speaks AS TEXT) LIKE '%\"' || persons.id || '\"%')"
    )


def downgrade() -> None:
    pass
