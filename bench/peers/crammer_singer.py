"""Fits scikit-learn's LinearSVC (Crammer and Singer) without intercept; prints seconds as JSON, writes coef_ (m x d float64).

Usage: crammer_singer.py DATA FEATURES TOLERANCE OUT
"""
import json
import sys
import time

import sklearn
from sklearn.datasets import load_svmlight_file
from sklearn.svm import LinearSVC

data, features, tolerance, out = sys.argv[1:]
started = time.perf_counter()
x, y = load_svmlight_file(data, n_features=int(features), zero_based=False)
read = time.perf_counter() - started
model = LinearSVC(
    multi_class="crammer_singer", C=1, fit_intercept=False, tol=float(tolerance), max_iter=1_000_000
)
started = time.perf_counter()
model.fit(x, y)
seconds = time.perf_counter() - started
model.coef_.astype("<f8").tofile(out)
classes = [int(c) for c in model.classes_]
print(json.dumps({"seconds": seconds, "read": read, "classes": classes, "version": sklearn.__version__}))
