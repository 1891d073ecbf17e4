import { concatenated } from './bytes.ts';

/** The first bytes of a stream (fewer where it is shorter), and a stream that still begins with them. */
export async function peek(
  stream: AsyncIterable<Uint8Array>,
  length: number,
): Promise<{ head: Uint8Array; bytes: AsyncGenerator<Uint8Array> }> {
  const iterator = stream[Symbol.asyncIterator]();
  let head: Uint8Array = new Uint8Array(0);
  while (head.length < length) {
    const next = await iterator.next();
    if (next.done) break;
    head = head.length ? concatenated([head, next.value]) : next.value;
  }
  return { head, bytes: rejoined(head, iterator) };
}

async function* rejoined(head: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    if (head.length) yield head;
    for (;;) {
      const next = await rest.next();
      if (next.done) return;
      yield next.value;
    }
  } finally {
    await rest.return?.();
  }
}
