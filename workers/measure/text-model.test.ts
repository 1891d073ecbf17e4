import { expect, it } from 'vitest';
import { smallEngine } from '../../fixtures/small-engine.ts';
import { byteLevelFiles } from '../../fixtures/byte-level-tokenizer.ts';
import { parametersOf } from '../../fixtures/small-models.ts';
import { unwrap } from '../../src/base/result.ts';
import { TEXT_TUNING } from '../../src/config/text-tuning.ts';
import { Corpus } from '../../src/data/corpus.ts';
import { noughts } from '../../src/domains/noughts/noughts.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { modelFolder } from '../../src/interchange/huggingface.ts';
import { readTokenizer } from '../../src/interchange/tokenizers/text-tokenizer.ts';
import { modelOf } from '../../src/models/of-config.ts';
import { splat, splatSettings } from '../../src/studies/splat/study.ts';
import { encodeCheckpoint, decodeCheckpoint } from '../../src/training/checkpoint.ts';
import { Curve } from '../../src/training/curve.ts';
import * as v from 'valibot';
import { openFiles } from './open-model.ts';

const tokenizer = unwrap(readTokenizer(byteLevelFiles(['Ġ [', 'e n'])));
const questions = { from: null, perGame: 1, perLine: 1, goals: 'released' as const, learn: 'line' as const, own: [] };
const config = {
  ...TEXT_TUNING,
  ...{ domain: 'noughts', questions },
  model: { ...TEXT_TUNING.model, layers: 1, width: 16, heads: 2, context: 128, dropout: 0 } as typeof TEXT_TUNING.model,
};
const rows = tokenizer.vocabulary.length;
const notation = unwrap(notationOf(config, { tokenizer, rows }));
const model = modelOf(config, { size: rows, slots: null });
const parameters = parametersOf(model);
const folder = () => modelFolder(config, parameters, { tokens: notation.vocabulary.tokens, step: 2 }, notation);
const checkpoint = () => {
  const moments = new Map(
    [...parameters].flatMap(([name, array]) => ['m', 'v'].map((kind) => [`${kind}.${name}`, array])),
  );
  const state = { config, step: 2, tokensSeen: 9, curve: new Curve(), parameters, kept: null };
  return encodeCheckpoint({ ...state, optimizer: { step: 2, moments }, tokenizer: tokenizer.files });
};
const open = (files: Map<string, Uint8Array>) => openFiles('theirs', files, () => 0);

it('a model that learned questions as text opens with its tokenizer, and SPLAT asks it', async () => {
  for (const files of [folder(), new Map([['run.safetensors', checkpoint()]])]) {
    const opened = await open(files);
    expect(opened.about).toMatchObject({ notation: 'text', fineTuning: { start: 'random weights' } });
    if (!('notation' in opened)) throw new Error('it has a notation');
    const engine = await smallEngine(opened.model, opened.parameters);
    const test = Corpus.from([...noughts.invented!.games(20, 1)]);
    const none = Corpus.from([]);
    const games = { name: 'games', domain: 'noughts', manifest: '', train: none, dev: none, test, probe: none };
    const settings = { ...v.parse(splatSettings, {}), questions: 3, perplexityGames: 2, distances: false };
    const made = unwrap(await splat.assess(engine, opened, games, settings, {}));
    engine.dispose();
    expect(made.legalVerbs).toHaveLength(3);
    expect(made.answers).toHaveLength(9);
    expect(made.perplexity!.perplexity).toBeGreaterThan(1);
  }
});

it('is refused without its tokenizer, or with one that is damaged', async () => {
  const bare = folder();
  bare.delete('merges.txt');
  await expect(open(bare)).rejects.toMatchObject({ failure: { code: 'no-tokenizer' } });
  const text = new TextDecoder('latin1').decode(checkpoint());
  const broken = (change: (text: string) => string) => Uint8Array.from(change(text), (letter) => letter.charCodeAt(0));
  for (const [from, to] of [
    ['\\"vocab.json\\"', '\\"../up.json\\"'.slice(0, 14)],
    ['"tokenizer":"{', '"tokenizer":"['],
  ]) {
    const bytes = broken((given) => given.replace(from, to));
    expect(decodeCheckpoint(bytes), to).toMatchObject({ ok: false, error: { code: 'checkpoint-damaged' } });
    const opened = open(new Map([['run.safetensors', bytes]]));
    await expect(opened, to).rejects.toMatchObject({ failure: { code: 'checkpoint-damaged' } });
  }
});
