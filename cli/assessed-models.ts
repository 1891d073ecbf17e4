import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { unwrap } from '../src/base/result.ts';
import type { RunConfig } from '../src/config/run-config.ts';
import type { AnyDomain } from '../src/domains/domains.ts';
import type { Engine } from '../src/engine/engine.ts';
import { parseTrainingRecord, TRAINING_RECORD } from '../src/interchange/records/training-record.ts';
import type { Subject } from '../src/studies/study.ts';
import { assess, assessedModel } from '../src/studies/testbed/assess.ts';
import type { Assessment } from '../src/studies/testbed/assessment.ts';
import type { Material } from '../src/studies/testbed/material.ts';
import { newestCheckpoint } from '../src/training/checkpoint-store.ts';
import { decodeCheckpoint } from '../src/training/checkpoint.ts';
import { folderStore } from './folder-store.ts';
import { report, shareBar } from './node-io.ts';
import { openModel } from './open-model.ts';
import { modelPath } from './shipped-file.ts';
import type { TrainingGames } from './training-games.ts';

/** One name for each path: its last part, with the folder above where two are alike. */
export function modelNames(paths: readonly string[]): string[] {
  const whole = paths.map((path) => resolve(path));
  return whole.map((path) => {
    const name = basename(path);
    const alike = whole.filter((other) => basename(other) === name).length > 1;
    return alike ? `${basename(resolve(path, '..'))}/${name}` : name;
  });
}

/**
 * A model ready to be asked by a study; `games`, where given, tell how many of them it learned from, and `asText` is the
 * game that a third-party model is asked about in text.
 */
export async function openSubject(
  path: string,
  name: string,
  backend: string | undefined,
  { games = null, asText }: { games?: TrainingGames | null; asText?: string } = {},
): Promise<{ engine: Engine; domain: AnyDomain; subject: Subject }> {
  const { engine, domain, notation, model } = await openModel(path, backend, asText);
  const { config, record } = model;
  const facts = await modelFacts(path, config, Number(record?.step ?? 0), games);
  // Of a model that is stored in pairs of slot and token, what was trained is what is described.
  const { model: trained } = model.learnable ?? model;
  const about = assessedModel(trained, { name, notation: notation.name, config, ...facts });
  return { engine, domain, subject: { notation, config, about } };
}

/** A model's perplexities and answers; the engine is gone afterwards. Fails as InputError. */
export async function assessModel(
  path: string,
  name: string,
  from: { engine: string | undefined; material: Material; games: TrainingGames },
): Promise<Assessment> {
  const { engine, subject } = await openSubject(path, name, from.engine, { games: from.games });
  const bar = shareBar();
  report(`${name}: measuring.`);
  try {
    const scores = unwrap(await assess(engine, subject.notation, from.material, bar));
    return { version: 1, subject: subject.about, ...scores };
  } finally {
    bar.end();
    engine.dispose();
  }
}

/** Steps, tokens and games of a run, as far as its files and the games (null where none are given) tell. */
async function modelFacts(
  given: string,
  config: RunConfig | null,
  step: number,
  games: TrainingGames | null,
): Promise<{ steps: number; tokens: number | null; trainGames: number | null }> {
  const trainGames =
    config !== null && games !== null && config.data.manifest === games.manifest
      ? Math.min(config.data.limit ?? Infinity, games.train.length)
      : null;
  const path = modelPath(given);
  const folder = (await stat(path)).isDirectory();
  if (folder && existsSync(join(path, TRAINING_RECORD))) {
    const record = parseTrainingRecord(await readFile(join(path, TRAINING_RECORD)));
    if (record.ok) {
      const { training, data } = record.value;
      return { steps: training.steps, tokens: training.tokens, trainGames: data.games };
    }
  }
  const checkpoint = folder
    ? (unwrap(await newestCheckpoint(folderStore, path))?.checkpoint ?? null)
    : checkpointOf(new Uint8Array(await readFile(path)));
  // A run that ends with its best epoch has that one's weights in its last checkpoint.
  return { steps: checkpoint?.kept ?? checkpoint?.step ?? step, tokens: checkpoint?.tokensSeen ?? null, trainGames };
}

function checkpointOf(bytes: Uint8Array): { step: number; tokensSeen: number; kept: number | null } | null {
  const decoded = decodeCheckpoint(bytes);
  return decoded.ok ? decoded.value : null;
}
