/**
 * The headers of the lab's files, from which the build writes `_headers`, the service worker and the page's meta
 * elements. A pattern is a path, or the beginning of one and `*`; no file has a header by two patterns, since hosts
 * differ in how they join them.
 */
import type { IndexHtmlTransformResult, Plugin } from 'vite';

/** SharedArrayBuffer, and with it threads in WASM, exists only on isolated pages. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

const unused = ['camera', 'microphone', 'geolocation', 'payment', 'usb', 'serial', 'hid', 'midi', 'display-capture'];

const ofEveryFile: Readonly<Record<string, string>> = {
  ...isolation,
  // The address of the page contains the experiment, which is nobody else's business.
  'Referrer-Policy': 'no-referrer',
  'Permissions-Policy': unused.map((feature) => `${feature}=()`).join(', '),
  'X-Content-Type-Options': 'nosniff',
};

/** Folders of the build for workers' scripts: a worker has the policy that its script was served with. */
const WORKERS = 'lab-workers';
const IMPORTER = 'lab-import';

/** What a page or a worker may load and run. There is no `frame-ancestors`: courses may show the lab in a frame. */
function policy(connect: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'wasm-unsafe-eval'",
    // Svelte and the board set style attributes; no style element is needed.
    "style-src-elem 'self'",
    "style-src-attr 'unsafe-inline'",
    // Pieces are drawn from data: addresses, figures saved as pictures from blob: ones.
    "img-src 'self' data: blob:",
    `connect-src ${connect}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

const ofPage = policy("'self'");
const inDevelopment = ofPage.replace("style-src-elem 'self'", "style-src-elem 'self' 'unsafe-inline'");

/** Policies by path. Only the worker that fetches games and models from an address that somebody typed may connect elsewhere. */
const policies: readonly (readonly [pattern: string, policy: string])[] = [
  ['/', ofPage],
  ['/index.html', ofPage],
  [`/${WORKERS}/*`, ofPage],
  [`/${IMPORTER}/*`, policy("'self' http: https:")],
];

/** The headers of the built lab by path pattern. */
const rules: readonly (readonly [pattern: string, headers: Readonly<Record<string, string>>])[] = [
  ['/*', ofEveryFile],
  ...policies.map(([pattern, policy]) => [pattern, { 'Content-Security-Policy': policy }] as const),
];

/** The headers that the built lab's file at a path has. */
function headersAt(path: string): Record<string, string> {
  const matching = rules.filter(([pattern]) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );
  return Object.assign({}, ...matching.map(([, headers]) => headers)) as Record<string, string>;
}

/** The headers of the page and of its workers' scripts by path pattern, which the service worker adds. */
export const workerHeaders = (): (readonly [pattern: string, headers: Record<string, string>])[] =>
  policies.map(([pattern]) => [pattern, headersAt(pattern)] as const);

/** Rolldown's name for the script of a worker, in the folder whose policy it needs. */
export const workerFileName = ({ name }: { name: string }): string =>
  `${name === 'data.worker' ? IMPORTER : WORKERS}/[name]-[hash].js`;

/** Addresses that the page has a sentence for would else get the status 431 and an empty page. */
function takeLongAddresses(server: object | null): void {
  Object.assign(server ?? {}, { maxHeaderSize: 2 ** 18 });
}

/**
 * Sends the headers in `vite preview`, those of every file in `vite dev` (whose paths are others), and writes them for
 * other hosts: `_headers`, which some read, and meta elements in the page. The service worker adds them too.
 */
export function pageHeaders(): Plugin {
  return {
    name: 'page-headers',
    config: () => ({ server: { headers: ofEveryFile } }),
    configureServer: ({ httpServer }) => takeLongAddresses(httpServer),
    configurePreviewServer({ httpServer, middlewares }) {
      takeLongAddresses(httpServer);
      middlewares.use((request, response, next) => {
        // Between two programs of one machine packing takes longer than sending.
        delete request.headers['accept-encoding'];
        const headers = headersAt(new URL(request.url ?? '/', 'http://localhost').pathname);
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
        next();
      });
    },
    transformIndexHtml: (_, { server }): IndexHtmlTransformResult => [
      {
        tag: 'meta',
        // The development server hands out styles as scripts, which write them into the page.
        attrs: { 'http-equiv': 'Content-Security-Policy', content: server ? inDevelopment : ofPage },
        injectTo: 'head-prepend',
      },
      { tag: 'meta', attrs: { name: 'referrer', content: ofEveryFile['Referrer-Policy'] }, injectTo: 'head-prepend' },
    ],
    generateBundle() {
      const lines = rules.flatMap(([pattern, headers]) => [
        pattern,
        ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
      ]);
      this.emitFile({ type: 'asset', fileName: '_headers', source: `${lines.join('\n')}\n` });
    },
  };
}
