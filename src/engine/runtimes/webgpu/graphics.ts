import { offerWebgpuDevice, webgpuDeviceInUse, withdrawWebgpuDevice } from '../tfjs/backend.ts';
import { Memory } from './memory.ts';
import { Pipelines } from './pipelines.ts';

/** The graphics device of this thread with what engines on it share. TF.js runs on the same one. */
export interface Graphics {
  device: GPUDevice;
  /** Adapter in words, and whether it is the CPU in disguise. */
  adapter: { name: string; emulated: boolean; subgroupSize: number | null };
  pipelines: Pipelines;
  memory: Memory;
  /** Rejects, once the device is lost, with a DeviceLostError; never resolves. */
  lost: Promise<never>;
}

/** What a device is asked for where its adapter has it. */
const features = ['timestamp-query', 'shader-f16', 'subgroups', 'bgra8unorm-storage'] as const;
const limits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
  'maxComputeWorkgroupSizeX',
  'maxComputeInvocationsPerWorkgroup',
] as const;
const emulations = ['swiftshader', 'llvmpipe', 'lavapipe', 'microsoft basic render'];

let current: Promise<Graphics> | null = null;

/** The thread's device, opened at the first call and again after one was lost. @throws where there is none. */
export function openGraphics(): Promise<Graphics> {
  current ??= open().then(
    (graphics) => {
      graphics.lost.catch(() => {
        current = null;
        withdrawWebgpuDevice();
      });
      return graphics;
    },
    (error: unknown) => {
      current = null;
      throw error;
    },
  );
  return current;
}

async function open(): Promise<Graphics> {
  const gpu = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  const adapter = await gpu?.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) throw new Error('This browser or program offers no WebGPU adapter.');
  const device = (await webgpuDeviceInUse()) ?? (await makeDevice(adapter));
  offerWebgpuDevice(device, adapter.info);
  const { vendor, architecture, description, device: model, isFallbackAdapter } = adapter.info;
  const text = [description, vendor, architecture, model].join(' ').toLowerCase();
  const { subgroupMinSize, subgroupMaxSize } = adapter.info;
  return {
    device,
    adapter: {
      name: description || [vendor, architecture].filter(Boolean).join(' ') || 'an unnamed adapter',
      emulated: isFallbackAdapter || emulations.some((word) => text.includes(word)),
      subgroupSize: device.features.has('subgroups') && subgroupMinSize === subgroupMaxSize ? subgroupMinSize : null,
    },
    pipelines: new Pipelines(device),
    memory: new Memory(device),
    lost: lossOf(device),
  };
}

function makeDevice(adapter: GPUAdapter): Promise<GPUDevice> {
  return adapter.requestDevice({
    requiredFeatures: features.filter((feature) => adapter.features.has(feature)),
    requiredLimits: Object.fromEntries(limits.map((limit) => [limit, adapter.limits[limit]])),
  });
}

function lossOf(device: GPUDevice): Promise<never> {
  const lost = device.lost.then(({ message, reason }): never => {
    const why = reason === 'destroyed' ? 'it was closed' : message || 'the driver does not say why';
    const error = new Error(`The graphics device was lost (${why}). Start again from the last checkpoint.`);
    error.name = 'DeviceLostError';
    throw error;
  });
  // Whoever waits for it hears of it; nobody waiting is no error.
  lost.catch(() => {});
  return lost;
}
