# SPDX-License-Identifier: MIT
"""Parameters of the estimators, made of the library's table of options.

An option has the same name here as on the command line, with these exceptions: scikit-learn's
name where it means the same, and `lambda_`, since `lambda` is a word of Python.
"""
from __future__ import annotations

import inspect
import numbers
import os
import textwrap
from typing import Any, Iterator

import numpy as np

from . import _imsat

NAMES = {
    "k": "n_clusters",
    "bits": "n_bits",
    "runs": "n_runs",
    "seed": "random_state",
    "lambda": "lambda_",
    "batch": "batch_size",
    "iterations": "max_iter",
    "tolerance": "tol",
}

# Defaults that are not "as the library has it", which is None.
DEFAULTS = {"k": 8, "bits": 64, "method": "imsat-vat", "preset": "default", "runs": 1}

FIRST = ("k", "bits", "method", "preset", "runs", "seed")

# What the library takes as a function or beside the options.
EXTRA = {
    "image": (None, "shape (height, width, channels) of rows that are images; rows of three or "
                    "four dimensions have theirs"),
    "augment": (None, "function of the method own: augment(X, rows, seed) gives a changed copy of "
                      "a batch, rows being the numbers of its rows; draw from the seed, and "
                      "training stays reproducible"),
    "progress": (None, "function that is called with an imsat.Progress now and then, and after "
                       "every epoch; what it raises ends the training, and so does returning "
                       "true"),
    "verbose": (0, "not 0: show a bar, in a terminal or in a notebook"),
}

Option = dict[str, Any]


def options_of(task: str) -> list[Option]:
    """The rows of the table for a task, those that matter most first."""
    rows = [row for row in _imsat.options() if task in row["tasks"] and row["name"] != "task"]
    first = [row for name in FIRST for row in rows if row["name"] == name]
    return first + [row for row in rows if row["name"] not in FIRST]


def parameter_name(option: str) -> str:
    """What an option is called here."""
    return NAMES.get(option, option)


def defaults_of(task: str) -> dict[str, Any]:
    """Every parameter of an estimator, with its default."""
    named = {parameter_name(row["name"]): DEFAULTS.get(row["name"]) for row in options_of(task)}
    return named | {name: default for name, (default, _) in EXTRA.items()}


def signature_of(task: str) -> inspect.Signature:
    """The signature of an estimator's constructor: the first may be given by place."""
    kinds = inspect.Parameter
    found = [kinds("self", kinds.POSITIONAL_OR_KEYWORD)]
    for i, (name, default) in enumerate(defaults_of(task).items()):
        kind = kinds.POSITIONAL_OR_KEYWORD if i == 0 else kinds.KEYWORD_ONLY
        found.append(kinds(name, kind, default=default))
    return inspect.Signature(found)


TYPES = {
    "count": "int",
    "number": "float",
    "flag": "bool",
    "choice": "str",
    "widths": "tuple of int",
    "text": "str or path",
    "vector": "array",
}


def _lines_of(row: Option, task: str) -> Iterator[str]:
    name = parameter_name(row["name"])
    kind = TYPES[row["type"]]
    if row["choices"]:
        kind = "{" + ", ".join(repr(word) for word in row["choices"]) + "}"
    if row["name"] == "method":
        kind = "str"
    if row["may_be_open"]:
        kind += " or 'auto'"
    if row["name"] == "seed":
        kind += ", RandomState or Generator"
    yield f"{name} : {kind}, default={DEFAULTS.get(row['name'])!r}"
    text = row["help"][0].upper() + row["help"][1:] + "."
    if row["name"] == "method":
        all_of = [method["name"] for method in _imsat.methods() if task in method["tasks"]]
        text = f"How to learn: {', '.join(all_of)}. imsat.methods() has a line on each."
    if row["fallback"] and row["name"] not in DEFAULTS:
        text += f" None: {row['fallback']}."
    yield from _indented(text)


def _indented(text: str) -> list[str]:
    return textwrap.wrap(text, 76, initial_indent="    ", subsequent_indent="    ",
                         break_on_hyphens=False)


def describe(task: str) -> str:
    """The section on parameters of an estimator's docstring."""
    lines = ["Parameters", "----------"]
    for row in options_of(task):
        lines += _lines_of(row, task)
    for name, (default, text) in EXTRA.items():
        lines.append(f"{name} : default={default!r}")
        lines += _indented(text[0].upper() + text[1:] + ".")
    return "\n".join(lines)


def seed_of(random_state: Any) -> Any:
    """A seed: an int as it is, or drawn from a generator of NumPy."""
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**31 - 1))
    return random_state


def text_of(name: str, value: Any) -> str:
    """A value as the library reads it."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        return repr(float(value))
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        if "\0" in value:
            raise ValueError(f"{name}: has a zero byte in it")
        return value
    if isinstance(value, (list, tuple, np.ndarray)) and name == "hidden":
        return ",".join(str(int(width)) for width in value) or "none"
    raise TypeError(f"{name}: {value!r} is no value for it")


def texts_of(task: str, parameters: dict[str, Any]) -> dict[str, str]:
    """The options that are set, by the library's names and as text; vectors have none."""
    texts = {}
    for row in options_of(task):
        value = parameters.get(parameter_name(row["name"]))
        if row["name"] == "seed":
            value = seed_of(value)
        if value is not None and row["type"] != "vector":
            texts[row["name"]] = text_of(row["name"], value)
    return texts
