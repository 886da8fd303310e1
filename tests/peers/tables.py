#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Tables as pandas writes them, from a refusal to labels of new rows.

    tables.py [IMSAT]

IMSAT is the program; without it, $IMSAT. A table with an index, dates, words, truth values,
missing values and labels is refused once, by a message that names the options, and is then
clustered by one command. What the model makes of tables must be what pandas makes of them
(get_dummies, fillna, days since 1970): the probabilities of the raw table and of those rows in a
.npy file are the same bits, in each of to_csv's ways and as lines of JSON, with the columns in any
order. Prints one line; exits with 0, or with an error.
"""
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd

ROWS = 90
OPTIONS = "--label-column kind --missing mean --categories one-hot".split()
CITIES = ["Rome", "Köln, am Rhein", 'the "Bern" one']
WAYS = [
    {},
    {"index": False},
    {"index_label": "id"},
    {"na_rep": "NULL"},
    {"sep": ";", "decimal": ","},
    {"sep": "\t"},
    {"quoting": 2},  # all but numbers
    {"date_format": "%Y-%m-%dT%H:%M:%S"},
    {"line_terminator" if pd.__version__ < "1.5" else "lineterminator": "\r\n"},
    {"compression": "gzip"},
    {"compression": "xz"},
]


# And as lines of JSON; dates as text, for by default they are milliseconds.
JSON_WAYS = [{}, {"force_ascii": False}, {"compression": "gzip"}, {"date_unit": "s"}]


def draw(seed):
    """A table of three kinds of rows, with holes."""
    random = np.random.default_rng(seed)
    kind = np.arange(ROWS) % 3
    frame = pd.DataFrame(
        {
            "joined": pd.to_datetime("1999-12-30")
            + pd.to_timedelta(kind * 400 + random.integers(0, 40, ROWS), "D"),
            "height (cm)": np.round(150 + 20 * kind + random.normal(0, 2, ROWS), 2),
            "city": [CITIES[k] for k in kind],
            "member": kind == 1,
            "visits": pd.array(kind * 10 + random.integers(0, 5, ROWS), dtype="Int64"),
            "kind": [["a", "b", "c"][k] for k in kind],
        }
    )
    frame.loc[random.choice(ROWS, 8, False), "height (cm)"] = np.nan
    frame.loc[random.choice(ROWS, 5, False), "visits"] = pd.NA
    frame.loc[random.choice(ROWS, 4, False), "city"] = None
    return frame


def numbers(frame, means, words):
    """The rows as pandas has them, in the order of imsat's columns."""
    day = pd.Timedelta(days=1)
    columns = [(frame["joined"] - pd.Timestamp("1970-01-01")) / day]
    columns += [frame["height (cm)"].fillna(means["height (cm)"])]
    dummies = pd.get_dummies(frame["city"])
    columns += [dummies[w] if w in dummies else 0 * frame.index.to_series() for w in words]
    columns += [frame["member"]]
    columns += [frame["visits"].astype(float).fillna(means["visits"])]
    return np.stack([np.asarray(c, dtype=np.float64) for c in columns], axis=1)


def call(program, *line):
    """Run it: exit code, standard output and the lines on standard error."""
    done = subprocess.run([program, *line], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr.splitlines()


def proba(program, *files):
    """What the model says of a file, and what was noted."""
    code, _, notes = call(program, "predict", "model", *files, "--proba", "-o", "out.npy")
    assert code == 0, notes
    return np.load("out.npy"), notes


def train(program, frame):
    """One refusal, then one command."""
    frame.to_csv("people.csv")
    code, _, said = call(program, "cluster", "people.csv", "-k", "3", "--label-column", "kind")
    assert code == 1 and len(said) == 1, said
    assert "--missing mean" in said[0] and "--categories one-hot" in said[0], said
    line = ["people.csv", "-k", "3", *OPTIONS, "--standardize", "-o", "model", "--json"]
    code, out, said = call(program, "cluster", *line)
    assert code == 0, said
    return json.loads(out)["acc"]


def check_ways(program, frame, means, words):
    """However pandas writes it, it is the same table."""
    np.save("rows.npy", numbers(frame, means, words))
    expected, _ = proba(program, "rows.npy")
    shuffled = frame[["visits", "kind", "city", "height (cm)", "member", "joined"]]
    for table in (frame, shuffled, frame.drop(columns="kind")):
        for way in WAYS:
            table.to_csv("new.csv", **way)
            got, notes = proba(program, "new.csv")
            assert np.array_equal(got, expected), way
            assert not notes, notes
        for way in JSON_WAYS:
            table.to_json("new.jsonl", orient="records", lines=True, date_format="iso", **way)
            got, notes = proba(program, "new.jsonl")
            assert np.array_equal(got, expected), way
            assert not notes, notes


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else os.environ["IMSAT"]
    frame, new = draw(1), draw(2)
    acc = train(program, frame)
    means, words = frame.mean(numeric_only=True), sorted(CITIES, key=lambda c: c.encode())
    check_ways(program, frame, means, words)
    check_ways(program, new, means, words)
    odd = new.assign(city="Oslo", shoe=40)
    odd.to_csv("new.csv")
    np.save("rows.npy", numbers(odd, means, words))
    got, notes = proba(program, "new.csv")
    assert np.array_equal(got, proba(program, "rows.npy")[0])
    assert "'shoe'" in notes[0] and f"{ROWS}, 'Oslo' first" in notes[1], notes
    new.drop(columns=["city", "joined"]).to_csv("new.csv")
    code, _, said = call(program, "predict", "model", "new.csv")
    assert code == 1 and "lacks columns that the model has: 'joined', 'city'" in said[0], said
    print(f"tables: ACC {acc:.3f}; raw tables and pandas' numbers predict the same bits")
    return int(acc < 0.9)


if __name__ == "__main__":
    sys.exit(main())
