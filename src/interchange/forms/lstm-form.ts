import type { SettingsOf } from '../../config/model-schema.ts';
import { lstmTokenEmbedding } from '../../models/lstm.ts';
import { labModel, type FolderForm } from '../folder.ts';
import { ofSafetensors } from '../records/readme-section.ts';

/** PyTorch's names and layouts; Hugging Face has no class for it, so blindfold.json alone says what the model is. */
export const lstmForm: FolderForm<SettingsOf<'lstm'>> = {
  write({ layers, width }, parameters, slots) {
    const [vocabulary] = parameters.get(lstmTokenEmbedding)!.shape;
    return { hugging: null, tensors: parameters, readme: readmeOf(layers, width, vocabulary, slots?.count ?? 0) };
  },
  read: (_hugging, tensors, own, file) => labModel('lstm', lstmTokenEmbedding, tensors, own, file),
};

function readmeOf(layers: number, width: number, vocabulary: number, slots: number): string {
  return `An LSTM that Blindfold trained on the moves of games. Hugging Face has no class for it. The tokens are those of \`record.tokens\` in blindfold.json, in the order of their ids.

${ofSafetensors(`The names in model.safetensors are those of this PyTorch module.

\`\`\`python
import torch
from safetensors.torch import load_file

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = torch.nn.Embedding(${vocabulary}, ${width})
${slots ? `        self.slot_embedding = torch.nn.Embedding(${slots}, ${width})\n` : ''}        self.lstm = torch.nn.LSTM(${width}, ${width}, ${layers}, batch_first=True)
        self.head = torch.nn.Linear(${width}, ${vocabulary})

    def forward(self, tokens${slots ? ', slots' : ''}):
        return self.head(self.lstm(self.embedding(tokens)${slots ? ' + self.slot_embedding(slots)' : ''})[0])

model = Model().eval()
model.load_state_dict(load_file("model.safetensors"))
\`\`\``)}${
    slots
      ? `
A slot is what the spelling alone tells of a token, read from the automaton in slots.json: in state q, which is 0 at first, token t has slot \`slot[q * ${vocabulary} + t]\`, and the next state is \`next[q * ${vocabulary} + t]\`.
`
      : ''
  }`;
}
