import type { Launch } from '../../gpu-kit/launch.ts';

/** Pipelines by code, compiled once for a device, and the layouts they share. */
export class Pipelines {
  private readonly layouts = new Map<string, GPUBindGroupLayout>();
  private readonly compiled = new Map<string, GPUComputePipeline>();

  constructor(private readonly device: GPUDevice) {}

  /**
   * Compiles what is not compiled yet, all at once.
   * @throws where a shader does not compile: a bug of ours or of the driver's.
   */
  async compile(launches: readonly Launch[], onProgress?: (done: number, total: number) => void): Promise<void> {
    const missing = new Map(launches.filter(({ code }) => !this.compiled.has(code)).map((one) => [one.code, one]));
    let done = 0;
    onProgress?.(0, missing.size);
    await Promise.all(
      [...missing.values()].map(async (launch) => {
        const { code, name } = launch;
        const module = this.device.createShaderModule({ code, label: name });
        const layout = this.device.createPipelineLayout({ bindGroupLayouts: [this.layoutOf(launch)] });
        const compute = { module, entryPoint: 'main' };
        this.compiled.set(code, await this.device.createComputePipelineAsync({ label: name, layout, compute }));
        onProgress?.(++done, missing.size);
      }),
    );
  }

  pipelineOf({ code, name }: Launch): GPUComputePipeline {
    const pipeline = this.compiled.get(code);
    if (!pipeline) throw new Error(`the pipeline of ${name} was not compiled`);
    return pipeline;
  }

  layoutOf({ bindings }: Launch): GPUBindGroupLayout {
    const kinds: GPUBufferBindingType[] = [
      ...(['uniform', 'read-only-storage', 'uniform'] as const),
      ...bindings.map(({ kind }) => (kind === 'table' ? 'read-only-storage' : 'storage')),
    ];
    const key = kinds.join();
    let layout = this.layouts.get(key);
    if (!layout) {
      const entries = kinds.map((type, binding) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type },
      }));
      layout = this.device.createBindGroupLayout({ entries });
      this.layouts.set(key, layout);
    }
    return layout;
  }
}
