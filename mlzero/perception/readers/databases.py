"""SQLite: every table of a database."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from mlzero.perception import names
from mlzero.perception.profile import ReadPlan
from mlzero.perception.readers import Found, NotATable
from mlzero.perception.readers.columnar import chosen

_SIGNATURE = b"SQLite format 3\0"


class Sqlite:
    formats: tuple[str, ...] = ("sqlite",)
    extensions: tuple[str, ...] = (".sqlite", ".sqlite3", ".db", ".db3", ".s3db")
    block = "read_sqlite"

    def find(self, path: Path, encoding: str | None = None) -> list[Found]:
        with path.open("rb") as file:
            if file.read(len(_SIGNATURE)) != _SIGNATURE:
                raise NotATable("The file is no SQLite database.")
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
            tables = [
                str(name)
                for (name,) in database.execute(
                    "select name from sqlite_master where type = 'table' and name not like 'sqlite~_%' escape '~' "
                    "and sql not like 'create virtual%' order by rowid"
                )
            ]
            found = []
            for table in tables:
                quoted = table.replace('"', '""')
                head = database.execute(f'select * from "{quoted}" limit 1')
                written = [column[0].strip() for column in head.description]
                if head.fetchone() is None:
                    continue
                final, notes = names.settle(written, len(written))
                plan = ReadPlan(format="sqlite", sheet=table, names=None if final == written else final)
                found.append(Found(plan, final, written, notes))
        if not found:
            raise NotATable("No table of the database holds rows.")
        return found

    def arguments(self, plan: ReadPlan) -> dict[str, Any]:
        return {"table": plan.sheet, **chosen(plan)}
