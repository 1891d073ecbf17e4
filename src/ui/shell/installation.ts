/**
 * When a page last loaded again to be isolated, so that it never goes round in circles. Not in the tab's own storage:
 * a page that becomes isolated is given another, and the mark could never be taken back.
 */
const TRIED = 'blindfold.isolation-tried';
const CIRCLE_MS = 10_000;
/** Longer than a service worker of a few kilobytes takes to start; a page that shows nothing must not wait for more. */
const LONGEST_WAIT_MS = 2000;

/** Where a person's choice to have no service worker is stored: `?isolation=off` sets it, `=on` ends it. */
const OFF = 'blindfold.isolation-off';
const SCRIPT = './service-worker.js';
/** Name of the script when it only isolated the page. */
const FORMER = './isolation.js';

/**
 * Whether the page is about to load again, and so should show nothing yet. It does so to take an update, which is stored
 * already and waits for a visit; and to be isolated. Threads of WebAssembly share their memory, which browsers allow on
 * cross-origin isolated pages alone. Where the host does not send the headers for it, the service worker adds them
 * (service-worker.js), and they count from the next load on: once in a browser, at the first visit. Where that cannot be
 * (service workers are off or not wanted, the page is in another's frame, the folder has a service worker of somebody
 * else), it is one thread, as the report of the device says. Never rejects.
 */
export async function loadsAgain(): Promise<boolean> {
  try {
    const wanted = new URLSearchParams(location.search).get('isolation');
    if (wanted === 'on') localStorage.removeItem(OFF);
    if (wanted === 'off') localStorage.setItem(OFF, '');
    if (localStorage.getItem(OFF) !== null) return await loadsAgainWithout();
    if (!mayInstall()) return false;
    const found = await registration();
    if (found?.mine === false) return false;
    if (found?.waiting && (await tookOver(found.waiting))) return true;
    if (crossOriginIsolated) {
      localStorage.removeItem(TRIED);
      return false;
    }
    if (Date.now() - Number(localStorage.getItem(TRIED)) < CIRCLE_MS) return false;
    localStorage.setItem(TRIED, String(Date.now()));
    const { active } = await navigator.serviceWorker.register(SCRIPT);
    // After a forced reload it is there already, and this load went past it.
    if (active === null && !(await before(navigator.serviceWorker.ready))) return false;
    return reloaded();
  } catch {
    // Storage or service workers are forbidden here.
    return false;
  }
}

/** The service worker that may store the lab, registered where it is not yet; null where there is to be none. */
export async function installed(): Promise<ServiceWorker | null> {
  try {
    if (!mayInstall() || localStorage.getItem(OFF) !== null) return null;
    if ((await registration())?.mine === false) return null;
    await navigator.serviceWorker.register(SCRIPT);
    return (await navigator.serviceWorker.ready).active;
  } catch {
    return null;
  }
}

/** The development server has none to register. */
function mayInstall(): boolean {
  return !import.meta.env.DEV && 'serviceWorker' in navigator && window.top === window;
}

function reloaded(): true {
  location.reload();
  return true;
}

/**
 * Whether the update took this page over, which then loads again; it does not while another tab shows the version before
 * it. Where it comes later than one waits for it, the page loads again too: the files of its version are gone.
 */
async function tookOver(update: ServiceWorker): Promise<boolean> {
  const changed = new Promise((resolve) =>
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true }),
  );
  void changed.then(reloaded);
  update.postMessage({ type: 'take-over' });
  return before(changed);
}

/** Removes the service worker and what it stored; whether the page has to load again to be without it. */
async function loadsAgainWithout(): Promise<boolean> {
  const found = await registration();
  if (!found?.mine) return false;
  await found.unregister();
  const folder = `blindfold ${new URL('./', location.href).pathname} `;
  for (const name of await caches.keys()) if (name.startsWith(folder)) await caches.delete(name);
  return reloaded();
}

/** The service worker of the lab's folder, and whether it is the lab's. */
async function registration() {
  const found = await navigator.serviceWorker.getRegistration('./');
  // One further up, which the host's other pages have, is not replaced by the lab's.
  if (!found || found.scope !== new URL('./', location.href).href) return null;
  const script = (found.active ?? found.waiting ?? found.installing)?.scriptURL;
  const mine = [SCRIPT, FORMER].some((name) => script === new URL(name, location.href).href);
  return { mine, waiting: found.waiting, unregister: () => found.unregister() };
}

/** Whether something has come before the wait is too long. */
function before(something: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    void something.then(() => resolve(true));
    setTimeout(() => resolve(false), LONGEST_WAIT_MS);
  });
}
