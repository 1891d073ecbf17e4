import type { Files } from '../interchange/folder.ts';
import { muonMatrices, tokenEmbeddingName } from '../models/model.ts';
import { grammarOf } from '../domains/domains.ts';
import { modelOf } from '../models/of-config.ts';
import { encodeCheckpoint, type Checkpoint } from './checkpoint.ts';
import { checkpointName } from './checkpoint-store.ts';
import { optimizerAt } from './schedule.ts';

/** A run's checkpoint, as it is stored, and a README that says how PyTorch takes weights and optimiser state from it. */
export function checkpointFolder(checkpoint: Checkpoint): Files {
  const name = checkpointName(checkpoint.step);
  const readme = new TextEncoder().encode(readmeOf(name, checkpoint));
  return new Map([
    [name, encodeCheckpoint(checkpoint)],
    ['README.md', readme],
  ]);
}

function readmeOf(name: string, { config, step, parameters }: Checkpoint): string {
  const { optimizer, schedule } = config;
  const [size] = parameters.get(tokenEmbeddingName(config.model.kind))!.shape;
  const model = modelOf(config, { size, slots: grammarOf(config) });
  const muon = optimizer.kind === 'muon' ? [...new Set(muonMatrices(model).map((matrix) => matrix.name))] : [];
  const { learningRate } = optimizerAt(config, Math.min(step, schedule.steps - 1));
  const { beta1, beta2, epsilon, weightDecay, clipNorm } = optimizer;
  return `A run of Blindfold after ${step} of ${schedule.steps} steps, in one safetensors file: its weights, the state of its optimiser, its loss curve and its settings. Blindfold goes on from it (\`train --resume\` with this folder as \`--out\`) and opens it as a model.

| tensors | what they are |
|---|---|
| \`NAME\` | a weight, under the name that it has in PyTorch; a model that Hugging Face has a class for has that class's names |
| \`optimizer.m.NAME\` | the running mean of its gradient, AdamW's \`exp_avg\` |
| \`optimizer.v.NAME\` | the running mean of its square, AdamW's \`exp_avg_sq\` |
| \`curve.losses\` | the loss of each step |

The metadata has \`config\`, all settings as JSON, \`step\`, \`tokensSeen\`, \`optimizerStep\`, the steps behind the moments, and \`evaluations\`. With \`pip install torch safetensors\`:

\`\`\`python
import json
import torch
from safetensors import safe_open

with safe_open(${JSON.stringify(name)}, "pt") as file:
    run = file.metadata()
    tensors = {name: file.get_tensor(name) for name in file.keys()}
config = json.loads(run["config"])
weights = {name: tensor for name, tensor in tensors.items() if not name.startswith(("optimizer.", "curve."))}
${muon.length > 0 ? `muon = ${JSON.stringify(muon)}\n` : ''}
def restored(model):
    """The weights in a module with these names, and the AdamW that goes on with them."""
    assert not model.load_state_dict(weights, strict=False).unexpected_keys
    named = {name: parameter for name, parameter in model.named_parameters()${muon.length > 0 ? ' if name not in muon' : ''}}
    optimizer = torch.optim.AdamW(named.values(), lr=${learningRate}, betas=(${beta1}, ${beta2}), eps=${epsilon}, weight_decay=${weightDecay})
    for name, parameter in named.items():
        optimizer.state[parameter] = {
            "step": torch.tensor(float(run["optimizerStep"])),
            "exp_avg": tensors["optimizer.m." + name],
            "exp_avg_sq": tensors["optimizer.v." + name],
        }
    return optimizer
\`\`\`

The learning rate is that of the next step; \`config["schedule"]\` says how it goes on.${clipNorm > 0 ? ` Gradients are clipped to a norm of ${clipNorm} before each step.` : ''}${
    muon.length > 0
      ? ' The matrices in \`muon\` are moved by Muon: their \`optimizer.m\` is its momentum, and their \`optimizer.v\` is not used.'
      : ''
  } \`export --to torch-job\` writes a whole script that continues a run so, its games included.
`;
}
