import * as v from 'valibot';
import { issueText } from '../../src/config/issue-text.ts';
import { fail, ok, type Result } from '../../src/base/result.ts';
import { bringsTokens } from '../../src/config/brought-tokens.ts';
import { parseRunConfig } from '../../src/config/run-config.ts';
import { notationOf } from '../../src/domains/domains.ts';
import { readEvaluation } from '../../src/studies/stored-evaluation.ts';
import type { DamagedRun, RunRecord } from './protocol.ts';

/** What the page relies on in a row; the config has a schema of its own. */
const RowSchema = v.looseObject({
  id: v.string(),
  name: v.string(),
  notes: v.optional(v.string()),
  tags: v.optional(v.array(v.string())),
  sketch: v.optional(
    v.object({
      losses: v.array(v.number()),
      steps: v.array(v.number()),
      scores: v.record(v.string(), v.record(v.string(), v.array(v.nullable(v.number())))),
    }),
  ),
  config: v.unknown(),
  status: v.picklist(['preparing', 'running', 'paused', 'stopped', 'finished', 'failed']),
  step: v.pipe(v.number(), v.integer(), v.minValue(0)),
  parameters: v.number(),
  backend: v.nullable(v.picklist(['webgpu', 'wasm', 'cpu'])),
  createdAt: v.number(),
  updatedAt: v.number(),
  loss: v.nullable(v.number()),
  evaluation: v.nullable(v.looseObject({ step: v.number(), devPerplexity: v.number() })),
});

/** A row as this build can use it; configs that were stored before a field was known get it. */
export function parseRunRecord(row: unknown): Result<RunRecord> {
  const parsed = v.safeParse(RowSchema, row);
  if (!parsed.success) {
    return fail('run-damaged', `Its row in the list is damaged (${issueText(parsed.issues, 'the row')}).`);
  }
  const config = parseRunConfig(parsed.output.config);
  if (!config.ok) return fail('run-damaged', `Its settings cannot be used (${config.error.message})`);
  // What a model brought is in its checkpoints, and is looked for there.
  const notation = bringsTokens(config.value) ? ok(null) : notationOf(config.value);
  if (!notation.ok) return fail('run-damaged', `Its settings cannot be used (${notation.error.message})`);
  const { evaluation } = parsed.output;
  return ok({
    ...(parsed.output as unknown as RunRecord),
    config: config.value,
    evaluation: evaluation && readEvaluation(evaluation),
  });
}

/** What a row that is no record still tells. */
export function damagedRun(row: unknown, reason: string): DamagedRun {
  const { id, name } = (row ?? {}) as { id?: unknown; name?: unknown };
  return { id: String(id), name: typeof name === 'string' ? name : null, reason };
}
