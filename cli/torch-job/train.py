"""Continues a run of Blindfold: same batches, objective, optimiser and learning rates, from the newest checkpoint here.

    torchrun --nproc-per-node 4 train.py        (or: accelerate launch train.py; or: python train.py)

It needs torch, transformers, safetensors and numpy. It writes checkpoint-*.safetensors beside itself, each a whole run
(weights, moments, curve, settings) that the lab opens, and goes on from the newest when it is started again.
"""

import argparse, json, math, os
from pathlib import Path

import numpy as np
import torch
import torch.distributed as dist
from safetensors import safe_open
from safetensors.torch import save_file
from torch.nn.functional import cross_entropy
from transformers import AutoConfig, AutoModelForCausalLM

HERE = Path(__file__).resolve().parent
JOB = json.loads((HERE / "job.json").read_text())


# The lab's random numbers (sfc32, seeded by a hash of a key), so that games are met in the order in which it meets them.


def seeded(*key):
    mask = 0xFFFFFFFF
    h = [0xDEADBEEF, 0x41C6CE57, 0x9E3779B9]
    for code in "\x01".join(map(str, key)).encode():
        h = [((x ^ code) * k) & mask for x, k in zip(h, (2654435761, 1597334677, 2246822519))]
    for i in range(3):
        after = h[(i + 1) % 3]
        h[i] = ((h[i] ^ h[i] >> 16) * 2246822507 ^ (after ^ after >> 13) * 3266489909) & mask
    a, b, c, counter = *h, 1

    def draw():
        nonlocal a, b, c, counter
        t = (a + b + counter) & mask
        counter = (counter + 1) & mask
        a = b ^ b >> 9
        b = (c + (c << 3)) & mask
        c = ((c << 21 | c >> 11) + t) & mask
        return t

    for _ in range(12):
        draw()
    return lambda: (draw() * 2097152 + (draw() >> 11)) / 9007199254740992


def shuffle(items, random):
    for i in range(len(items) - 1, 0, -1):
        j = int(random() * (i + 1))
        items[i], items[j] = items[j], items[i]
    return items


class Row(list):
    """The tokens of a game, the name of the piece that moves behind its start square (-100 elsewhere), and with the objective
    "legal" what the rules allow in the place of each, [tokens, words]."""

    pieces, sets = (), None


