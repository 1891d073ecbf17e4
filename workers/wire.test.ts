import { expect, test } from 'vitest';
import { connect, serve, sink, type Service } from './wire.ts';

interface Counter {
  add(by: number): Promise<{ total: number; parts: Float32Array }>;
  watch(onTotal: (event: { total: number }) => void): Promise<void>;
  fail(): Promise<number>;
  count(to: number, onTotal: (event: { total: number }) => void): Promise<number>;
}

function counter(): Counter {
  let total = 0;
  let tell: (event: { total: number }) => void = () => {};
  return {
    async add(by) {
      total += by;
      tell({ total });
      return { total, parts: Float32Array.of(by) };
    },
    async watch(onTotal) {
      tell = onTotal;
    },
    async fail() {
      throw new Error('broken');
    },
    async count(to, onTotal) {
      for (let at = 1; at <= to; at++) onTotal({ total: at });
      return to;
    },
  };
}

test('calls, typed arrays, events and errors cross the edge', async () => {
  const { port1, port2 } = new MessageChannel();
  serve<Counter>(counter(), port1);
  const remote = connect<Counter>(port2);
  const seen: number[] = [];
  await remote.watch(sink((event: { total: number }) => seen.push(event.total)));
  expect(await remote.add(2)).toEqual({ total: 2, parts: Float32Array.of(2) });
  await remote.add(3);
  await expect(remote.fail()).rejects.toThrow('broken');
  expect(seen).toEqual([2, 5]);
  port1.close();
  port2.close();
});

test('a call answers after its last event', async () => {
  const { port1, port2 } = new MessageChannel();
  serve<Counter>(counter(), port1);
  const remote = connect<Counter>(port2);
  const seen: number[] = [];
  // More than a port hands over in one turn.
  await remote.count(
    3000,
    sink((event: { total: number }) => seen.push(event.total)),
  );
  expect(seen.length).toBe(3000);
  port1.close();
  port2.close();
});

/** These assignments hold only while the compiler refuses what cannot be cloned; the type check fails otherwise. */
type Refused<S> = S extends Service<S> ? false : true;

test('a protocol that could not cross is refused by the compiler', () => {
  const resultIsFunction: Refused<{ get(): Promise<() => number> }> = true;
  const argumentIsClass: Refused<{ put(value: { at: () => void }): Promise<void> }> = true;
  const notAPromise: Refused<{ get(): number }> = true;
  const sinkTakesFunction: Refused<{ on(sink: (event: { call(): void }) => void): Promise<void> }> = true;
  const plain: Refused<Counter> = false;
  expect([resultIsFunction, argumentIsClass, notAPromise, sinkTakesFunction, plain]).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
