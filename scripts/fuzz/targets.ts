import { readFileSync } from 'node:fs';
import { assessment, instances } from '../../fixtures/hand-made.ts';
import { pytorchModel } from '../../fixtures/pytorch-bin.ts';
import { sampleCheckpoint, sampleConfig, sampleModel, sampleParameters } from '../../fixtures/sample-run.ts';
import { Budget, LIMITS } from '../../src/base/budget.ts';
import { failureOf, unwrap, type Failure, type Result } from '../../src/base/result.ts';
import { presetNamed, type Preset } from '../../src/config/presets.ts';
import { parseRunConfig } from '../../src/config/run-config.ts';
import { parseManifest, sealed } from '../../src/data/manifest.ts';
import { readGames } from '../../src/data/sources.ts';
import { domainNamed, grammarOf, notationOf, tokensOf } from '../../src/domains/domains.ts';
import { askable } from '../../src/interchange/agreement.ts';
import { modelFolder, modelFromFiles, PYTORCH_WEIGHTS, WEIGHTS } from '../../src/interchange/huggingface.ts';
import { withOnnx } from '../../src/interchange/onnx/onnx-folder.ts';
import { decompressed, textLines } from '../../src/base/streams.ts';
import { parseBigbench } from '../../src/studies/bigbench/bigbench-task.ts';
import { parseAssessments } from '../../src/studies/assessments-file.ts';
import { checkQuestions } from '../../src/studies/splat/questions/check.ts';
import { readSuite } from '../../src/studies/syntaxgym/read-suite.ts';
import { parseInstances } from '../../src/studies/testbed/instances.ts';
import { decodeCheckpoint, encodeCheckpoint } from '../../src/training/checkpoint.ts';
import { baseballFiles, gameFiles } from './seeds.ts';

/** A way by which something that a person brings comes in. */
export interface Target {
  /** Inputs that it takes, by name. */
  seeds: Record<string, Uint8Array>;
  /** What it has to say of an input; whatever it throws is a fault. */
  open(name: string, bytes: Uint8Array): Promise<Failure[]>;
}

const bytesOf = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const said = (result: Result<unknown>): Failure[] => (result.ok ? [] : [result.error]);

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** A target that reads one text, given whole. */
function textTarget(
  seeds: Record<string, unknown>,
  parse: (text: string, name: string) => Result<unknown> | Promise<Result<unknown>>,
): Target {
  return {
    seeds: Object.fromEntries(Object.entries(seeds).map(([name, seed]) => [name, bytesOf(seed)])),
    open: async (name, bytes) => said(await parse(textOf(bytes), name)),
  };
}

function gamesTarget(seeds: Record<string, Uint8Array>, game: string): Target {
  const domain = unwrap(domainNamed(game));
  return {
    seeds,
    async open(name, bytes) {
      const failures: Failure[] = [];
      const budget = new Budget(name, LIMITS, { clock: () => performance.now() });
      try {
        for await (const read of readGames({ name, stream: once(bytes), budget }, domain)) failures.push(...said(read));
      } catch (error) {
        failures.push(thrown(error));
      }
      return failures;
    },
  };
}

/** What an InputError carries. @throws any other error: it is a fault */
function thrown(error: unknown): Failure {
  if (error instanceof Error && error.name === 'InputError') return failureOf(error);
  throw error;
}

const folder = modelFolder(
  sampleConfig,
  sampleParameters(),
  { tokens: unwrap(notationOf(sampleConfig)).vocabulary.tokens, step: 1 },
  unwrap(notationOf(sampleConfig)),
);
const onnxFolder = unwrap(withOnnx(folder, sampleModel, ['f32', 'f16', 'q8']));
const manifest = await sealed({
  ...{ version: 1, name: 'Made', domain: 'chess', source: 'A test.', licence: 'CC0', filters: {}, splitSeed: 1 },
  ...{ createdBy: 'fuzz', lengths: [1, 2] },
  splits: {
    train: { games: 1, plies: 2, files: [{ path: 'a.parquet', games: 1, plies: 2, bytes: 9, sha256: '0'.repeat(64) }] },
  },
});
/** The page's own code is not part of what Node's types are checked with. */
const LINK = '../../src/ui/session/experiment/link.ts';
const { configFrom } = (await import(LINK)) as {
  configFrom(query: URLSearchParams, byDefault: Preset): { failures: Failure[] };
};
const plain = presetNamed('plain')!;
const suite = new URL('../../public/suites/chess_blocked_line.json', import.meta.url);