class Batches:
    """The rows of a step, a function of the seed and the step: each epoch has every game once, in a new order."""

    def __init__(self, config):
        self.seed, self.games, self.context = config["seed"], config["batch"], config["model"]["context"]
        self.tokens = np.load(HERE / "tokens.npy", mmap_mode="r")
        self.starts = np.load(HERE / "starts.npy").tolist()
        self.steps = math.ceil((len(self.starts) - 1) / self.games)
        self.names, self.share = set(JOB["names"]["tokens"]), JOB["names"]["share"]
        self.sets = None
        if JOB["legal"]:
            self.sets = np.load(HERE / "legal.npy", mmap_mode="r").reshape(-1, JOB["legal"]["words"])
        self.epoch = None

    def enter(self, epoch):
        self.order = shuffle(list(range(len(self.starts) - 1)), seeded("order", self.seed, epoch))
        self.epoch = epoch

    def row(self, game):
        first, end = self.starts[game : game + 2]
        tokens = self.tokens[first:end].tolist()
        kept = range(len(tokens))
        if self.names and self.share < 1:  # piece names stand before a share of the moves, drawn anew in each epoch
            random = seeded("notation", self.seed, self.epoch, game)
            kept = [at for at in kept if tokens[at] not in self.names or random() < self.share]
        row = Row([tokens[at] for at in kept][: self.context])
        # Behind which token the name of a piece is a second target: its start square, whether it was written or not.
        row.pieces = [tokens[at - 1] if at and tokens[at - 1] in self.names else -100 for at in kept][: self.context]
        if self.sets is not None:
            # A name that is left out has the set of the token behind it; one that is written forbids nothing.
            left_out = set(range(len(tokens))).difference(kept)
            row.sets = self.sets[first:end][[at - 1 if at - 1 in left_out else at for at in kept]][: self.context]
            row.sets[[token in self.names for token in row]] = 0xFFFFFFFF
        return row

    def __call__(self, step):
        if self.epoch != step // self.steps:
            self.enter(step // self.steps)
        place = step % self.steps * self.games
        return [self.row(game) for game in self.order[place : place + self.games]]


class Model(torch.nn.Module):
    """The model of Hugging Face; where it has slots, with one more vector for each token, told from the spelling alone."""

    def __init__(self, config):
        super().__init__()
        self.net = AutoModelForCausalLM.from_config(AutoConfig.from_pretrained(HERE), attn_implementation="sdpa")
        self.net.config.use_cache = False
        self.grammar, self.window = JOB["slots"], config["model"].get("window") if JOB["kind"] == "gpt2" else None
        # Names of pieces that are read and not learned.
        self.hints = set() if config.get("predictNames", True) else set(JOB["names"]["tokens"])
        self.piece = 0.0  # the weight of the piece that moves at this step
        self.slots = None
        if self.grammar:
            embedding = self.net.get_input_embeddings()
            self.slots = torch.nn.Embedding(self.grammar["count"], embedding.embedding_dim)
            # Under the name that it has in the lab's files.
            setattr(self.net.base_model, self.grammar["name"], self.slots)

    def slots_of(self, row):
        state, slots = 0, []
        for token in row:
            at = state * (len(self.grammar["slot"]) // self.grammar["states"]) + token
            slots.append(self.grammar["slot"][at])
            state = self.grammar["next"][at]
        return slots

    def forward(self, rows):
        """The sum of the losses of all targets: of each row, every token after the first, hints apart."""
        device = self.net.device

        def padded(rows, fill):
            longest = max(map(len, rows))
            return torch.tensor([[*row, *[fill] * (longest - len(row))] for row in rows], device=device)

        inputs = padded([row[:-1] for row in rows], 0)
        targets = padded([[-100 if token in self.hints else token for token in row[1:]] for row in rows], -100)
        x = self.net.get_input_embeddings()(inputs)
        if self.slots is not None:
            x = x + self.slots(padded([self.slots_of(row[:-1]) for row in rows], 0))
        mask = None  # causal; what is padded stands behind all that is learned
        if self.window:
            t = torch.arange(inputs.shape[1], device=device)
            seen = (t[None] <= t[:, None]) & (t[None] > t[:, None] - self.window)
            mask = torch.where(seen, 0.0, torch.finfo(x.dtype).min).expand(len(rows), 1, -1, -1)
        logits = self.net(inputs_embeds=x, attention_mask=mask, use_cache=False).logits.float()
        real = torch.arange(inputs.shape[1], device=device) < torch.tensor([[len(row) - 1] for row in rows], device=device)
        return self.loss(rows, logits[real], targets[real])

    def loss(self, rows, logits, targets):
        """Of the rows' tokens after the first, end to end: logits [N, V], targets [N].

        With a weight for the piece that moves it has that name's beside the next token's, behind each start square.
        With the objective "legal" it has the semantic loss of Xu et al. (2018) beside the next token's: -log of the
        probability of all that the rules allow.
        """
        loss = cross_entropy(logits, targets, ignore_index=-100, reduction="sum")
        if self.piece:
            pieces = torch.tensor([piece for row in rows for piece in row.pieces[:-1]], device=logits.device)
            loss = loss + self.piece * cross_entropy(logits, pieces, ignore_index=-100, reduction="sum")
        if JOB["legal"]:
            words = np.concatenate([row.sets[1:] for row in rows]).astype("<u4")
            bits = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little")[:, : logits.shape[1]]
            forbidden = torch.from_numpy(bits == 0).to(logits.device)
            within = logits.masked_fill(forbidden, -math.inf).logsumexp(-1) - logits.logsumexp(-1)
            loss = loss - JOB["legal"]["weight"] * within[targets != -100].sum()
        return loss


class Optimizer:
    """AdamW; with Muon, the matrices inside the layers are moved alike in all their directions (Jordan et al. 2024)."""

    def __init__(self, config, named, moments, step):
        self.plan, self.schedule, self.step_ = config["optimizer"], config["schedule"], step
        self.named, self.moments = named, moments
        self.matrices = JOB["matrices"]
        by_muon = {block["name"] for block in self.matrices}
        rest = [name for name in named if name not in by_muon]
        p = self.plan
        self.adamw = torch.optim.AdamW(
            [named[name] for name in rest],
            betas=(p["beta1"], p["beta2"]), eps=p["epsilon"], weight_decay=p["weightDecay"],
        )
        for name in rest:
            state = {"step": torch.tensor(float(step)), "exp_avg": moments["m." + name], "exp_avg_sq": moments["v." + name]}
            self.adamw.state[named[name]] = state

    def share(self, step):
        steps, warmup, floor = (self.schedule[key] for key in ("steps", "warmup", "floor"))
        rising = math.floor(warmup * steps + 0.5)
        if step < rising:
            return step / max(1, rising)
        return floor + (1 - floor) * max(0, (steps - step) / max(1, steps - rising))

    @torch.no_grad()
    def step(self, step):
        """The gradients' norm, having moved the weights as the lab does at this step, which counts from 0."""
        p = self.plan
        limit = p["clipNorm"] if p["clipNorm"] > 0 else math.inf
        norm = torch.nn.utils.clip_grad_norm_(self.named.values(), limit)
        self.adamw.param_groups[0]["lr"] = self.share(step) * p["learningRate"]
        self.adamw.step()
        if self.matrices:
            risen = min(1, step / max(1, p["momentumSteps"]))
            momentum = p["momentum"]
            if p["momentumSteps"]:
                momentum = p["momentumStart"] + risen * (p["momentum"] - p["momentumStart"])
            rate = self.share(step) * p["matrixRate"]
            steps = []
            for block in self.matrices:
                parameter, first = self.named[block["name"]], self.moments["m." + block["name"]]
                gradient, first = self.part(parameter.grad, block), self.part(first, block)
                fresh = (1 - momentum) * gradient
                first.mul_(momentum).add_(fresh)
                steps.append(fresh + momentum * first)
            for block, moved in zip(self.matrices, self.orthogonal(steps)):
                scale = math.sqrt(max(1, block["outputs"] / block["inputs"]))
                weight = self.part(self.named[block["name"]], block)
                weight.mul_(1 - rate * p["matrixDecay"]).add_(moved, alpha=-rate * scale)
        self.step_ += 1
        return norm.item()

    def orthogonal(self, steps):
        return map(orthogonal, steps)

    @staticmethod
    def part(tensor, block):
        top, left = divmod(block["offset"], block["stride"])
        return tensor.view(-1, block["stride"])[top : top + block["rows"], left : left + block["columns"]]


def orthogonal(x):
    if x.shape[0] > x.shape[1]:
        return orthogonal(x.T).T
    x = x / (x.norm() + 1e-7)
    for _ in range(5):
        gram = x @ x.T
        x = 3.4445 * x + (-4.775 * gram + 2.0315 * gram @ gram) @ x
    return x


def newest():
    return max(HERE.glob("checkpoint-*.safetensors"), key=lambda path: int(path.stem.split("-")[1]))


def save(metadata, step, seen, named, optimizer, losses):
    tensors = {**{name: p.detach() for name, p in named.items()}, "curve.losses": torch.tensor(losses)}
    tensors |= {"optimizer." + name: moment for name, moment in optimizer.moments.items()}
    metadata = metadata | {"step": str(step), "tokensSeen": str(seen), "optimizerStep": str(optimizer.step_)}
    path = HERE / f"checkpoint-{step:09d}.safetensors"
    part = path.with_suffix(".part")
    save_file({name: tensor.contiguous().cpu() for name, tensor in tensors.items()}, part, metadata)
    os.replace(part, path)
    for old in sorted(HERE.glob("checkpoint-*.safetensors"))[:-2]:
        old.unlink()


def main(model_of=Model, optimizer_of=Optimizer):
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--until", type=int, help="stop after this step, with a checkpoint; the schedule stays")
    until = arguments.parse_args().until
    launched = {"RANK": 0, "WORLD_SIZE": 1, "LOCAL_RANK": 0}  # as torchrun and accelerate say
    rank, world, local = (int(os.environ.get(name, usual)) for name, usual in launched.items())
    cuda = torch.cuda.is_available()
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    if world > 1:
        dist.init_process_group("nccl" if cuda else "gloo")

    with safe_open(newest(), "pt") as file:
        metadata, found = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}
    config = json.loads(metadata["config"])
    losses = found.pop("curve.losses").tolist()
    moments = {name[10:]: found.pop(name).to(device) for name in list(found) if name.startswith("optimizer.")}
    model = model_of(config).to(device)
    missing, foreign = model.net.load_state_dict(found, strict=False)
    assert not foreign and set(missing) <= {"lm_head.weight"}, (missing, foreign)
    model.net.tie_weights()
    named = dict(model.net.named_parameters())
    assert set(named) == set(found), set(named) ^ set(found)
    optimizer = optimizer_of(config, named, moments, int(metadata["optimizerStep"]))
    batches = Batches(config)
    torch.manual_seed(config["seed"] + rank)
    model.train()
    spread = torch.nn.parallel.DistributedDataParallel(model) if world > 1 else model

    step, seen, last = int(metadata["step"]), int(metadata["tokensSeen"]), config["schedule"]["steps"]
    while step < (end := min(last, until or last)):
        rows = batches(step)
        count = sum(token not in model.hints for row in rows for token in row[1:])
        mine = rows[rank::world]
        # The second target loses its weight over the last tenth of the run.
        model.piece = JOB["piece"] * min(1, (last - step) / (0.1 * last))
        # A process with no rows learns nothing from one, so that all meet; gradients are averaged over the processes.
        loss = spread(mine or rows[:1]) * (1.0 if mine else 0.0) / count
        model.zero_grad()
        (loss * world).backward()
        total = loss.detach().clone()
        if world > 1:
            dist.all_reduce(total)
        norm, loss = optimizer.step(step), total.item()
        if not (math.isfinite(loss) and math.isfinite(norm)):
            raise SystemExit(f"Loss or gradient was no finite number at step {step + 1}; the last checkpoint is the last good one.")
        tokens = sum(len(row) - 1 for row in rows)
        step, seen = step + 1, seen + tokens
        losses.append(loss)
        if rank == 0:
            print(json.dumps({"step": step, "loss": loss, "tokens": tokens, "gradientNorm": norm}), flush=True)
            if step == end or step % config["checkpointEvery"] == 0:
                save(metadata, step, seen, named, optimizer, losses)
    if world > 1:
        dist.barrier()  # the first process never ends where another leaves while it still writes
        dist.destroy_process_group()


if __name__ == "__main__":
    main()
