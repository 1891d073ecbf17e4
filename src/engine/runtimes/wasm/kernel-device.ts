import { buffersOf } from '../../plan/layout.ts';
import { elementsOf, type CallContext, type Contents, type KernelDevice } from '../../plan/kernel-device.ts';
import type { Buffer, Call } from '../../plan/plan.ts';
import type { WasmHost } from './host.ts';
import { WasmRuntime } from './wasm-runtime.ts';
import { Instance } from './instance.ts';

/** Single calls on the WASM kernels, for the parity tests; every buffer is made an activation of its own. */
export async function createWasmKernelDevice(host: WasmHost): Promise<KernelDevice> {
  const runtime = await WasmRuntime.create(host);
  return {
    name: `wasm, ${runtime.threads} threads`,
    async run(call: Call, contents: Contents, context: CallContext): Promise<Contents> {
      const used = buffersOf(call);
      const own = new Map(used.map(({ buffer }) => [buffer.id, loose(buffer)]));
      const loosened = Object.fromEntries(
        Object.entries(call).map(([field, value]) => [
          field,
          used.find((entry) => entry.field === field) ? own.get((value as Buffer).id) : value,
        ]),
      ) as unknown as Call;
      const { firstRow, count, segments } = context.batch;
      let rows = firstRow + count;
      for (let s = 0; s < segments.length; s += 4)
        rows = Math.max(rows, segments[s] + segments[s + 1], segments[s + 2] + segments[s + 3]);
      const instance = new Instance(runtime, {
        calls: [loosened],
        capacity: rows,
        context: Math.max(rows, ...context.batch.positions.map((position) => position + 1)),
        persistent: [],
        arenas: {},
      });
      const lengthOf = (buffer: Buffer) => elementsOf(buffer, rows) / buffer.columns;
      for (const { buffer } of used) {
        const view = instance.rows(own.get(buffer.id)!, 0, lengthOf(buffer));
        view.set(contents.get(buffer.id)!.subarray(0, view.length));
      }
      runtime.spoilWorkspace();
      instance.run(context);
      const answers: Contents = new Map();
      for (const { buffer, written } of used)
        if (written) answers.set(buffer.id, instance.rows(own.get(buffer.id)!, 0, lengthOf(buffer)).slice());
      instance.release();
      return answers;
    },
  };
}

const loose = (buffer: Buffer): Buffer => ({ ...buffer, place: { kind: 'activation' } });
