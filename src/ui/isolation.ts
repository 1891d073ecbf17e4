/** Set in a tab that has once loaded again to be isolated, so that it never goes round in circles. */
const TRIED = 'blindfold.isolation-tried';
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
      sessionStorage.removeItem(TRIED);
      return false;
    }
    if (!('serviceWorker' in navigator) || window.top !== window || sessionStorage.getItem(TRIED)) return false;
    sessionStorage.setItem(TRIED, 'yes');
    await navigator.serviceWorker.register('./isolation.js');
    if (!(await started(navigator.serviceWorker))) return false;
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
