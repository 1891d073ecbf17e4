"""PyTorch as a side of the bench: JSON lines in and out, as bench/run-side.ts has them.

    python3 bench/peers/pytorch.py THREADS cpu|cuda [compile]

GPT-2 by F.scaled_dot_product_attention where there is one, LSTM by nn.LSTM, torch.optim.AdamW (its fused form on CUDA).
"""

import ctypes
import json
import math
import os
import sys
import time

THREADS, DEVICE, COMPILE = int(sys.argv[1]), sys.argv[2], "compile" in sys.argv
for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = str(THREADS)


def say(answer):
    print(json.dumps(answer), flush=True)


try:
    import numpy as np
    import torch
    import torch.nn.functional as F
except ImportError as error:
    sys.stdin.readline()
    say({"notHere": f"{sys.executable} has no {error.name}"})
    sys.exit(0)

torch.set_num_threads(THREADS)


def blas_core():
    """The processor whose kernels PyTorch's OpenBLAS runs; None where it has another library."""
    try:
        with open("/proc/self/maps") as maps:
            paths = {line.split()[-1] for line in maps if "openblas" in line and ".so" in line}
    except OSError:
        return None
    for path in sorted(paths):
        # NumPy's wheels bring one of their own.
        if "numpy" in path or "scipy" in path:
            continue
        library = ctypes.CDLL(path)
        for name in ("openblas_get_corename", "openblas_get_corename64_"):
            if hasattr(library, name):
                ask = getattr(library, name)
                ask.restype = ctypes.c_char_p
                return ask().decode()
    return None


def hashed(stream, count):
    """uint32 [count], as start-values.ts hashes."""
    with np.errstate(over="ignore"):
        x = np.uint32((stream + 1) * 0x9E3779B9 & 0xFFFFFFFF) + np.arange(count, dtype=np.uint32)
        x = (x ^ (x >> np.uint32(16))) * np.uint32(0x7FEB352D)
        x = (x ^ (x >> np.uint32(15))) * np.uint32(0x846CA68B)
        return x ^ (x >> np.uint32(16))


def start_values(places):
    parameters = {}
    for stream, place in enumerate(places):
        shape, start = place["shape"], place["start"]
        if start in ("ones", "zeros"):
            value = np.full(shape, start == "ones", np.float32)
        else:
            width = math.sqrt(12) * start["deviation"]
            drawn = (hashed(stream, math.prod(shape)) / 4294967296 - 0.5) * width
            value = drawn.astype(np.float32).reshape(shape)
        parameters[place["name"]] = torch.nn.Parameter(torch.from_numpy(value).to(DEVICE))
    return parameters


class Gpt(torch.nn.Module):
    def __init__(self, model, parameters):
        super().__init__()
        self.layers, self.heads = model["layers"], model["heads"]
        self.names = {name: name.replace(".", "_") for name in parameters}
        for name, value in parameters.items():
            self.register_parameter(self.names[name], value)

    def forward(self, ids):
        p = lambda name: getattr(self, self.names[name])
        norm = lambda x, n: F.layer_norm(x, x.shape[-1:], p(f"{n}.weight"), p(f"{n}.bias"))
        project = lambda x, n: torch.addmm(p(f"{n}.bias"), x, p(f"{n}.weight"))  # Conv1D: [in, out]
        (rows, columns), wte = ids.shape, p("transformer.wte.weight")
        x = (F.embedding(ids, wte) + p("transformer.wpe.weight")[:columns]).flatten(0, 1)
        for layer in range(self.layers):
            h = f"transformer.h.{layer}"
            qkv = project(norm(x, f"{h}.ln_1"), f"{h}.attn.c_attn").view(rows, columns, 3, self.heads, -1)
            q, k, v = qkv.permute(2, 0, 3, 1, 4)
            attended = attention(q, k, v).transpose(1, 2).reshape(rows * columns, -1)
            x = x + project(attended, f"{h}.attn.c_proj")
            x = x + project(gelu(project(norm(x, f"{h}.ln_2"), f"{h}.mlp.c_fc")), f"{h}.mlp.c_proj")
        return (norm(x, "transformer.ln_f") @ wte.T).view(rows, columns, -1)


