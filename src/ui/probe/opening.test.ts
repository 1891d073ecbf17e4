import { afterEach, expect, it, vi } from 'vitest';
import type { MeasuredModel } from '../../../workers/measure/protocol.ts';
import { ok, type Result } from '../../base/result.ts';
import type { AssessedModel } from '../../studies/subject-schema.ts';
import type { Lab } from '../session/lab.svelte.ts';
import { Opening } from './opening.ts';

afterEach(() => vi.unstubAllGlobals());

/** A lab with one run, whose measuring worker says what it was asked to open. */
function labOf(opened: string[]): Lab {
  const open = async (model: MeasuredModel): Promise<Result<AssessedModel>> => {
    opened.push(model.kind);
    return ok({ model: model.kind } as unknown as AssessedModel);
  };
  const workers = { measure: { open }, guard: <T>(work: Promise<T>) => work };
  return { workers, runs: { named: () => null }, games: { named: () => undefined }, run: {} } as unknown as Lab;
}

it('leaves out a model whose files arrive after another was chosen', async () => {
  let arrive: (response: Response) => void = () => {};
  const arriving = new Promise<Response>((resolve) => (arrive = resolve));
  vi.stubGlobal('fetch', async () => (await arriving).clone());
  const opened: string[] = [];
  const took: number[] = [];
  const opening = new Opening((turn) => took.push(turn));
  const wanted = { lab: labOf(opened), domain: 'chess', dropped: null };

  const shipped = opening.open({ ...wanted, chosen: 'shipped', turn: 1 }, false);
  const run = opening.open({ ...wanted, chosen: 'run:a', turn: 2 }, false);
  expect(await run.opening).toMatchObject({ ok: true });
  arrive(new Response(new Uint8Array([1])));
  // Who waits for the first is given the model that took its place.
  expect(await shipped.opening).toEqual(await run.opening);
  expect(opened).toEqual(['run']);
  expect(took).toEqual([2]);
});

it('tells why a model could not be opened, and tries again when it is asked for again', async () => {
  vi.stubGlobal('fetch', async () => new Response('', { status: 404 }));
  const opened: string[] = [];
  const took: unknown[] = [];
  const opening = new Opening((_, result) => took.push(result));
  const wanted = { lab: labOf(opened), domain: 'chess', dropped: null, chosen: 'shipped', turn: 1 } as const;
  const first = opening.open(wanted, false);
  await expect(first.opening).rejects.toThrow(/404/);
  expect(took).toEqual([null]);
  expect(opening.open(wanted, false)).not.toBe(first);
  expect(opened).toEqual([]);
});
