# SPDX-License-Identifier: MIT
"""How many clusters: a Pipeline of scikit-learn, searched over k by stability.

    python3 02_pipeline.py

Several runs from different seeds find the same clusters if the data has so many, and different ones
if it has not. No label is needed for that; they only show, in the end, what the choice is worth.
"""
import imsat
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler


def stability(pipeline, X, y=None):
    """How far the runs of the fitted model agree."""
    return pipeline[-1].agreement_


X, truth = load_wine(return_X_y=True)
pipeline = Pipeline([
    ("scale", StandardScaler()),
    ("cluster", imsat.IMSAT(n_runs=5, hidden=(50,), epochs=100, random_state=0)),
])
everything = [(np.arange(len(X)), np.arange(len(X)))]  # no part is held out: nothing is fitted to y
search = GridSearchCV(pipeline, {"cluster__n_clusters": [2, 3, 4, 5, 6]}, scoring=stability,
                      cv=everything)
search.fit(X)
for k, score in zip(search.cv_results_["param_cluster__n_clusters"],
                    search.cv_results_["mean_test_score"]):
    print(f"k = {k}: the runs agree by {score:.2f}")
print("chosen:", search.best_params_["cluster__n_clusters"], "clusters")
labels = search.best_estimator_[-1].labels_
print(f"beside the truth: {imsat.metrics.accuracy(truth, labels):.2f} of the wines")
