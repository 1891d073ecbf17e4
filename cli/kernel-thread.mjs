/** A thread of the WASM kernels in Node: plain JavaScript, so that it starts without a loader. See serveThread. */
import { parentPort, workerData } from 'node:worker_threads';

const { module, memory, thread } = workerData;
const words = new Int32Array(memory.buffer);
const sleep = (address, value) => void Atomics.wait(words, address >> 2, value);
const { exports } = new WebAssembly.Instance(module, { env: { memory, log: Math.log, sleep, finished: () => {} } });
parentPort.postMessage('ready');
exports.serve(thread);
