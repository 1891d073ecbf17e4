import type { BackendName, DeviceReport } from './engine.ts';

export interface DeviceChoice {
  /** navigator.gpu, or undefined where there is none. */
  gpu: GPU | undefined;
  /** Whether WebAssembly SIMD runs here. */
  simd: boolean;
  /** CPU threads that training may use; 1 where not said. */
  threads?: number;
  /** Whether memory can be shared between threads here (a browser wants cross-origin isolation); true where not said. */
  isolated?: boolean;
  /** An explicit request; honoured where it can be. */
  wanted?: BackendName;
}

/** Words by which adapters that are really the CPU give themselves away in `adapter.info`. */
const emulations = ['swiftshader', 'llvmpipe', 'lavapipe', 'microsoft basic render'];

interface Adapter {
  name: string;
  /** Whether it is the CPU in disguise. */
  emulated: boolean;
}

/**
 * The device for a run. A real graphics card comes first. An adapter emulated on the CPU comes after WebAssembly: TF.js
 * on SwiftShader multiplied matrices at 0.9 GFLOP/s where one thread of WebAssembly reached 40. Plain JavaScript is last.
 */
export async function chooseDevice({
  gpu,
  simd,
  threads = 1,
  isolated = true,
  wanted,
}: DeviceChoice): Promise<DeviceReport> {
  const adapter = await findAdapter(gpu);
  const wasm =
    threads > 1
      ? `${threads} CPU threads with SIMD`
      : `one CPU thread with SIMD${isolated ? '' : ', since this page is served without cross-origin isolation'}`;
  const names: Record<BackendName, string> = {
    webgpu: adapter?.name ?? 'none',
    wasm,
    cpu: 'one CPU thread, plain JavaScript',
  };
  const available: DeviceReport['available'] = [];
  if (adapter)
    available.push({
      backend: 'webgpu',
      note: adapter.emulated ? `${adapter.name}, emulated on the CPU` : adapter.name,
    });
  if (simd) available.push({ backend: 'wasm', note: wasm });
  available.push({ backend: 'cpu', note: 'plain JavaScript, very slow' });
  const report = (backend: BackendName, reason: string): DeviceReport => ({
    backend,
    adapter: names[backend],
    reason,
    available,
  });

  const lacking = wanted && whyNot(wanted, gpu, adapter, simd);
  if (wanted && !lacking)
    return report(
      wanted,
      wanted === 'webgpu' && adapter?.emulated
        ? `WebGPU was asked for; its only adapter, ${adapter.name}, is emulated on the CPU and will be slow.`
        : `${titles[wanted]} was asked for.`,
    );
  const best = bestOf(adapter, gpu, simd);
  return report(best.backend, lacking ? `${lacking} ${best.reason}` : best.reason);
}

const titles: Record<BackendName, string> = { webgpu: 'WebGPU', wasm: 'WebAssembly', cpu: 'Plain JavaScript' };

function whyNot(wanted: BackendName, gpu: GPU | undefined, adapter: Adapter | null, simd: boolean): string | null {
  if (wanted === 'webgpu' && !gpu) return 'WebGPU was asked for, but this browser or program does not offer it.';
  if (wanted === 'webgpu' && !adapter) return 'WebGPU was asked for, but it found no graphics adapter here.';
  if (wanted === 'wasm' && !simd) return 'WebAssembly was asked for, but it has no SIMD here.';
  return null;
}

function bestOf(
  adapter: Adapter | null,
  gpu: GPU | undefined,
  simd: boolean,
): { backend: BackendName; reason: string } {
  if (adapter && !adapter.emulated)
    return { backend: 'webgpu', reason: `WebGPU runs on a graphics card, ${adapter.name}.` };
  const noCard = adapter
    ? `the only WebGPU adapter, ${adapter.name}, is emulated on the CPU and slower`
    : gpu
      ? 'WebGPU found no graphics adapter'
      : 'WebGPU is not offered here';
  if (simd) return { backend: 'wasm', reason: `WebAssembly on the CPU, since ${noCard}.` };
  if (adapter)
    return {
      backend: 'webgpu',
      reason: `WebGPU, emulated on the CPU by ${adapter.name}, since WebAssembly has no SIMD here.`,
    };
  return { backend: 'cpu', reason: `Plain JavaScript on the CPU, since ${noCard} and WebAssembly has no SIMD here.` };
}

async function findAdapter(gpu: GPU | undefined): Promise<Adapter | null> {
  let adapter: GPUAdapter | null = null;
  try {
    adapter = (await gpu?.requestAdapter({ powerPreference: 'high-performance' })) ?? null;
  } catch {
    // Some browsers reject rather than answer null where the driver is blocked.
  }
  if (!adapter) return null;
  const { vendor, architecture, device, description } = adapter.info;
  const words = [description, vendor, architecture, device].filter((word) => word !== '' && word !== undefined);
  const all = words.join(' ').toLowerCase();
  // The flag moved from the adapter to its info; both are in the field.
  const fallback =
    adapter.info.isFallbackAdapter || (adapter as { isFallbackAdapter?: boolean }).isFallbackAdapter === true;
  return {
    name: description || [vendor, architecture].filter(Boolean).join(' ') || 'an unnamed adapter',
    emulated: fallback || emulations.some((word) => all.includes(word)),
  };
}
