#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""PostgreSQL loads what `imsat export --to postgres` writes by the commands that it prints, and
finds what `imsat search` finds. The server is this test's own: it has a data folder here and a
socket, no port."""
import glob
import os
import pwd
import re
import subprocess
import tempfile

from codes import NEAREST, cases, check

PROGRAMS = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
# The server does not run as root.
AS_USER = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []


def server(program, *words):
    """Run a program of the server's."""
    subprocess.run([*AS_USER, f"{PROGRAMS}/{program}", *words], check=True, cwd="/",
                   stdout=subprocess.DEVNULL)


def psql(text, folder):
    """Rows that psql prints for a script."""
    out = subprocess.run(
        [f"{PROGRAMS}/psql", "-XqAt", "-F", "|", "-v", "ON_ERROR_STOP=1", "-h", folder, "-U",
         "tester", "postgres"], input=text, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [tuple(map(int, line.split("|"))) for line in out.splitlines()]


def compare(case, folder):
    """Load the codes of a case and search for its queries."""
    hint = case.export("postgres", "--table", "Own")
    what = f"{case.rows} codes of {case.bits} bits"
    load = re.search(r"^  CREATE .*?^  \\copy .*?$", hint, re.M | re.S).group()
    query = re.search(r"^  SELECT .*;$", hint, re.M | re.S).group()
    psql(load.replace("\n  ", "\n").strip(), folder)
    check(what, [(case.rows,)], psql('SELECT count(*) FROM "Own";', folder))
    ours = case.nearest()
    for q, code in enumerate(case.queries):
        asked = query.replace("...", "".join(map(str, code)))
        check(what, ours[q], psql(asked.replace("LIMIT 10", f"LIMIT {NEAREST}"), folder))
    psql('DROP TABLE "Own";', folder)


with tempfile.TemporaryDirectory(prefix="imsat-pg-") as folder:  # short: it names a socket
    if AS_USER:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    os.chmod(folder, 0o755)
    server("initdb", "-D", f"{folder}/data", "-A", "trust", "-U", "tester", "--no-sync")
    server("pg_ctl", "-D", f"{folder}/data", "-l", f"{folder}/log", "-w", "start", "-o",
           f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off")
    try:
        for case in cases():
            compare(case, folder)
    finally:
        server("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "-w", "stop")
print("postgres: codes, ids and distances agree")
