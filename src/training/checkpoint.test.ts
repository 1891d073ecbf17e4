import { describe, expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { chessSlots } from '../domains/chess/notation/slots.ts';
import { modelFromFiles } from '../interchange/huggingface.ts';
import { readSafetensors, writeSafetensors } from '../interchange/safetensors.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';
import {
  otherSampleConfigs,
  sampleCheckpoint,
  sampleModel,
  sampleModelOf,
  sampleParameters,
} from '../../fixtures/sample-run.ts';

describe('a checkpoint', () => {
  it('comes back as it was, to the bit', () => {
    const checkpoint = sampleCheckpoint(5);
    const found = unwrap(decodeCheckpoint(encodeCheckpoint(checkpoint)));
    expect(found.config).toEqual(checkpoint.config);
    expect([found.step, found.tokensSeen, found.optimizer.step]).toEqual([5, 200, 5]);
    expect(found.parameters).toEqual(checkpoint.parameters);
    expect(found.optimizer.moments).toEqual(checkpoint.optimizer.moments);
    expect(found.curve.losses()).toEqual(checkpoint.curve.losses());
    expect(found.curve.evaluations).toEqual([{ step: 0, devPerplexity: 70.25 }]);
  });

  it('goes on without an evaluation whose perplexity was no number', () => {
    const checkpoint = sampleCheckpoint(5);
    checkpoint.curve.addEvaluation({ step: 4, devPerplexity: Infinity });
    const found = unwrap(decodeCheckpoint(encodeCheckpoint(checkpoint)));
    expect(found.curve.evaluations).toEqual([{ step: 0, devPerplexity: 70.25 }]);
  });

  it('opens as a model', () => {
    const checkpoint = sampleCheckpoint(5);
    const found = unwrap(
      modelFromFiles(new Map([['checkpoint-000000005.safetensors', encodeCheckpoint(checkpoint)]]), () => null),
    );
    expect(found.model).toEqual(sampleModel);
    expect(found.config).toEqual(checkpoint.config);
    expect(found.parameters).toEqual(checkpoint.parameters);
  });

  it.each(otherSampleConfigs)('of $name comes back, and opens as a model', ({ config }) => {
    const model = sampleModelOf(config);
    const parameters = sampleParameters(config);
    const moments = new Map(['m', 'v'].flatMap((kind) => [...parameters].map(([name, x]) => [`${kind}.${name}`, x])));
    const bytes = encodeCheckpoint({ ...sampleCheckpoint(3), config, parameters, optimizer: { step: 3, moments } });
    expect(unwrap(decodeCheckpoint(bytes))).toMatchObject({ config, parameters });
    const files = new Map([['checkpoint-000000003.safetensors', bytes]]);
    expect(unwrap(modelFromFiles(files, () => chessSlots)).model).toEqual(model);
  });

  it('is told from other files, versions and broken ones', () => {
    const bytes = encodeCheckpoint(sampleCheckpoint(2));
    const { tensors, metadata } = unwrap(readSafetensors(bytes));
    const codeOf = (changed: Uint8Array) => {
      const found = decodeCheckpoint(changed);
      return found.ok ? 'ok' : found.error.code;
    };
    const withMetadata = (changes: Record<string, string>) =>
      codeOf(writeSafetensors(tensors, { ...metadata, ...changes }));
    const without = (name: string) =>
      codeOf(writeSafetensors(new Map([...tensors].filter(([found]) => found !== name)), metadata));
    expect(codeOf(bytes)).toBe('ok');
    expect(codeOf(bytes.subarray(0, bytes.length - 7))).toBe('safetensors-truncated');
    expect(codeOf(bytes.subarray(0, 100))).toBe('safetensors-truncated');
    expect(withMetadata({ format: 'pt' })).toBe('checkpoint-kind');
    expect(withMetadata({ version: '2' })).toBe('checkpoint-version');
    expect(withMetadata({ step: '-1' })).toBe('checkpoint-damaged');
    expect(withMetadata({ config: '{"version":1' })).toBe('config-invalid');
    expect(withMetadata({ config: '{"version":9}' })).toBe('config-version');
    expect(withMetadata({ evaluations: '[3]' })).toBe('checkpoint-damaged');
    expect(without('transformer.ln_f.bias')).toBe('checkpoint-damaged');
    expect(without('transformer.wte.weight')).toBe('checkpoint-damaged');
    expect(without('optimizer.v.transformer.wpe.weight')).toBe('checkpoint-damaged');
    expect(without('curve.losses')).toBe('checkpoint-damaged');
  });
});
