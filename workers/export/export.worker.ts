import { io, tensor2d } from '@tensorflow/tfjs-core';
import wasmFile from 'onnxruntime-web/ort-wasm-simd-threaded.wasm?url';
import { loadBackend } from '../../src/engine/runtimes/tfjs/backend.ts';
import type { OnnxRuntime } from '../../src/interchange/onnx/read-back.ts';
import { opfsStore } from '../../src/training/opfs-store.ts';
import { createWorkerEngine, workerDevice } from '../create-engine.ts';
import { indexedRunList } from '../train/run-list.ts';
import { wasmPaths } from '../wasm-paths.ts';
import { serve } from '../wire.ts';
import { exportHandlers } from './handlers.ts';
import type { ExportService } from './protocol.ts';

serve<ExportService>(
  exportHandlers({
    checkpoints: opfsStore(),
    runs: indexedRunList(),
    clock: () => Date.now(),
    // On the processor, as the client that reads the files back.
    async createEngine(model, parameters) {
      return createWorkerEngine(await workerDevice(null, undefined), model, parameters, { threads: 1 });
    },
    async onnxRuntime() {
      const runtime = await import('onnxruntime-web/wasm');
      runtime.env.wasm.numThreads = 1;
      runtime.env.wasm.wasmPaths = { wasm: wasmFile };
      return runtime as unknown as OnnxRuntime;
    },
    async tfjs() {
      await loadBackend('wasm', { wasmPaths });
      const { loadGraphModel } = await import('@tensorflow/tfjs-converter');
      return { io, tensor2d, loadGraphModel };
    },
  }),
);
