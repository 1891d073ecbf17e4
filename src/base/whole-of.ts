import type { Budget } from './budget.ts';
import { concatenated } from './bytes.ts';

/** All bytes of a stream, for formats that cannot be read from front to back; as many as the budget lets be held. */
export async function wholeOf(
  stream: AsyncIterable<Uint8Array>,
  budget: Budget,
  name = budget.file,
  what: 'whole' | 'document' = 'whole',
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of stream) {
    budget.hold(what, (length += part.length), name);
    parts.push(part);
  }
  return concatenated(parts);
}
