/**
 * Lets the thread answer waiting messages before going on. A message channel rather than setTimeout,
 * which browsers hold back by four milliseconds once nested.
 */
export function macrotask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
