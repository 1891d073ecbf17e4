import { describe, expect, it } from 'vitest';
import { chooseDevice } from './device.ts';

/** A navigator.gpu with one adapter of this info, or none. */
function fakeGpu(info: Partial<GPUAdapterInfo> | null): GPU {
  const whole = { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, ...info };
  return { requestAdapter: async () => (info ? { info: whole } : null) } as unknown as GPU;
}

describe('the device', () => {
  it('is WebGPU on a real card', async () => {
    const report = await chooseDevice({ gpu: fakeGpu({ vendor: 'nvidia', architecture: 'ampere' }), simd: true });
    expect(report).toMatchObject({ backend: 'webgpu', adapter: 'nvidia ampere' });
    expect(report.reason).toContain('graphics card');
    expect(report.available.map((device) => device.backend)).toEqual(['webgpu', 'wasm', 'cpu']);
  });

  it.each<Partial<GPUAdapterInfo>>([
    { vendor: 'google', architecture: 'swiftshader' },
    { description: 'llvmpipe (LLVM 15.0.6, 256 bits)' },
    { vendor: 'mesa', device: 'lavapipe' },
    { description: 'Microsoft Basic Render Driver' },
    { vendor: 'intel', isFallbackAdapter: true },
  ])('is WebAssembly where the only adapter is the CPU: %o', async (info) => {
    const report = await chooseDevice({ gpu: fakeGpu(info), simd: true });
    expect(report.backend).toBe('wasm');
    expect(report.reason).toContain('emulated');
  });

  it('is WebAssembly where there is no adapter, no WebGPU, or a driver that refuses', async () => {
    const refusing = { requestAdapter: () => Promise.reject(new Error('blocked')) } as unknown as GPU;
    for (const gpu of [undefined, fakeGpu(null), refusing]) {
      const report = await chooseDevice({ gpu, simd: true });
      expect(report.backend).toBe('wasm');
      expect(report.available.map((device) => device.backend)).toEqual(['wasm', 'cpu']);
    }
  });

  it('is plain JavaScript only where nothing else runs', async () => {
    expect(await chooseDevice({ gpu: undefined, simd: false })).toMatchObject({
      backend: 'cpu',
      reason: expect.stringContaining('no SIMD'),
    });
  });

  it('is the one asked for, where that can be', async () => {
    const gpu = fakeGpu({ vendor: 'google', architecture: 'swiftshader' });
    expect(await chooseDevice({ gpu, simd: true, wanted: 'webgpu' })).toMatchObject({
      backend: 'webgpu',
      reason: expect.stringContaining('slow'),
    });
    expect(await chooseDevice({ gpu, simd: true, wanted: 'cpu' })).toMatchObject({ backend: 'cpu' });
    const real = fakeGpu({ vendor: 'amd', architecture: 'rdna-3' });
    expect((await chooseDevice({ gpu: real, simd: true, wanted: 'wasm' })).backend).toBe('wasm');
  });

  it('says why it is not the one asked for', async () => {
    const none = await chooseDevice({ gpu: undefined, simd: true, wanted: 'webgpu' });
    expect(none.backend).toBe('wasm');
    expect(none.reason).toMatch(/^WebGPU was asked for, but .* does not offer it\./);
    const slow = await chooseDevice({
      gpu: fakeGpu({ vendor: 'apple', architecture: 'metal-3' }),
      simd: false,
      wanted: 'wasm',
    });
    expect(slow.backend).toBe('webgpu');
    expect(slow.reason).toMatch(/^WebAssembly was asked for, but it has no SIMD/);
  });
});