def gelu(x):
    return F.gelu(x, approximate="tanh")


def attention(q, k, v):
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, is_causal=True)
    columns = q.shape[2]
    if columns not in masks:
        masks[columns] = torch.full((columns, columns), -math.inf, device=q.device).triu(1)
    scores = (q * (1 / math.sqrt(q.shape[-1]))) @ k.transpose(2, 3) + masks[columns]
    return torch.softmax(scores, -1) @ v


masks = {}


class Lstm(torch.nn.Module):
    def __init__(self, model, parameters):
        super().__init__()
        d = model["width"]
        self.embedding = torch.nn.Embedding(model["vocabulary"], d)
        self.lstm = torch.nn.LSTM(d, d, model["layers"], batch_first=True)
        self.head = torch.nn.Linear(d, model["vocabulary"])
        self.to(DEVICE).load_state_dict(parameters)

    def forward(self, ids):
        return self.head(self.lstm(self.embedding(ids))[0])


class Side:
    def prepare(self, workload):
        model, rows, columns = workload["model"], workload["rows"], workload["columns"]
        if DEVICE == "cuda" and not torch.cuda.is_available():
            return {"notHere": f"PyTorch {torch.__version__} has no CUDA device here"}
        parameters = start_values(workload["parameters"])
        self.model = (Lstm if model["kind"] == "lstm" else Gpt)(model, parameters)
        forward = torch.compile(self.model) if COMPILE else self.model
        drawn = 3 + hashed(999, rows * columns) % np.uint32(model["vocabulary"] - 3)
        ids = torch.from_numpy(drawn.astype(np.int64).reshape(rows, columns)).to(DEVICE)
        targets = ids[:, 1:].flatten()
        self.loss = lambda: F.cross_entropy(forward(ids)[:, :-1].flatten(0, 1), targets)
        o = workload["optimizer"]
        self.optimizer = torch.optim.AdamW(
            self.model.parameters(),
            lr=o["learningRate"],
            betas=(o["beta1"], o["beta2"]),
            eps=o["epsilon"],
            weight_decay=o["weightDecay"],
            **({"fused": True} if DEVICE == "cuda" else {"foreach": True}),
        )
        name = torch.cuda.get_device_name() if DEVICE == "cuda" else "cpu"
        core = None if DEVICE == "cuda" else blas_core()
        kernels = f", OpenBLAS {core}" if core else ""
        return {"threads": THREADS, "device": f"{name}, PyTorch {torch.__version__}{kernels}", "blasCore": core}

    def steps(self, count):
        losses, started = [], time.perf_counter()
        for _ in range(count):
            loss = self.loss()
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            # Read at the end: on CUDA the next step is queued while this one runs.
            losses.append(loss.detach())
        losses = torch.stack(losses).tolist()
        return {"losses": losses, "milliseconds": 1000 * (time.perf_counter() - started)}

    def peak(self):
        size, repeats, best = (4096 if DEVICE == "cuda" else 1024), 10, 0
        a, b = (torch.rand(size, size, device=DEVICE) for _ in range(2))
        for _ in range(5):
            started = time.perf_counter()
            for _ in range(repeats):
                c = a @ b
            c[0, 0].item()
            best = max(best, repeats * 2 * size**3 / (time.perf_counter() - started))
        return {"peak": best}


side = Side()
for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "dispose":
        say({})
        break
    try:
        if request["do"] == "prepare":
            say(side.prepare(request["workload"]))
        elif request["do"] == "steps":
            say(side.steps(request["count"]))
        else:
            say(side.peak())
    except Exception as error:
        say({"error": f"{type(error).__name__}: {error}"})
