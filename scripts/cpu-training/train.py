"""Trains the LFM2 of a torch-job on one CPU core, two to three times as fast as the job's own train.py.

    python scripts/cpu-training/train.py JOB [--until STEP]

JOB is a folder that this version's `blindfold export --to torch-job` wrote. Batches, objective, learning rates and
checkpoints are those of its train.py, which this script imports. Rows stand end to end instead of padded, kernels.cpp does
what lies between matrix products, products are of bfloat16 with sums in 32 bits, and Muon takes all matrices of one shape
together. Losses differ from train.py's by the rounding of 16-bit numbers.

It needs a processor with AVX-512 and bfloat16, torch 2.4 or newer, transformers, safetensors, numpy, ninja and a C++
compiler.
"""

import importlib.util, os, sys
from pathlib import Path

# Keep freed memory: returning it and asking for it again takes a tenth of a step. glibc reads these when it starts.
KEEP = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "100000000000", "MALLOC_TOP_PAD_": "500000000"}
HERE = Path(__file__).resolve().parent
SCRIPT = Path(sys.argv[1] if len(sys.argv) > 1 else "").resolve() / "train.py"
if not SCRIPT.is_file():
    raise SystemExit(__doc__.strip())
if __name__ == "__main__" and "MALLOC_TOP_PAD_" not in os.environ:
    here = {"OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, **KEEP, **here})

import torch
from torch.nn.functional import embedding, linear, pad, rms_norm
from torch.utils.cpp_extension import load

FLAGS = ["-O3", "-march=native", "-ffast-math", "-fno-finite-math-only"]
kernels = load("blindfold_lfm2", [str(HERE / "kernels.cpp")], extra_cflags=FLAGS)

del sys.argv[1]
spec = importlib.util.spec_from_file_location("job", SCRIPT)
job = importlib.util.module_from_spec(spec)
spec.loader.exec_module(job)


class Attention(torch.autograd.Function):
    @staticmethod
    def forward(context, qkv, q_weight, k_weight, cos, sin, starts, heads):
        out, log_sums = kernels.attention(qkv, q_weight, k_weight, cos, sin, starts, heads)
        context.save_for_backward(qkv, q_weight, k_weight, cos, sin, out, log_sums)
        context.starts, context.heads = starts, heads
        return out

    @staticmethod
    def backward(context, gradient):
        found = kernels.attention_gradient(*context.saved_tensors, gradient, context.starts, context.heads)
        return *found, None, None, None, None


class AddNorm(torch.autograd.Function):
    """The residual stream with what a layer adds, and its RMS norm."""

    @staticmethod
    def forward(context, x, added, weight):
        total, normed, norms = kernels.add_norm(x, added, weight)
        context.save_for_backward(total, weight, norms)
        context.first = added is None
        return total.view_as(total), normed

    @staticmethod
    def backward(context, total, normed):
        x, added, weight = kernels.add_norm_gradient(*context.saved_tensors, total, normed)
        return x, None if context.first else added, weight


class Gated(torch.autograd.Function):
    @staticmethod
    def forward(context, both):
        context.save_for_backward(both)
        return kernels.gated(both)

    @staticmethod
    def backward(context, gradient):
        return kernels.gated_gradient(*context.saved_tensors, gradient)


class PackedModel(job.Model):
    """An LFM2 whose rows stand end to end; its parameters are those of Hugging Face's."""

    def __init__(self, config):
        super().__init__(config)
        settings = config["model"]
        if settings["kind"] != "lfm2":
            raise SystemExit(f"This script trains an LFM2, and this job is a {settings['kind']}; use the job's train.py.")
        self.pattern, self.heads, self.width = settings["pattern"], settings["heads"], settings["width"]
        head = self.width // self.heads
        if self.width % 16 or settings["mlp"] % 16 or head not in (24, 32, 48, 64) or settings["context"] > 353:
            raise SystemExit(
                "This script has widths and gated units that are multiples of 16, heads of 24, 32, 48 or 64, and a context "
                f"of at most 353 tokens; this job has {self.width}, {settings['mlp']}, {head} and {settings['context']}. "
                "Use the job's train.py."
            )
        turns = settings["rotaryBase"] ** (-torch.arange(0, head, 2).float() / head)
        angles = torch.arange(settings["context"]).float()[:, None] * turns
        self.cos, self.sin = angles.cos(), angles.sin()

    def forward(self, rows):
        starts, places = [0], []
        for row in rows:
            starts.append(starts[-1] + len(row) - 1)
            places += range(len(row) - 1)
        inputs = torch.tensor([token for row in rows for token in row[:-1]])
        targets = torch.tensor([-100 if token in self.hints else token for row in rows for token in row[1:]])
        x = embedding(inputs, self.net.model.embed_tokens.weight)
        if self.slots is not None:
            x = x + embedding(torch.tensor([slot for row in rows for slot in self.slots_of(row[:-1])]), self.slots.weight)
        added, places = None, torch.tensor(places)[:, None]
        for kind, layer in zip(self.pattern, self.net.model.layers):
            x, y = AddNorm.apply(x, added, layer.operator_norm.weight)
            added = self.convolved(layer.conv, y, places) if kind == "c" else self.attended(layer.self_attn, y, starts)
            x, y = AddNorm.apply(x, added, layer.ffn_norm.weight)
            unit = layer.feed_forward
            added = product(Gated.apply(product(y, unit.w1.weight, unit.w3.weight)), unit.w2.weight)
        x = rms_norm(x + added.float(), (self.width,), self.net.model.embedding_norm.weight, 1e-5)
        logits = linear(x, self.net.lm_head.weight)
        return self.loss(rows, logits, targets)

    def attended(self, layer, y, starts):
        qkv = product(y, layer.q_proj.weight, layer.k_proj.weight, layer.v_proj.weight)
        weights = layer.q_layernorm.weight, layer.k_layernorm.weight
        return product(Attention.apply(qkv, *weights, self.cos, self.sin, starts, self.heads), layer.out_proj.weight)

    @staticmethod
    def convolved(layer, y, places):
        """@param places of the tokens in their rows [N, 1], so that no row reads the end of the one before"""
        b, c, x = product(y, layer.in_proj.weight).chunk(3, -1)
        x, taps = b * x, layer.conv.weight[:, 0].to(torch.bfloat16)
        out = x * taps[:, -1]
        for back in range(1, taps.shape[1]):
            out = out + pad(x, (0, 0, back, 0))[: len(x)] * (places >= back) * taps[:, -1 - back]
        return product(c * out, layer.out_proj.weight)


def product(x, *weights):
    """Of rows in bfloat16 with one matrix, or with several side by side."""
    return linear(x, (weights[0] if len(weights) == 1 else torch.cat(weights)).to(torch.bfloat16))


class BatchedOptimizer(job.Optimizer):
    def orthogonal(self, steps):
        """All matrices of one shape together, in bfloat16, which Newton and Schulz's iteration bears (Jordan et al. 2024)."""
        shapes = {}
        for at, step in enumerate(steps):
            shapes.setdefault(step.shape, []).append(at)
        found = [None] * len(steps)
        for places in shapes.values():
            x = torch.stack([steps[at] for at in places])
            high = x.shape[1] > x.shape[2]
            x = x.mT if high else x
            x = (x / (x.norm(dim=(1, 2), keepdim=True) + 1e-7)).to(torch.bfloat16)
            for _ in range(5):
                gram = x @ x.mT
                x = torch.baddbmm(x, torch.baddbmm(gram, gram, gram, beta=-4.775, alpha=2.0315), x, beta=3.4445)
            for at, moved in zip(places, (x.mT if high else x).float()):
                found[at] = moved
        return found


if __name__ == "__main__":
    torch.set_num_threads(1)
    job.main(PackedModel, BatchedOptimizer)
