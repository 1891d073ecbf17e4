import { installed } from './installation.ts';

/** What the service worker says of its work: bytes stored so far, or why it could not store them. */
type Report = { bytes: number; complete: boolean } | { failure: string };

/** The copy of the lab on this device, which answers where there is no network. */
export class OfflineCopy {
  status = $state<'none' | 'storing' | 'complete' | 'failed'>('none');
  bytes = $state(0);
  /** Why it is not complete. */
  failure = $state('');

  /** Has the service worker store the lab's files, and those of the larger files that this page has used. */
  async store(): Promise<void> {
    const worker = await installed();
    if (worker === null) return;
    navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<Report>) => this.#hear(data));
    navigator.serviceWorker.startMessages();
    this.status = 'storing';
    worker.postMessage({ type: 'store' });
    // A page's first requests went past a service worker that was registered after them.
    new PerformanceObserver((list) => {
      worker.postMessage({ type: 'used', addresses: list.getEntries().map(({ name }) => name) });
    }).observe({ type: 'resource', buffered: true });
  }

  #hear(report: Report): void {
    if ('failure' in report) {
      this.status = 'failed';
      this.failure = report.failure;
    } else {
      this.status = report.complete ? 'complete' : 'storing';
      this.bytes = report.bytes;
    }
  }
}
