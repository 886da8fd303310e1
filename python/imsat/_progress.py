# SPDX-License-Identifier: MIT
"""Where a training stands, told to a function or shown as a bar."""
from __future__ import annotations

import dataclasses
import sys
import time
from typing import Any, Callable


@dataclasses.dataclass(frozen=True)
class Progress:
    """Where a training stands. Its numbers are of an epoch if `epoch_done`."""

    stage: str  # "prepare", "radius", "race", "train", "evaluate"
    fraction: float  # of this stage, 0 to 1
    run: int  # which run, from 0
    runs: int
    epoch: int  # finished of this run,
    epochs: int  # and of how many; 0: it has none
    epoch_done: bool
    seconds: float  # of that epoch's training steps
    objective: float  # the epoch's mean of the training objective
    mu: float
    terms: dict[str, float] | None  # of the objective


def _in_notebook() -> bool:
    """Whether output goes to a notebook, which is loaded already if it does."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and "IPKernelApp" in getattr(shell, "config", {})


class Bar:
    """A line that is written anew: on a terminal, or in the output of a notebook.

    Where there is neither, a line is written when a run ends.
    """

    WIDTH = 30

    def __init__(self, stream: Any = None, notebook: bool | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._terminal = bool(getattr(self._stream, "isatty", lambda: False)())
        self._notebook = _in_notebook() if notebook is None else notebook
        self._display: Any = None
        self._started = time.monotonic()
        self._objective = float("nan")

    def text(self, progress: Progress) -> str:
        """The line."""
        if progress.epoch_done:
            self._objective = progress.objective
        full = round(self.WIDTH * progress.fraction)
        line = f"{progress.stage:8} [{'#' * full}{'.' * (self.WIDTH - full)}]"
        if progress.stage in ("train", "race"):
            line += f" run {progress.run + 1}/{progress.runs}"
            if progress.epochs:
                line += f" epoch {progress.epoch}/{progress.epochs}"
            if self._objective == self._objective:
                line += f" objective {self._objective:.4f}"
        return f"{line} {time.monotonic() - self._started:.0f} s"

    def __call__(self, progress: Progress) -> None:
        line = self.text(progress)
        if self._notebook:
            self._show({"text/plain": line})
        elif self._terminal:
            self._stream.write(f"\r{line}\x1b[K")
            self._stream.flush()
        elif progress.epoch_done and progress.epoch == progress.epochs:
            self._stream.write(line + "\n")

    def _show(self, content: dict[str, str]) -> None:
        from IPython.display import display  # only where a notebook has loaded it

        if self._display is None:
            self._display = display(content, raw=True, display_id=True)
        else:
            self._display.update(content, raw=True)

    def close(self) -> None:
        """Leave the line."""
        if self._terminal and not self._notebook:
            self._stream.write("\n")
            self._stream.flush()


def callback_of(progress: Callable[[Progress], Any] | None,
                bar: Bar | None) -> Callable[[dict[str, Any]], Any] | None:
    """What the library calls: the user's function, and the bar."""
    if progress is None and bar is None:
        return None

    def tell(fields: dict[str, Any]) -> bool:
        state = Progress(**fields)
        if bar is not None:
            bar(state)
        return bool(progress(state)) if progress is not None else False

    return tell
