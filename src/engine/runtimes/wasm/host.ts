/** What the WASM engine needs of the program it runs in: a browser's worker, Node, a test. */
export interface WasmHost {
  /** Threads to use at most, the calling one included; 1 where memory cannot be shared between threads. */
  threads: number;
  /** The bytes of one of the built kernels (an address beside this module). */
  load(address: URL): Promise<Uint8Array<ArrayBuffer>>;
  /** Starts a thread that calls `serveThread(start)`; resolves when it is about to. */
  startThread(start: ThreadStart): Promise<{ terminate(): void }>;
  /** Milliseconds from any start. */
  clock(): number;
}

export interface ThreadStart {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  /** 1 and up; the calling thread is 0. */
  thread: number;
}

/** Runs programs for ever, asleep between them. Ends with its worker. */
export function serveThread({ module, memory, thread }: ThreadStart): void {
  const env = { memory, log: Math.log, sleep: sleeper(memory), finished: () => {} };
  const { exports } = new WebAssembly.Instance(module, { env });
  (exports.serve as (thread: number) => void)(thread);
}

/** What the kernels sleep by: until the word at a byte address is another. cli/kernel-thread.mjs has the same. */
export function sleeper(memory: WebAssembly.Memory): (address: number, value: number) => void {
  const words = new Int32Array(memory.buffer);
  return (address, value) => void Atomics.wait(words, address >> 2, value);
}
