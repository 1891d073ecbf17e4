/**
 * When a page last loaded again to be isolated, so that it never goes round in circles. Not in the tab's own storage:
 * a page that becomes isolated is given another, and the mark could never be taken back.
 */
const TRIED = 'blindfold.isolation-tried';
const CIRCLE_MS = 10_000;
/** Longer than a service worker of a kilobyte takes to start; a page that shows nothing must not wait for more. */
const LONGEST_WAIT_MS = 2000;

/** Where a person's wish that the lab install no service worker is stored: `?isolation=off` sets it, `=on` ends it. */
const OFF = 'blindfold.isolation-off';
const SCRIPT = './isolation.js';

/**
 * Whether the page is about to load again, and so should show nothing yet. Threads of WebAssembly share their memory,
 * which browsers allow on cross-origin isolated pages alone. Where the host does not send the headers for it, a service
 * worker adds them (isolation-worker.js), and they count from the next load on: once in a browser, at the first visit.
 * Where that cannot be (service workers are off or not wanted, the page is in another's frame, the folder has a service
 * worker of somebody else), it is one thread, as the report of the device says. Never rejects.
 */
export async function loadsAgainIsolated(): Promise<boolean> {
  try {
    const wish = new URLSearchParams(location.search).get('isolation');
    if (wish === 'on') localStorage.removeItem(OFF);
    if (wish === 'off') localStorage.setItem(OFF, '');
    if (localStorage.getItem(OFF) !== null) return await loadsAgainWithout();
    if (crossOriginIsolated) {
      localStorage.removeItem(TRIED);
      return false;
    }
    if (!('serviceWorker' in navigator) || window.top !== window) return false;
    if (Date.now() - Number(localStorage.getItem(TRIED)) < CIRCLE_MS) return false;
    localStorage.setItem(TRIED, String(Date.now()));
    if ((await registration())?.mine === false) return false;
    const { active } = await navigator.serviceWorker.register(SCRIPT);
    // After a forced reload it is there already, and this load went past it.
    if (active === null && !(await started(navigator.serviceWorker))) return false;
    location.reload();
    return true;
  } catch {
    // Storage or service workers are forbidden here.
    return false;
  }
}

/** Removes the service worker; whether the page has to load again to be without it. */
async function loadsAgainWithout(): Promise<boolean> {
  const found = await registration();
  if (!found?.mine) return false;
  await found.unregister();
  location.reload();
  return true;
}

/** The service worker of the lab's folder, and whether it is the lab's. */
async function registration(): Promise<{ mine: boolean; unregister(): Promise<boolean> } | null> {
  const found = await navigator.serviceWorker.getRegistration('./');
  // One further up, which the host's other pages have, is not replaced by the lab's.
  if (!found || found.scope !== new URL('./', location.href).href) return null;
  const script = (found.active ?? found.waiting ?? found.installing)?.scriptURL;
  return { mine: script === new URL(SCRIPT, location.href).href, unregister: () => found.unregister() };
}

/** Whether a service worker for this page is there before the wait is too long. */
function started({ ready }: ServiceWorkerContainer): Promise<boolean> {
  return new Promise((resolve) => {
    void ready.then(() => resolve(true));
    setTimeout(() => resolve(false), LONGEST_WAIT_MS);
  });
}
