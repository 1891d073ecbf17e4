import { elementsOf, type CallContext, type Contents, type KernelDevice } from '../../plan/kernel-device.ts';
import { buffersOf } from '../../plan/layout.ts';
import type { Buffer, Call } from '../../plan/plan.ts';
import { asDeviceCall } from '../../plan/fuse.ts';
import type { Precision } from '../../engine.ts';
import { openGraphics, type Graphics } from './graphics.ts';
import { fromHalves, toHalves } from '../../gpu-kit/halves.ts';
import { Instance } from './instance.ts';
import { bytesOf, padded, strideOf, type Arena } from '../../gpu-kit/launch.ts';
import { halvesOf, inHalves } from './precision.ts';
import { cardShapes, emulatedShapes, lower, type Shapes } from './lower.ts';

/** Single calls on the WebGPU kernels, for the parity tests; null where there is no adapter. */
export async function webgpuKernelDevice(shapes?: Shapes, precision: Precision = 'full'): Promise<KernelDevice | null> {
  let graphics: Graphics;
  try {
    graphics = await openGraphics();
  } catch {
    return null;
  }
  const chosen = shapes ?? (graphics.adapter.emulated ? emulatedShapes : cardShapes);
  return {
    name: `webgpu, ${graphics.adapter.name}, ${precision} precision`,
    run: (call, contents, context) => runCall(graphics, { shapes: chosen, precision }, call, contents, context),
  };
}

/** Where the fields of calls lie in an engine; all others are activations. */
const arenas: Record<string, Exclude<Arena, 'activation'>> = {
  ...of('weight', ['weight', 'bias', 'bias2', 'tokens', 'positions', 'slots', 'queryWeight', 'keyWeight', 'weights']),
  ...of('gradient', ['dWeight', 'dBias', 'dBias2', 'dTokens', 'dPositions', 'dSlots', 'dQueryWeight', 'dKeyWeight']),
  ...of('gradient', ['gradients']),
  ...of('first moment', ['first']),
  ...of('second moment', ['second']),
};

function of<T>(arena: T, fields: string[]): Record<string, T> {
  return Object.fromEntries(fields.map((field) => [field, arena]));
}

async function runCall(
  { device, memory, pipelines }: Graphics,
  { shapes, precision }: { shapes: Shapes; precision: Precision },
  call: Call,
  contents: Contents,
  context: CallContext,
): Promise<Contents> {
  const { firstRow, count } = context.batch;
  const rows = firstRow + count;
  const lengths = new Map<Arena, number>();
  const placed: { buffer: Buffer; written: boolean }[] = [];
  const moved = { ...call } as Record<string, unknown>;
  for (const { field, buffer, written } of buffersOf(call)) {
    const kind = arenas[field];
    if (!kind) {
      placed.push({ buffer, written });
      continue;
    }
    const offset = lengths.get(kind) ?? 0;
    lengths.set(kind, offset + elementsOf(buffer, rows));
    const there: Buffer = { ...buffer, place: { kind, offset } };
    moved[field] = there;
    placed.push({ buffer: there, written });
  }
  const buffers = Object.fromEntries([...lengths].map(([kind, length]) => [kind, memory.storage(kind, 4 * length)]));
  const calls = [asDeviceCall(moved as unknown as Call)];
  const lowered = precision === 'mixed' ? inHalves(calls) : calls;
  const halves = halvesOf(lowered);
  for (const one of placed) if (halves.has(one.buffer.id)) one.buffer = { ...one.buffer, half: true };
  const launches = lower(lowered, {
    ...{ shapes, context: 1 + Math.max(0, ...context.batch.positions), loss: null, lossScale: null },
  });
  await pipelines.compile(launches);
  const instance = new Instance(device, memory, pipelines, {
    launches,
    capacity: rows,
    persistent: placed.map(({ buffer }) => buffer),
    arenas: buffers,
    tables: tablesOf(call),
    validWords: (context.batch.valid?.length ?? 0) / context.batch.count,
  });
  /** The buffer's rows in device memory: where, and with how many elements from one to the next. */
  const regionOf = (buffer: Buffer) => {
    const length = (buffer.rows === 'tokens' ? rows : buffer.rows) * strideOf(buffer) * bytesOf(buffer);
    const { place } = buffer;
    if (place.kind === 'activation') return { ...instance.place(buffer), length };
    return { buffer: buffers[place.kind], offset: 4 * place.offset, length };
  };
  for (const { buffer } of placed) {
    const to = regionOf(buffer);
    device.queue.writeBuffer(to.buffer, to.offset, pitched(buffer, contents.get(buffer.id)!));
  }
  const { size } = instance.upload(context);
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  instance.encode(pass, size);
  pass.end();
  const written = placed.filter((one) => one.written);
  const reads = written.map(({ buffer }) => {
    const from = regionOf(buffer);
    const to = memory.readable('answer', from.length);
    encoder.copyBufferToBuffer(from.buffer, from.offset, to, 0, from.length);
    return { buffer, to, length: from.length };
  });
  device.queue.submit([encoder.finish()]);
  const answers: Contents = new Map();
  for (const { buffer, to, length } of reads) {
    await to.mapAsync(GPUMapMode.READ);
    const bytes = to.getMappedRange(0, length);
    answers.set(buffer.id, flat(buffer, buffer.half ? fromHalves(new Uint16Array(bytes)) : new Float32Array(bytes)));
    memory.release(to);
  }
  instance.release();
  for (const buffer of Object.values(buffers)) memory.release(buffer);
  return answers;
}

function tablesOf(call: Call) {
  if (call.kernel !== 'embedGradient') return null;
  return {
    vocabulary: Number(call.dTokens.rows),
    positions: Number(call.dPositions?.rows ?? 0),
    slots: Number(call.dSlots?.rows ?? 0),
  };
}

/** Rows as they lie on the device, and back. */
function pitched(buffer: Buffer, values: Float32Array): Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer> {
  const { columns } = buffer;
  const stride = strideOf(buffer);
  // NaN in the padding: no kernel may let it through.
  const all = new Float32Array((values.length / columns) * stride).fill(NaN);
  for (let row = 0; row * columns < values.length; row++)
    all.set(values.subarray(row * columns, (row + 1) * columns), row * stride);
  return buffer.half ? toHalves(all) : all;
}

function flat(buffer: Buffer, values: Float32Array): Float32Array {
  const { columns } = buffer;
  const stride = buffer.place.kind === 'activation' ? padded(columns) : columns;
  const all = new Float32Array((values.length / stride) * columns);
  for (let row = 0; row * stride < values.length; row++)
    all.set(values.subarray(row * stride, row * stride + columns), row * columns);
  return all;
}
