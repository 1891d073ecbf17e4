import { defineCommand } from 'citty';
import { inputError, unwrap } from '../../src/base/result.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { TEXT } from '../../src/domains/text-notation.ts';
import { PRESUMED, withVocabulary } from '../../src/interchange/tokenizers/foreign-vocabulary.ts';
import { modelFolder, type ImportedModel } from '../../src/interchange/huggingface.ts';
import { writeCompared } from '../compare-weights.ts';
import { refuseToReplace } from '../model-files.ts';
import { report, unwrapAt } from '../node-io.ts';
import { asWholeMoves } from '../../src/studies/asking/whole-moves.ts';
import { evaluationsOf } from '../../src/studies/stored-evaluation.ts';
import { encodeCheckpoint } from '../../src/training/checkpoint.ts';
import { checkpointName } from '../../src/training/checkpoint-store.ts';
import { asTextModel, checkpointAt, languageOf, modelArgs, readModel, vocabularyOf } from '../open-model.ts';

export default defineCommand({
  meta: {
    name: 'import',
    description:
      'A third-party model, or a run that went on in PyTorch (export --to torch-job), as a folder of this lab, which can be probed and trained on. Tokens are matched by their spelling.',
  },
  args: {
    folder: {
      type: 'positional',
      required: true,
      description: 'a Hugging Face folder of a GPT-2, Qwen3 or LFM2, its address, or the folder of a run',
    },
    engine: modelArgs.engine,
    domain: { type: 'string', default: PRESUMED.domain, description: 'the game that it reads' },
    notation: {
      type: 'string',
      default: PRESUMED.notation,
      description: 'how the game is written; "text" where the model is to read its lines as text',
    },
    out: { type: 'string', required: true, description: 'folder to write' },
  },
  async run({ args }) {
    const given = await readModel(args.folder);
    const found = args.notation === TEXT ? asTextModel(args.folder, given, args.domain) : given;
    const notation = unwrap(notationOf(args, vocabularyOf(args.folder, found)));
    const known = {
      ...{ domain: args.domain, notation: args.notation },
      tokens: notation.vocabulary.tokens,
      spare: notation.mutedInEvaluation,
    };
    let imported: ImportedModel = found;
    if (found.config === null) {
      const vocabulary = unwrapAt(args.folder, found.vocabulary());
      if (unwrap(asWholeMoves(found, vocabulary)) !== null)
        throw inputError(
          'whole-moves',
          `${args.folder}: a token of this model is a whole move. It needs no import: give it as it is to "probe", "perplexity" or "study" with --model, and to "train" with --from.`,
        );
      const mapped = unwrap(withVocabulary(found, vocabulary, known));
      imported = { ...found, ...mapped.model };
      const { matched, missing, foreign } = mapped.report;
      report(
        `${matched} of ${known.tokens.length} tokens matched; not in the model: ${missing.join(' ') || 'none'}; only in the model: ${foreign.length}.`,
      );
    }
    const { config, parameters } = imported;
    const language = found.config === null ? notation : languageOf(args.folder, found).notation;
    const { tokens } = language.vocabulary;
    const run = found.config === null || found.folder ? null : await checkpointAt(args.folder);
    const record = run && { tokens, step: run.kept ?? run.step, evaluations: evaluationsOf(run.curve) };
    const files = modelFolder(config!, parameters, record ?? imported.record ?? { tokens, step: 0 }, language);
    // With its checkpoint, the folder is a run, which has a curve and can be taken up again.
    if (run) files.set(checkpointName(run.step), encodeCheckpoint(run));
    refuseToReplace(args.out, files.keys(), 'this import');
    await writeCompared(args.out, files, args.engine, imported, language, 'memory');
  },
});
