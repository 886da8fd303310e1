# SPDX-License-Identifier: MIT
"""Print imsat/__init__.pyi, the types of the package, as type checkers read them.

Parameters of the estimators are made of the library's table when the package is loaded, so no
checker could find them in the sources. setup.py puts what this prints into the wheel.
"""
from __future__ import annotations

import dataclasses
import inspect
from typing import Any, Iterator

import imsat
from imsat import _options

HEAD = '''# SPDX-License-Identifier: MIT
# Written by stubs.py.
import dataclasses
import os
from typing import Any, Callable, Literal, NamedTuple, Sequence

import numpy as np

from . import metrics as metrics

Path = str | os.PathLike[str]

__version__: str
'''

KINDS = {
    "count": "int",
    "number": "float",
    "flag": "bool",
    "widths": "Sequence[int] | str",
    "text": "Path",
    "vector": "Sequence[float] | np.ndarray",
}

EXTRA = {
    "image": "tuple[int, ...] | None",
    "augment": "Callable[[np.ndarray, np.ndarray, int], Any] | None",
    "progress": "Callable[[Progress], Any] | None",
    "verbose": "int",
}


def option_type(row: dict[str, Any]) -> str:
    """The type of a parameter that is an option."""
    if row["name"] == "method":
        return "str"
    if row["choices"]:
        kind = f"Literal[{', '.join(repr(word) for word in row['choices'])}]"
    else:
        kind = KINDS[row["type"]]
    if row["may_be_open"] and "str" not in kind:
        kind += " | Literal['auto']"
    if row["name"] == "seed":
        kind += " | np.random.RandomState | np.random.Generator"
    return kind if row["name"] in _options.DEFAULTS else f"{kind} | None"


def constructor(task: str) -> Iterator[str]:
    """__init__ of an estimator, a parameter a line."""
    defaults = _options.defaults_of(task)
    types = {_options.parameter_name(row["name"]): option_type(row)
             for row in _options.options_of(task)} | EXTRA
    yield "    def __init__("
    yield "        self,"
    for i, (name, default) in enumerate(defaults.items()):
        yield f"        {name}: {types[name]} = {default!r},"
        if i == 0:
            yield "        *,"
    yield "    ) -> None: ..."


MARKS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def parameters(signature: inspect.Signature) -> Iterator[str]:
    """Parameters; annotations are strings, as they were written."""
    by_place = True
    for parameter in signature.parameters.values():
        text = MARKS.get(parameter.kind, "") + parameter.name
        if parameter.kind is parameter.KEYWORD_ONLY and by_place:
            yield "*"
        by_place &= parameter.kind not in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        if parameter.annotation is not parameter.empty:
            text += f": {parameter.annotation}"
        if parameter.default is not parameter.empty:
            text += f" = {parameter.default!r}"
        yield text


def function(name: str, value: Any, indent: str = "", decorator: str = "") -> Iterator[str]:
    """A function or a method."""
    if decorator:
        yield f"{indent}@{decorator}"
    signature = inspect.signature(value)
    all_of = list(parameters(signature))
    line = f"{indent}def {name}({', '.join(all_of)}) -> {signature.return_annotation}: ..."
    if len(line) <= 100:
        yield line
        return
    yield f"{indent}def {name}("
    for text in all_of:
        yield f"{indent}    {text},"
    yield f"{indent}) -> {signature.return_annotation}: ..."


def members(kind: type) -> dict[str, Any]:
    """What is public of a class and of those that it is made of."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__[:-1]):
        found |= {name: value for name, value in vars(base).items() if not name.startswith("_")}
    return found


def fields(kind: type) -> Iterator[str]:
    """Attributes that are declared."""
    for base in reversed(kind.__mro__[:-1]):
        for name, annotation in getattr(base, "__annotations__", {}).items():
            if not name.startswith("_"):
                yield f"    {name}: {annotation}"


def methods(kind: type) -> Iterator[str]:
    """Methods and properties."""
    for name, value in members(kind).items():
        if isinstance(value, property):
            yield from function(name, value.fget, "    ", "property")
        elif isinstance(value, classmethod):
            yield from function(name, value.__func__, "    ", "classmethod")
        elif inspect.isfunction(value):
            yield from function(name, value, "    ")


def class_of(name: str, kind: type) -> Iterator[str]:
    """A class."""
    if issubclass(kind, Exception):
        bases = ", ".join(base.__name__ for base in kind.__bases__)
        yield f"class {name}({bases}): ..."
    elif issubclass(kind, tuple):
        yield f"class {name}(NamedTuple):"
        for field, annotation in inspect.get_annotations(kind).items():
            yield f"    {field}: {getattr(annotation, '__forward_arg__', annotation)}"
    elif dataclasses.is_dataclass(kind):
        yield "@dataclasses.dataclass(frozen=True)"
        yield f"class {name}:"
        yield from fields(kind)
    else:
        yield f"class {name}:"
        yield from fields(kind)
        if hasattr(kind, "_task"):
            yield from constructor(kind._task)
        else:
            yield from function("__init__", kind.__init__, "    ")
            yield "    def __len__(self) -> int: ..."
        yield from methods(kind)


def stub() -> str:
    """The whole file."""
    lines = [HEAD]
    order = sorted(imsat.__all__, key=lambda name: (name != "Error", imsat.__all__.index(name)))
    for name in order:
        thing = getattr(imsat, name)
        if inspect.ismodule(thing):
            continue
        lines += class_of(name, thing) if isinstance(thing, type) else function(name, thing)
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print(stub(), end="")
