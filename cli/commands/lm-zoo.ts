import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { defineCommand } from 'citty';
import { unwrap } from '../../src/base/result.ts';
import { sentencesIn, specOf, surprisalTable, tokenLines, UNSUPPORTED } from '../../src/studies/syntaxgym/lm-zoo.ts';
import { writePredictions } from '../lm-zoo-hdf5.ts';
import { progressBar, report, usageError, wholeText } from '../node-io.ts';
import { modelArgs } from '../open-model.ts';
import { modelPath, shippedModels } from '../shipped-file.ts';
import { openSuiteModel } from '../suite-files.ts';

const COMMANDS = ['spec', 'tokenize', 'unkify', 'get_surprisals', 'get_predictions.hdf5'];
/** The names that lm-zoo's own command line has for them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'get-surprisals': 'get_surprisals',
  'get-predictions': 'get_predictions.hdf5',
};
const commandOf = (name: string): string | null => {
  const command = OTHER_NAMES[name] ?? name;
  return COMMANDS.includes(command) ? command : null;
};

export default defineCommand({
  meta: {
    name: 'lm-zoo',
    description:
      'The commands of an lm-zoo container over any model, such as lm-zoo chess get_surprisals FILE, or lm-zoo get-surprisals chess FILE; lm-zoo list names the models that ship. docker/Dockerfile makes a container.',
  },
  args: {
    model: {
      type: 'positional',
      required: true,
      description: 'MODEL, one of "lm-zoo list", or a JSON file of surprisals',
    },
    command: { type: 'positional', required: false, description: COMMANDS.join(', ') },
    file: { type: 'positional', required: false, description: 'a sentence a line; - for standard input' },
    out: { type: 'positional', required: false, description: 'where get_predictions.hdf5 writes' },
    engine: modelArgs.engine,
    short: { type: 'boolean', description: 'of list: the names alone' },
  },
  async run({ args: { model: first, command: second = '', file, out, engine, short, _: given } }) {
    if (first === 'list' && (given.length === 1 || (given.length === 2 && second === 'models'))) {
      const lines = shippedModels().map((name) => (short ? name : `${name}\t${modelPath(name)}`));
      process.stdout.write([...(short ? [] : ['model\tfolder']), ...lines, ''].join('\n'));
      return;
    }
    // lm-zoo's own command line has the command first, its containers know one model alone.
    const swapped = commandOf(second) === null && commandOf(first) !== null;
    const [named, asked] = swapped ? [second, first] : [first, second];
    const command = commandOf(asked);
    if (command === null) throw usageError(`lm-zoo ${asked}: choose ${COMMANDS.join(', ')}, or lm-zoo list.`);
    const wanted = command === 'spec' ? 2 : command === 'get_predictions.hdf5' ? 4 : 3;
    if (given.length !== wanted)
      throw usageError(`lm-zoo MODEL ${command} takes ${['', '', 'nothing more', 'FILE', 'FILE and OUT'][wanted]}.`);
    const path = modelPath(named);
    // lm-zoo names the device, which cannot be opened by its path where it is a socket.
    const source = file === '/dev/stdin' ? '-' : file;
    const sentences = source === undefined ? [] : sentencesIn(await wholeText(source));
    const { model, close } = await openSuiteModel(path, engine, sentences);
    try {
      if (command === 'spec') {
        const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
        const datetime = statSync(path).mtime.toISOString();
        process.stdout.write(
          JSON.stringify(specOf(model, { maintainer: 'nobody@localhost', version, datetime })) + '\n',
        );
      } else if (command === 'tokenize' || command === 'unkify') {
        process.stdout.write(unwrap(tokenLines(model, sentences, command)));
      } else if (command === 'get_surprisals') {
        process.stdout.write(unwrap(await surprisalTable(model, sentences)));
      } else if (model.predictions === null) {
        report(`lm-zoo: ${model.name} has surprisals alone, and no distributions.`);
        process.exitCode = UNSUPPORTED;
      } else {
        const bar = progressBar('sentences');
        unwrap(await writePredictions(model, sentences, out!, (done) => bar.update(done, sentences.length)));
        bar.end();
      }
    } finally {
      close();
    }
  },
});
