/*
 * Threads of WebAssembly need a cross-origin isolated page, which takes two headers. The development server and the
 * preview send them, and hosts that read `_headers` do; for every other static host this service worker adds the lab's
 * headers to the lab's page and to its workers' scripts. It touches nothing else of its folder and stores nothing.
 * Registered by isolation.ts, which also says how to be rid of it; the build writes the headers in (page-headers.ts).
 */
const headersByPattern = __HEADERS__;

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode !== 'navigate' && request.destination !== 'worker') return;
  const { origin, pathname } = new URL(request.url);
  const scope = new URL(self.registration.scope);
  if (origin !== scope.origin || !pathname.startsWith(scope.pathname)) return;
  const path = pathname.slice(scope.pathname.length - 1);
  const found = headersByPattern.find(([pattern]) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
  if (found) event.respondWith(withHeaders(request, found[1]));
});

async function withHeaders(request, added) {
  const response = await fetch(request);
  // A redirect is for the browser to follow: nothing of it may be read or changed here.
  if (response.type === 'opaqueredirect') return response;
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(added)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
