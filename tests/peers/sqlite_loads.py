#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""SQLite loads what `imsat export --to sqlite` writes, and the query of docs/formats.md gives
what `imsat search` finds."""
import os
import re
import subprocess

import numpy as np

from codes import NEAREST, cases, check

page = open(os.path.join(os.environ["IMSAT_SOURCE"], "docs/formats.md")).read()
query = re.search(r"^    WITH RECURSIVE.*?;$", page, re.M | re.S).group()
assert "x'6996'" in query and "LIMIT 10" in query


def sqlite(text):
    """Rows that sqlite3 prints for a script."""
    out = subprocess.run(["sqlite3", "-batch", "-bail", "database"], input=text, check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return [tuple(map(int, line.split("|"))) for line in out.splitlines()]


for case in cases():
    case.export("sqlite")
    what = f"{case.rows} codes of {case.bits} bits"
    sqlite(open("codes.out").read())
    check(what, [(case.rows,)], sqlite("SELECT count(*) FROM codes;"))
    ours = case.nearest()
    for q, code in enumerate(np.load("queries.npy")):
        asked = query.replace("x'6996'", f"x'{code.tobytes().hex()}'")
        check(what, ours[q], sqlite(asked.replace("LIMIT 10", f"LIMIT {NEAREST}")))
    os.remove("database")
print("sqlite: codes, ids and distances agree")
