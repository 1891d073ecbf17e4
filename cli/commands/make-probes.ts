import { defineCommand } from 'citty';
import { INSTANCE_SEED } from '../../src/config/instance-seed.ts';
import { traces, usageError, wholeNumber, writeJsonLine } from '../node-io.ts';
import { probingInstances } from '../probing-instances.ts';

async function* none(): AsyncGenerator<Uint16Array> {}

export default defineCommand({
  meta: { name: 'make-probes', description: 'Probing instances by the authors’ procedure, as JSON Lines.' },
  args: {
    games: {
      type: 'string',
      required: true,
      description: 'GAMES to take prefixes from, in file order, or "random" for random legal moves',
    },
    range: { type: 'string', required: true, description: 'prefix lengths in plies: 51-100, 5-50 or any MIN-MAX' },
    n: { type: 'string', default: '1000', description: 'instances wanted' },
    seed: {
      type: 'string',
      default: String(INSTANCE_SEED),
      description: 'seed of Python’s generator, as the authors use it',
    },
    avoid: { type: 'string', description: 'GAMES whose prefixes may not be used (the training games)' },
  },
  async run({ args }) {
    const range = /^(\d+)-(\d+)$/.exec(args.range);
    if (!range || Number(range[1]) < 1 || Number(range[1]) > Number(range[2]))
      throw usageError(`--range ${args.range}: give two numbers of plies, the smaller first, such as 51-100.`);
    const wanted = wholeNumber('--n', args.n, 1);
    const plies = [Number(range[1]), Number(range[2])] as const;
    const seed = wholeNumber('--seed', args.seed, 0);
    const avoid = () => (args.avoid === undefined ? none() : traces([args.avoid]));
    const instances = await probingInstances(args.games, plies, { n: wanted, seed }, avoid);
    for (const instance of instances) writeJsonLine(instance);
    if (instances.length < wanted)
      console.error(`The games gave ${instances.length} instances of the ${wanted} wanted.`);
  },
});