export const targets: Record<string, Target> = {
  games: gamesTarget(gameFiles, 'chess'),
  baseball: gamesTarget(baseballFiles, 'baseball'),
  model: {
    seeds: Object.fromEntries([...folder].filter(([name]) => /\.json$|safetensors$/.test(name))),
    async open(name, bytes) {
      const imported = modelFromFiles(new Map(folder).set(name, bytes), grammarOf);
      return said(imported.ok ? askable(imported.value, tokensOf) : imported);
    },
  },
  onnx: {
    seeds: Object.fromEntries([...onnxFolder].filter(([name]) => name.endsWith('.onnx'))),
    open: otherWeights,
  },
  pytorch: {
    seeds: { [PYTORCH_WEIGHTS]: pytorchModel(sampleParameters()) },
    open: otherWeights,
  },
  checkpoint: {
    seeds: { 'checkpoint.safetensors': encodeCheckpoint(sampleCheckpoint(3)) },
    open: async (_, bytes) => said(decodeCheckpoint(bytes)),
  },
  config: textTarget({ 'config.json': sampleConfig, 'preset.json': plain.config }, (text) =>
    parseRunConfig(json(text)),
  ),
  link: {
    seeds: {
      link: bytesOf(
        'domain=chess&preset=plain&batch=16&model.layers=2&data.limit=500&optimizer.kind=muon&questions={"perGame":2}',
      ),
    },
    open: async (_, bytes) => configFrom(new URLSearchParams(textOf(bytes)), plain).failures,
  },
  manifest: textTarget({ 'manifest.json': manifest }, parseManifest),
  instances: {
    seeds: { 'probes.jsonl': bytesOf(instances.map((one) => JSON.stringify(one)).join('\n')) },
    open: (name, bytes) => parseInstances(once(bytes), name).then(said, (error: unknown) => [thrown(error)]),
  },
  questions: {
    seeds: { 'chess.txt': await released('chess'), 'baseball.txt': await released('baseball') },
    open: (name, bytes) =>
      checkQuestions(once(bytes), name, { mode: 'released' }).then(said, (error: unknown) => [thrown(error)]),
  },
  suites: textTarget(
    { 'suite.json': readFileSync(suite, 'utf8').slice(0, 3000), 'whole.json': smallSuite() },
    readSuite,
  ),
  assessments: textTarget({ 'kept.json': { assessments: [assessment()], games: null } }, parseAssessments),
  tasks: textTarget(
    { 'task.json': { name: 'chess_state_tracking', examples: [{ input: 'e2e4 g7g6 d1', target: ['e2', 'f3'] }] } },
    parseBigbench,
  ),
};

/** A model with these weights in place of its safetensors. */
async function otherWeights(name: string, bytes: Uint8Array): Promise<Failure[]> {
  const files = new Map(folder).set(name, bytes);
  files.delete(WEIGHTS);
  return said(modelFromFiles(files, grammarOf));
}

/** The first two items of a suite that comes with the lab. */
function smallSuite(): object {
  const whole = JSON.parse(readFileSync(suite, 'utf8')) as { items: unknown[] };
  return { ...whole, items: whole.items.slice(0, 2) };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The first lines of the authors' questions. */
async function released(game: string): Promise<Uint8Array> {
  const packed = readFileSync(new URL(`../../fixtures/splat/${game}.finetune_valid.txt.zst`, import.meta.url));
  const lines: string[] = [];
  for await (const { text } of textLines(decompressed(once(packed), game), game)) {
    lines.push(text);
    if (lines.length === 3) break;
  }
  return bytesOf(lines.join('\n'));
}
