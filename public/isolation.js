/*
 * Threads of WebAssembly need a cross-origin isolated page, which takes two headers. The development server and the
 * preview send them, and hosts that read `_headers` do; for every other static host this service worker adds them to
 * the page and to its workers' scripts. It touches nothing else and keeps nothing. Registered by src/ui/isolation.ts.
 */
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.mode === 'navigate' || request.destination === 'worker') event.respondWith(isolated(request));
});

async function isolated(request) {
  const response = await fetch(request);
  // A redirect is for the browser to follow: nothing of it may be read or changed here.
  if (response.type === 'opaqueredirect') return response;
  const { body, status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(isolation)) headers.set(name, value);
  return new Response(body, { status, statusText, headers });
}
