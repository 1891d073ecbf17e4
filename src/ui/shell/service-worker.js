/*
 * The one service worker of the lab's folder. It adds the headers that isolate the page, for hosts that do not send
 * them (threads of WebAssembly need an isolated page), and it answers without a network, from copies of the lab's files.
 * It touches nothing else of its folder. The build fills in the headers and the files (scripts/service-worker.ts);
 * installation.ts registers it, and says how to be rid of it.
 *
 * A page never gets files of two versions: each version has a cache of its own, a file is stored only if it is the one
 * that this version was built with, and nothing is answered from a cache that is not complete.
 */
const { version, headersByPattern, files } = __BUILD__;

const scope = new URL(self.registration.scope);
/** Other folders of the host may have labs too. */
const CACHES = `blindfold ${scope.pathname} `;
const cacheName = CACHES + version;
/** The page is stored last, so that a cache that has it is complete. */
const PAGE = '/';

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(activate()));
self.addEventListener('message', (event) => event.waitUntil(receive(event)));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = pathOf(request.url);
  if (path === null || request.method !== 'GET') return;
  const isPage = request.mode === 'navigate';
  const added = isPage || request.destination === 'worker' ? headersFor(path) : null;
  if (added === null && (isPage || !(path in files))) return;
  event.respondWith(answer(event, path, added));
  if (isPage) event.waitUntil(leaveWhereTheLabIsGone());
});

/** The first version is there at once, since the page waits for it; a later one is stored before it takes over. */
async function install() {
  if (self.registration.active !== null) await storeAll();
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== cacheName) await caches.delete(name);
  await self.clients.claim();
}

async function receive({ data, source }) {
  if (data.type === 'take-over') {
    if ((await labPages()).length <= 1) await self.skipWaiting();
  } else if (data.type === 'store') {
    try {
      await storeAll((bytes) => source.postMessage({ bytes, complete: false }));
      source.postMessage({ bytes: early().reduce((sum, [, { bytes }]) => sum + bytes, 0), complete: true });
    } catch (error) {
      source.postMessage({ failure: error instanceof Error ? error.message : String(error) });
    }
  } else if (data.type === 'used') {
    const paths = data.addresses.map(pathOf).filter((path) => path in files);
    // What cannot be stored now is stored when it is used again.
    for (const path of paths) await store(path).catch(() => {});
  }
}

/** Files to store from the start; the others are stored once they were used. */
const early = () => Object.entries(files).filter(([path, { later }]) => !later && path !== PAGE);

/** Stores the files of this version, the page last. @throws where one cannot be had, or is of another version */
async function storeAll(report = () => {}) {
  if (await isComplete()) return;
  let bytes = 0;
  for (const [path, file] of early()) {
    await store(path);
    report((bytes += file.bytes));
  }
  await store(PAGE);
}

/** Stores a file, or its response where that is here already. */
async function store(path, response) {
  const cache = await caches.open(cacheName);
  const address = addressOf(path);
  if (await cache.match(address)) return;
  // Names with a hash are for one content for ever.
  const fetched = response ?? (await fetch(address, { cache: files[path].hashed ? 'default' : 'no-cache' }));
  if (!fetched.ok) throw new Error(`${path} could not be loaded (the server says ${fetched.status}).`);
  const digest = await crypto.subtle.digest('SHA-256', await fetched.clone().arrayBuffer());
  const sha256 = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (!sha256.startsWith(files[path].sha256)) throw new Error(`${path} is of another version of the lab.`);
  await cache.put(address, fetched);
}

async function answer(event, path, added) {
  const response = (await storedAnswer(path)) ?? (await fetchedAnswer(event, path));
  // A redirect is for the browser to follow: nothing of it may be read or changed here.
  return added === null || response.type === 'opaqueredirect' ? response : withHeaders(response, added);
}

async function storedAnswer(path) {
  if (!(await isComplete())) return undefined;
  return (await caches.open(cacheName)).match(addressOf(path));
}

async function fetchedAnswer(event, path) {
  const response = await fetch(event.request);
  if (response.ok && files[path]?.later) event.waitUntil(store(path, response.clone()).catch(() => {}));
  return response;
}

let complete = false;
async function isComplete() {
  complete ||= (await (await caches.open(cacheName)).match(addressOf(PAGE))) !== undefined;
  return complete;
}

/**
 * A host that has something else at this address now (another project on a developer's port, say) would never be seen
 * behind the stored page. Without a network nothing is known, and the lab stays.
 */
async function leaveWhereTheLabIsGone() {
  const script = await fetch(self.location.href, { cache: 'no-cache', redirect: 'error' }).catch(() => null);
  if (script === null) return;
  const isScript = (script.headers.get('Content-Type') ?? '').includes('javascript');
  if (script.status !== 404 && script.status !== 410 && !(script.ok && !isScript)) return;
  await self.registration.unregister();
  await caches.delete(cacheName);
}

/** Path of an address in the lab's folder, from its root; null elsewhere. */
function pathOf(address) {
  const { origin, pathname } = new URL(address);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return null;
  const path = pathname.slice(scope.pathname.length - 1);
  return path === '/index.html' ? PAGE : path;
}

function addressOf(path) {
  return new URL(path.slice(1), scope).href;
}

function headersFor(path) {
  const found = headersByPattern.find(([pattern]) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
  return found?.[1] ?? null;
}

function withHeaders({ body, status, statusText, headers: sent }, added) {
  const headers = new Headers(sent);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}

async function labPages() {
  const pages = await self.clients.matchAll({ includeUncontrolled: true, type: 'window' });
  return pages.filter(({ url }) => pathOf(url) === PAGE);
}
