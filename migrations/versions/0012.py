"""The files of a letter in its own row, no longer in a table of their own."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_AT_ONCE = 200

_OUTBOX = sa.table("outbox", sa.column("id", sa.Integer), sa.column("files", sa.LargeBinary))
_FILES = sa.table(
    "attachments",
    sa.column("letter", sa.Integer),
    sa.column("rank", sa.Integer),
    sa.column("name", sa.Text),
    sa.column("media_type", sa.Text),
    sa.column("content", sa.LargeBinary),
    sa.column("cid", sa.Text),
)


def upgrade() -> None:
    op.add_column("outbox", sa.Column("files", sa.LargeBinary(), nullable=True))
    connection = op.get_bind()
    letters = [*connection.scalars(sa.select(_FILES.c.letter).distinct())]
    for begin in range(0, len(letters), _AT_ONCE):
        some = letters[begin : begin + _AT_ONCE]
        kept: dict[int, list[sa.Row]] = {}
        found = sa.select(_FILES).where(_FILES.c.letter.in_(some)).order_by(_FILES.c.rank)
        for row in connection.execute(found):
            kept.setdefault(row.letter, []).append(row)
        into = sa.update(_OUTBOX).where(_OUTBOX.c.id == sa.bindparam("letter"))
        written = [{"letter": each, "files": _written(rows)} for each, rows in kept.items()]
        connection.execute(into.values(files=sa.bindparam("files")), written)
    op.drop_table("attachments")


def _written(rows: list[sa.Row]) -> bytes:
    heads = [(row.name, row.media_type, row.cid or "", len(row.content)) for row in rows]
    return b"\n".join((json.dumps(heads).encode(), b"".join(row.content for row in rows)))


def downgrade() -> None:
    # The way down leads to an empty database only, so that no file has to come along.
    op.create_table(
        "attachments",
        sa.Column("letter", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("media_type", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("cid", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["letter"], ["outbox.id"], name="fk_attachments_letter_outbox"),
        sa.PrimaryKeyConstraint("letter", "rank", name="pk_attachments"),
    )
    op.drop_column("outbox", "files")
