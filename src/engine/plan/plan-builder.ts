import { sizeOf, type ParameterShape } from '../../models/parameters.ts';
import type { Buffer, Call, ParameterPlace, Plan } from './plan.ts';

/** Writes down a plan: buffers as they are needed, calls in their order. */
export class PlanBuilder {
  readonly forward: Call[] = [];
  readonly backward: Call[] = [];
  readonly history: Buffer[] = [];
  private readonly buffers: Buffer[] = [];
  private readonly places: ParameterPlace[] = [];
  private readonly byName = new Map<string, ParameterPlace>();
  private length = 0;

  /** @param shapes parameters in their order; neighbours are neighbours in the arenas too, with no gap between. */
  constructor(shapes: readonly ParameterShape[]) {
    for (const { name, shape } of shapes) {
      const place = { name, shape: [...shape], offset: this.length, length: sizeOf(shape) };
      this.places.push(place);
      this.byName.set(name, place);
      this.length += place.length;
    }
  }

  activation(name: string, columns: number): Buffer {
    return this.add({ name, rows: 'tokens', columns, place: { kind: 'activation' } });
  }

  /** A parameter; with `rows`, that many rows from where it begins, its neighbours included. */
  weight(name: string, rows?: number): Buffer {
    return this.parameter('weight', name, rows);
  }

  gradient(name: string, rows?: number): Buffer {
    return this.parameter('gradient', name, rows);
  }

  finish(logits: Buffer, loss: Buffer | null): Plan {
    const { buffers, forward, backward, history } = this;
    return { buffers, forward, backward, logits, loss, history, parameters: this.places, parameterLength: this.length };
  }

  private parameter(kind: 'weight' | 'gradient', name: string, rows?: number): Buffer {
    const place = this.byName.get(name);
    if (!place) throw new Error(`no parameter named ${name}`);
    const first = place.shape.length > 1 ? place.shape[0] : 1;
    return this.add({
      name,
      rows: rows ?? first,
      columns: place.length / first,
      place: { kind, offset: place.offset },
    });
  }

  private add(buffer: Omit<Buffer, 'id'>): Buffer {
    const added = { ...buffer, id: this.buffers.length };
    this.buffers.push(added);
    return added;
  }
}
