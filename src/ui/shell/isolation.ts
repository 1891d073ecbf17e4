/**
 * When a page last loaded again to be isolated, so that it never goes round in circles. Not in the tab's own storage:
 * a page that becomes isolated is given another, and the mark could never be taken back.
 */
const TRIED = 'blindfold.isolation-tried';
const CIRCLE_MS = 10_000;
/** Longer than a service worker of a kilobyte takes to start; a page that shows nothing must not wait for more. */
const LONGEST_WAIT_MS = 2000;

/**
 * Whether the page is about to load again, and so should show nothing yet. Threads of WebAssembly share their memory,
 * which browsers allow on cross-origin isolated pages alone. Where the host does not send the headers for it, a service
 * worker adds them (public/isolation.js), and they count from the next load on: once in a browser, at the first visit.
 * Where that cannot be (service workers are off, the page is in another's frame), it is one thread, as the report of
 * the device says. Never rejects.
 */
export async function loadsAgainIsolated(): Promise<boolean> {
  try {
    if (crossOriginIsolated) {
      localStorage.removeItem(TRIED);
      return false;
    }
    if (!('serviceWorker' in navigator) || window.top !== window) return false;
    if (Date.now() - Number(localStorage.getItem(TRIED)) < CIRCLE_MS) return false;
    localStorage.setItem(TRIED, String(Date.now()));
    const { active } = await navigator.serviceWorker.register('./isolation.js');
    // After a forced reload it is there already, and this load went past it.
    if (active === null && !(await started(navigator.serviceWorker))) return false;
    location.reload();
    return true;
  } catch {
    // Storage or service workers are forbidden here.
    return false;
  }
}

/** Whether a service worker for this page is there before the wait is too long. */
function started({ ready }: ServiceWorkerContainer): Promise<boolean> {
  return new Promise((resolve) => {
    void ready.then(() => resolve(true));
    setTimeout(() => resolve(false), LONGEST_WAIT_MS);
  });
}
