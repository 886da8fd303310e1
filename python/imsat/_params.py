# SPDX-License-Identifier: MIT
"""What scikit-learn asks of an estimator beside learning: parameters, names of columns, tags, data
frames as output. It is needed for none of it, and only looked at where the user has loaded it.
"""
from __future__ import annotations

import sys
import warnings
from typing import Any

import numpy as np

from ._data import feature_names
from ._options import defaults_of, signature_of


class NotFittedError(ValueError, AttributeError):
    """An estimator that has learned nothing yet was asked for results."""


def not_fitted(estimator: Any) -> Exception:
    """The exception, which is also scikit-learn's for those who can know that one."""
    text = (f"This {type(estimator).__name__} instance is not fitted yet. Call 'fit' with "
            "appropriate arguments before using this estimator.")
    theirs = sys.modules.get("sklearn.exceptions")
    if theirs is None:
        return NotFittedError(text)
    both = type("NotFittedError", (NotFittedError, theirs.NotFittedError), {})
    return both(text)


def constructor(task: str) -> Any:
    """An __init__ that keeps its parameters, those of the library's options for the task."""
    signature = signature_of(task)

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        for name, value in list(bound.arguments.items())[1:]:
            setattr(self, name, value)

    __init__.__signature__ = signature  # type: ignore[attr-defined]
    return __init__


class Parameters:
    """Parameters by name. A class says its task, "cluster" or "hash"."""

    _task: str

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters, by name."""
        return {name: getattr(self, name) for name in sorted(defaults_of(self._task))}

    def set_params(self, **params: Any) -> Any:
        """Change parameters. Those of a fitted model stay what they were until the next fit."""
        known = defaults_of(self._task)
        for name, value in params.items():
            if name not in known:
                raise ValueError(f"Invalid parameter {name!r} for estimator {self!r}. Valid "
                                 f"parameters are: {sorted(known)}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        changed = []
        for name, default in defaults_of(self._task).items():
            value = getattr(self, name)
            if type(value) is not type(default) or repr(value) != repr(default):
                changed.append(f"{name}={value!r}")
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "model_")

    def _get_tags(self) -> dict[str, Any]:
        """For scikit-learn before 1.6."""
        from sklearn.utils._tags import _DEFAULT_TAGS

        return {**_DEFAULT_TAGS, "preserves_dtype": []}

    def __sklearn_tags__(self) -> Any:
        """For scikit-learn from 1.6 on."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(estimator_type=self._estimator_type,  # type: ignore[attr-defined]
                    target_tags=TargetTags(required=False),
                    transformer_tags=TransformerTags(preserves_dtype=[]),
                    input_tags=InputTags(sparse=True))


def _mismatch(fitted: np.ndarray, names: np.ndarray) -> str:
    """What differs between the names of now and then, in scikit-learn's sentences."""

    def listed(some: list[str]) -> str:
        more = ["- ..."] if len(some) > 5 else []
        return "\n".join([f"- {name}" for name in some[:5]] + more) + "\n"

    unexpected = sorted(set(names) - set(fitted))
    missing = sorted(set(fitted) - set(names))
    text = "The feature names should match those that were passed during fit.\n"
    if unexpected:
        text += "Feature names unseen at fit time:\n" + listed(unexpected)
    if missing:
        text += "Feature names seen at fit time, yet now missing:\n" + listed(missing)
    if not unexpected and not missing:
        text += "Feature names must be in the same order as they were in fit.\n"
    return text


class Columns:
    """The number and the names of columns: learned by fit, compared by all else."""

    n_features_in_: int
    feature_names_in_: np.ndarray

    def _learn_columns(self, X: Any, dim: int) -> None:
        names = feature_names(X)
        self.n_features_in_ = dim
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_

    def _check_names(self, X: Any) -> None:
        name = type(self).__name__
        names = feature_names(X)
        fitted = getattr(self, "feature_names_in_", None)
        if names is None and fitted is not None:
            warnings.warn(f"X does not have valid feature names, but {name} was fitted with "
                          "feature names", UserWarning, stacklevel=3)
        elif names is not None and fitted is None:
            warnings.warn(f"X has feature names, but {name} was fitted without feature names",
                          UserWarning, stacklevel=3)
        elif names is not None and list(names) != list(fitted):
            raise ValueError(_mismatch(fitted, names))

    def _check_dim(self, dim: int) -> None:
        if dim != self.n_features_in_:
            raise ValueError(f"X has {dim} features, but {type(self).__name__} is expecting "
                             f"{self.n_features_in_} features as input.")


class Output:
    """What transform() gives: an array, or a data frame if that is asked for."""

    _columns_out: int

    def set_output(self, *, transform: str | None = None) -> Any:
        """Let transform() give a data frame ("pandas"), or an array ("default")."""
        if transform not in (None, "default", "pandas"):
            raise ValueError(f"transform={transform!r}: it is 'default' or 'pandas'")
        if transform is not None:
            self._sklearn_output_config = {"transform": transform}
        return self

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """The names of the columns of transform(): the class and a number."""
        self._check_input_features(input_features)
        prefix = type(self).__name__.lower()
        return np.asarray([f"{prefix}{i}" for i in range(self._columns_out)], dtype=object)

    def _check_input_features(self, names: Any) -> None:
        """They are of no use here, but scikit-learn wants them to be right."""
        if names is None:
            return
        if hasattr(self, "feature_names_in_") and list(names) != list(self.feature_names_in_):
            raise ValueError("input_features is not equal to feature_names_in_")
        dim = self.n_features_in_  # type: ignore[attr-defined]
        if len(names) != dim:
            raise ValueError("input_features should have length equal to number of features "
                             f"({dim}), got {len(names)}")

    def _wrapped(self, X: Any, array: np.ndarray) -> Any:
        config = getattr(self, "_sklearn_output_config", None)
        if config is None and "sklearn" in sys.modules:
            config = {"transform": sys.modules["sklearn"].get_config().get("transform_output")}
        if config is None or config["transform"] != "pandas":
            return array
        import pandas

        return pandas.DataFrame(array, index=getattr(X, "index", None),
                                columns=self.get_feature_names_out(), copy=False)
