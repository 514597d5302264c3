"""Reads files of the model room with NumPy alone (no pickle) and prints what it finds as JSON."""

import json
import sys

import numpy as np

folder = sys.argv[1]
found = {}

with np.load(f"{folder}/model.npz", allow_pickle=False) as model:
    found["model"] = {name: model[name].tolist() for name in model.files if name != "meta"}
    found["dtypes"] = {name: str(model[name].dtype) for name in model.files if name in ("weights", "transform_scale")}
    found["meta"] = json.loads(str(model["meta"]))

with open(f"{folder}/model.safetensors", "rb") as file:
    data = file.read()
length = int.from_bytes(data[:8], "little")
header = json.loads(data[8 : 8 + length])
start, end = header["weights"]["data_offsets"]
weights = np.frombuffer(data[8 + length + start : 8 + length + end], "<f4")
found["safetensors"] = weights.reshape(header["weights"]["shape"]).tolist()

found["trace"] = np.genfromtxt(f"{folder}/trace.csv", delimiter=",", skip_header=2).tolist()

raw = np.array(json.load(open(f"{folder}/raw.json")))
with np.load(f"{folder}/certificate.npz", allow_pickle=False) as c:
    meta = json.loads(str(c["meta"]))
    x = ((raw[c["rows"]] - c["transform_shift"]) * c["transform_scale"]).astype("f4").astype("f8")
    x = np.hstack([x, np.full((len(x), 1), float(c["bias"]))])
    w, a, omega, y = c["weights"].astype("f8"), c["dual"], c["omega"], c["labels"]
    cost = c["cost"] if "cost" in c.files else 1 - np.eye(len(c["classes"]))
    lam, total = float(c["lambda"]), omega.sum()
    s = x @ w
    z = -np.sort(-(cost[y] + s - s[np.arange(len(y)), y][:, None]), axis=1)
    if meta["family"] == "usunier":
        phi = np.maximum(z, 0) @ c["rho"]
    else:
        phi = np.maximum(z @ c["rho"], 0)
    primal = lam / 2 * (w**2).sum() + omega @ phi / total
    of_dual = x.T @ (omega[:, None] * a) / (lam * total)
    dual = -lam / 2 * (of_dual**2).sum() - omega @ (cost[y] * a).sum(1) / total
    found["certificate"] = {"primal": primal, "dual": dual}

print(json.dumps(found))
