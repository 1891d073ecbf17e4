import { describe, expect, it } from 'vitest';
import { unwrap } from '../base/result.ts';
import { modelFromFiles } from '../interchange/huggingface.ts';
import { readSafetensors, writeSafetensors } from '../interchange/safetensors.ts';
import { decodeCheckpoint, encodeCheckpoint } from './checkpoint.ts';
import { sampleCheckpoint } from '../../fixtures/sample-run.ts';

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

  it('opens as a model', () => {
    const checkpoint = sampleCheckpoint(5);
    const found = unwrap(modelFromFiles(new Map([['checkpoint-000000005.safetensors', encodeCheckpoint(checkpoint)]])));
    expect(found.model).toEqual({ ...checkpoint.config.model, vocabulary: 12 });
    expect(found.config).toEqual(checkpoint.config);
    expect(found.parameters).toEqual(checkpoint.parameters);
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
